using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Output;

/// <summary>Results as JSONL: one object per line.</summary>
internal sealed class JsonLinesResults(AsciiWriter output) : ResultWriter(output)
{
    private readonly JsonWriter _json = new(output, isIndented: false);

    public override void Write(in DocumentLabel label, in ValidationResult result)
    {
        JsonResult.Write(_json, label, result);
        _json.End();
    }
}
