using ProtocolArc.Runtime.Json;

namespace ProtocolArc.Runtime.Model;

/// <summary>One declared field of a contract.</summary>
public sealed class FieldSpec
{
    internal FieldSpec(Step[] path, IReadOnlyList<JsonValue>? members)
    {
        Path = path;
        Enum = members;
    }

    /// <summary>The path, in its canonical text.</summary>
    public required string Name { get; init; }

    /// <summary>The type names, in declared order.</summary>
    public required IReadOnlyList<string> Types { get; init; }

    /// <summary>True when the field may not be missing.</summary>
    public required bool Required { get; init; }

    /// <summary>A text for people, if there is one.</summary>
    public required string? Doc { get; init; }

    internal Step[] Path { get; }

    /// <summary>The scalars that are listed, or null where none are.</summary>
    internal IReadOnlyList<JsonValue>? Enum { get; }

    /// <summary>The types as reports show them: <c>string|integer</c>.</summary>
    internal string TypeText => string.Join('|', Types);

    /// <summary>The kinds of values that the types admit.</summary>
    internal Atoms Admitted => TypeNames.Admitted(Types);
}
