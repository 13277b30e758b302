namespace ProtocolArc.Runtime.Json;

/// <summary>A document outside the JSON profile: which code, at which byte.</summary>
internal sealed class JsonFormatException(string code, int offset) : Exception($"{code} at byte {offset}")
{
    public string Code { get; } = code;

    public int Offset { get; } = offset;
}
