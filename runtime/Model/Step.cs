namespace ProtocolArc.Runtime.Model;

/// <summary>What a step of a path goes through.</summary>
internal enum StepKind
{
    /// <summary>A member of an object, by its key.</summary>
    Member,

    /// <summary>An item of an array, by its index; concrete paths only.</summary>
    Index,

    /// <summary><c>[*]</c>: every item of an array.</summary>
    EachItem,

    /// <summary><c>.*</c>: every value of a map.</summary>
    EachValue,
}

/// <summary>One step of a declared or a concrete path.</summary>
internal readonly record struct Step(StepKind Kind, string Key = "", int Index = 0)
{
    public static readonly Step EachItem = new(StepKind.EachItem);
    public static readonly Step EachValue = new(StepKind.EachValue);

    public static Step Member(string key) => new(StepKind.Member, key);

    public static Step At(int index) => new(StepKind.Index, "", index);
}
