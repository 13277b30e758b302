namespace ProtocolArc.Runtime.Json;

/// <summary>A scalar as the scanner sees it, or the start of a container.</summary>
internal readonly ref struct Token(Atoms atom, ReadOnlySpan<byte> text = default, bool isPlain = true)
{
    /// <summary>The kind of the value.</summary>
    public Atoms Atom { get; } = atom;

    /// <summary>The bytes between the quotes of a string, or the source of a number.</summary>
    public ReadOnlySpan<byte> Text { get; } = text;

    /// <summary>True when <see cref="Text"/> holds no escapes, so that it is the content.</summary>
    public bool IsPlain { get; } = isPlain;

    /// <summary>The content of a string, or the source of a number.</summary>
    public string Content() => JsonGrammar.Decode(Text);
}
