using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Output;

/// <summary>Results as one JSON report.</summary>
internal sealed class JsonResults(AsciiWriter output) : ResultWriter(output)
{
    private const string Schema = "protocolarc/validation/1";

    private readonly JsonWriter _json = new(output, isIndented: true);

    public override void Begin(Contract contract) => _json.Open('{')
        .Name("schema").Value(Schema)
        .Name("contract").Value(contract.Name)
        .Name("revision").Value(contract.Revision)
        .Name("results").Open('[');

    public override void Write(in DocumentLabel label, in ValidationResult result) =>
        JsonResult.Write(_json.Item(), label, result);

    public override void End(bool ok) => _json.Close(']').Name("ok").Value(ok).Close('}').End();

    public override void WriteUnloaded(IReadOnlyList<ContractProblem> problems)
    {
        _json.Open('{')
            .Name("schema").Value(Schema)
            .Name("contract").Value(null as string)
            .Name("revision").Value(null as string)
            .Name("errors").Open('[');
        foreach (ContractProblem problem in problems)
        {
            _json.Item().Open('{')
                .Name("code").Value(problem.Code)
                .Name("pointer").Value(problem.Pointer)
                .Name("offset").Value(problem.Offset)
                .Close('}');
        }

        _json.Close(']').Name("results").Open('[').Close(']').Name("ok").Value(false).Close('}').End();
    }
}
