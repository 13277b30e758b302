namespace ProtocolArc.Runtime.Commands;

/// <summary>A request that ends before it is whole.</summary>
internal sealed class CutRequestException() : Exception("the input ends in the middle of a request");

/// <summary>So many bytes of a longer stream, which must be there.</summary>
internal sealed class BodyStream(Stream inner, long length) : Stream
{
    private long _read;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => length;

    public override long Position
    {
        get => _read;
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        int wanted = (int)Math.Min(buffer.Length, length - _read);
        int count = wanted == 0 ? 0 : inner.Read(buffer[..wanted]);
        if (count == 0 && wanted > 0)
        {
            throw new CutRequestException();
        }

        _read += count;
        return count;
    }

    /// <summary>Pass over what was not read.</summary>
    public void Drain()
    {
        Span<byte> sink = stackalloc byte[4096];
        while (Read(sink) > 0)
        {
        }
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
