namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>Gives a few bytes at a time, as a pipe may.</summary>
internal sealed class SlowStream(byte[] content, int step) : MemoryStream(content)
{
    public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(count, step));
}
