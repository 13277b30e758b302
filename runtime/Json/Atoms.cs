namespace ProtocolArc.Runtime.Json;

/// <summary>
/// Kinds of JSON values, and sets of them. Every value is of one kind; numbers are told apart by their exact
/// value, so <c>1.0</c> and <c>1e2</c> are integers.
/// </summary>
[Flags]
internal enum Atoms : byte
{
    None = 0,
    String = 1,
    Integer = 2,
    Fraction = 4,
    True = 8,
    False = 16,
    Object = 32,
    Array = 64,
    Null = 128,

    Number = Integer | Fraction,
    Boolean = True | False,
    Containers = Object | Array,
    Everything = String | Number | Boolean | Containers | Null,
}

/// <summary>The type names of a contract and the kinds that they admit.</summary>
internal static class TypeNames
{
    /// <summary>Every type name of a field, in the order of the specification.</summary>
    public static readonly string[] All = ["string", "integer", "number", "boolean", "object", "array", "null", "any"];

    /// <summary>Return the kinds that a type name admits; none for a word that is no type name.</summary>
    public static Atoms Admitted(string name) => name switch
    {
        "string" => Atoms.String,
        "integer" => Atoms.Integer,
        "number" => Atoms.Number,
        "boolean" => Atoms.Boolean,
        "object" => Atoms.Object,
        "array" => Atoms.Array,
        "null" => Atoms.Null,
        "any" => Atoms.Everything,
        _ => Atoms.None,
    };

    /// <summary>Return the kinds that a list of type names admits.</summary>
    public static Atoms Admitted(IEnumerable<string> names) =>
        names.Aggregate(Atoms.None, (atoms, name) => atoms | Admitted(name));

    /// <summary>Name a set of kinds by the fewest types, as reports show them; "nothing" where it is empty.</summary>
    public static string Show(Atoms atoms) => atoms switch
    {
        Atoms.None => "nothing",
        Atoms.Everything => "any",
        _ => string.Join('|', All.Where(name => (Admitted(name) & ~atoms) == 0 && !(name == "integer" && (Atoms.Number & ~atoms) == 0))),
    };

    /// <summary>Name the type of a value of one kind.</summary>
    public static string Of(Atoms atom) => atom switch
    {
        Atoms.String => "string",
        Atoms.Integer => "integer",
        Atoms.Fraction => "number",
        Atoms.True or Atoms.False => "boolean",
        Atoms.Object => "object",
        Atoms.Array => "array",
        Atoms.Null => "null",
        _ => throw new ArgumentOutOfRangeException(nameof(atom), atom, "not one kind of value"),
    };
}
