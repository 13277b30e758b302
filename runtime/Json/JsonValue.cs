namespace ProtocolArc.Runtime.Json;

/// <summary>A JSON value that knows where it stands. Built by the reference parser, never for an envelope that passes.</summary>
internal sealed class JsonValue(Atoms atom, int start, string text = "")
{
    private static readonly List<JsonValue> NoItems = [];
    private static readonly OrderedDictionary<string, JsonMember> NoMembers = [];

    /// <summary>The kind of the value: one, never a set.</summary>
    public Atoms Atom { get; } = atom;

    /// <summary>The offset of the first byte.</summary>
    public int Start { get; } = start;

    /// <summary>The offset after the last byte.</summary>
    public int End { get; set; }

    /// <summary>The content of a string, or the source of a number.</summary>
    public string Text { get; } = text;

    /// <summary>The items of an array.</summary>
    public List<JsonValue> Items { get; } = atom == Atoms.Array ? [] : NoItems;

    /// <summary>The members of an object, in document order.</summary>
    public OrderedDictionary<string, JsonMember> Members { get; } =
        atom == Atoms.Object ? new(StringComparer.Ordinal) : NoMembers;

    /// <summary>What makes two scalars the same value: their kind, then the string or the exact number.</summary>
    public ScalarIdentity Identity => Atom switch
    {
        Atoms.String => new(Atom, Text, 0),
        Atoms.Integer or Atoms.Fraction => ExactNumber.Identify(Atom, Text),
        _ => new(Atom, "", 0),
    };
}

/// <summary>A member of an object, with the offset of its key's opening quote.</summary>
internal readonly record struct JsonMember(int KeyStart, JsonValue Value);

/// <summary>The identity of a scalar: equal for equal values, and only for those.</summary>
internal readonly record struct ScalarIdentity(Atoms Atom, string Text, long Exponent);
