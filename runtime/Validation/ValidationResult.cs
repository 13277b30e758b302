using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Validation;

/// <summary>What validation says of one document: its findings, or the fault that kept it from being read.</summary>
public readonly struct ValidationResult
{
    private readonly IReadOnlyList<Finding>? _findings;

    internal ValidationResult(IReadOnlyList<Finding> findings) => _findings = findings;

    internal ValidationResult(Fault fault) => Fault = fault;

    /// <summary>The findings, in their order; none for a document that could not be read.</summary>
    public IReadOnlyList<Finding> Findings => _findings ?? [];

    /// <summary>The structural error of a document that could not be read.</summary>
    public Fault? Fault { get; }

    /// <summary>True when the document was read and no finding is an error.</summary>
    public bool Ok => IsClean || (Fault is null && !Findings.Any(finding => finding.Severity == Severity.Error));

    /// <summary>True when there is nothing to say of the document.</summary>
    internal bool IsClean => Fault is null && (_findings is null || _findings.Count == 0);

    /// <summary>Count the offset of a fault from the start of the file in which the document stands.</summary>
    internal ValidationResult At(long start) =>
        Fault is { Offset: long offset } ? new(Fault with { Offset = start + offset }) : this;
}
