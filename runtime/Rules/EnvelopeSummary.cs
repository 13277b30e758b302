namespace ProtocolArc.Runtime.Rules;

/// <summary>What the scanner saw of an envelope: enough for the rules that speak of it as a whole.</summary>
internal ref struct EnvelopeSummary
{
    /// <summary>The UTF-8 text of <c>contract</c>; a bare body has none.</summary>
    public ReadOnlySpan<byte> Contract;

    /// <summary>The UTF-8 text of <c>revision</c>, when there is one.</summary>
    public ReadOnlySpan<byte> Revision;

    public bool HasContract;
    public bool HasRevision;

    /// <summary>Keys of the data that no declared path passes through.</summary>
    public int UndeclaredKeys;
}
