namespace ProtocolArc.Runtime.Commands;

/// <summary>A standard stream that the process was not given: every use of it fails.</summary>
internal sealed class ClosedStream : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => throw IsClosed();

    public override void Write(byte[] buffer, int offset, int count) => throw IsClosed();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private static IOException IsClosed() => new("it is closed");
}
