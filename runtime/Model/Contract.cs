using ProtocolArc.Runtime.Loading;

namespace ProtocolArc.Runtime.Model;

/// <summary>One revision of one contract, already known to be well-formed.</summary>
public sealed class Contract
{
    internal Contract()
    {
    }

    /// <summary>The identity of the contract.</summary>
    public required string Name { get; init; }

    /// <summary>The revision, strict SemVer 2.0.0, as the document says it.</summary>
    public required string Revision { get; init; }

    /// <summary>The protocol family, such as <c>mcp</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>One line for people; the name where the document has none.</summary>
    public required string Title { get; init; }

    /// <summary>A longer text, if there is one.</summary>
    public required string? Doc { get; init; }

    /// <summary>Who holds the risk when the shape changes: <c>request</c>, <c>response</c> or <c>both</c>.</summary>
    public required string Side { get; init; }

    /// <summary>True when an undeclared top-level key is a warning.</summary>
    public required bool Strict { get; init; }

    /// <summary>The declared fields, in contract order.</summary>
    public required IReadOnlyList<FieldSpec> Fields { get; init; }

    /// <summary>Canonical paths that were used once and may not be declared again.</summary>
    public required IReadOnlyList<string> Reserved { get; init; }

    /// <summary>Name and revision as reports show them: <c>mcp.tool_call@1.0.0</c>.</summary>
    public string Label => $"{Name}@{Revision}";

    /// <summary>Read one contract document.</summary>
    /// <param name="document">The UTF-8 bytes of the document.</param>
    /// <exception cref="ContractException">The document is outside the JSON profile or is no contract.</exception>
    public static Contract Load(ReadOnlySpan<byte> document) => ContractReader.Read(document);

    /// <summary>Return <see cref="Label"/>.</summary>
    public override string ToString() => Label;
}
