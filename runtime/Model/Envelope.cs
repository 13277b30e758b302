namespace ProtocolArc.Runtime.Model;

/// <summary>What the rules that speak of a message as a whole look at.</summary>
/// <param name="Contract">The contract that it names; absent for a bare body, which targets whatever it is checked against.</param>
/// <param name="Revision">The revision that it names, if it does.</param>
/// <param name="UndeclaredKeys">Keys of the data that no declared path passes through, in document order.</param>
internal sealed record Envelope(string? Contract, string? Revision, IReadOnlyList<string> UndeclaredKeys);
