using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Output;

/// <summary>A format of validation results, written as they are found.</summary>
internal abstract class ResultWriter(AsciiWriter output)
{
    /// <summary>The formats by name. A new format is one class and one line here.</summary>
    public static readonly IReadOnlyDictionary<string, Func<AsciiWriter, ResultWriter>> Formats =
        new Dictionary<string, Func<AsciiWriter, ResultWriter>>(StringComparer.Ordinal)
        {
            ["text"] = output => new TextResults(output),
            ["json"] = output => new JsonResults(output),
            ["jsonl"] = output => new JsonLinesResults(output),
        };

    protected AsciiWriter Output { get; } = output;

    /// <summary>Begin the report on one contract.</summary>
    public virtual void Begin(Contract contract)
    {
    }

    /// <summary>Say that the contract did not load.</summary>
    public virtual void WriteUnloaded(IReadOnlyList<ContractProblem> problems)
    {
    }

    public abstract void Write(in DocumentLabel label, in ValidationResult result);

    /// <summary>End the report.</summary>
    public virtual void End(bool ok)
    {
    }
}
