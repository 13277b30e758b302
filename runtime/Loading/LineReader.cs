using ProtocolArc.Runtime.Json;

namespace ProtocolArc.Runtime.Loading;

/// <summary>
/// Splits a stream at 0x0A and nowhere else, without copying lines that fit the buffer. A line over the size limit
/// is passed over and never held.
/// </summary>
internal sealed class LineReader(Stream stream)
{
    private const int MaxLineBytes = JsonProfile.MaxDocumentBytes + 1; // the carriage return of its end does not count

    private byte[] _buffer = new byte[64 * 1024];

    /// <summary>Where the line begins that is read next.</summary>
    private int _start;

    /// <summary>Where the bytes end that were read.</summary>
    private int _end;

    /// <summary>The number of the line that was read last, from 1.</summary>
    public long Number { get; private set; }

    /// <summary>Called before each read from the stream, which may have to wait.</summary>
    public Action? BeforeRead { get; init; }

    /// <summary>Read the next line without its end; false behind the last one. An oversize line is not given.</summary>
    public bool TryRead(out ReadOnlySpan<byte> line, out bool isOversize)
    {
        line = default;
        isOversize = false;
        int searched = _start;
        while (true)
        {
            int length = _buffer.AsSpan(searched.._end).IndexOf((byte)'\n');
            if (length >= 0)
            {
                int end = searched + length;
                line = Trim(_buffer.AsSpan(_start..end));
                isOversize |= line.Length > JsonProfile.MaxDocumentBytes;
                _start = end + 1;
                Number++;
                return true;
            }

            if (_end - _start > MaxLineBytes)
            {
                isOversize = true;
                _start = _end; // let go of what is held
            }

            searched = MakeRoom();
            BeforeRead?.Invoke();
            int count = stream.Read(_buffer, _end, _buffer.Length - _end);
            _end += count;
            if (count == 0)
            {
                bool isLine = isOversize || _end > _start;
                line = Trim(_buffer.AsSpan(_start.._end));
                isOversize |= line.Length > JsonProfile.MaxDocumentBytes;
                _start = _end;
                Number += isLine ? 1 : 0;
                return isLine;
            }
        }
    }

    /// <summary>Move the line to the front, or take a larger buffer; return where to go on searching.</summary>
    private int MakeRoom()
    {
        int held = _end - _start;
        byte[] target = held == _buffer.Length ? new byte[2 * _buffer.Length] : _buffer;
        _buffer.AsSpan(_start, held).CopyTo(target);
        (_buffer, _start, _end) = (target, 0, held);
        return held;
    }

    private static ReadOnlySpan<byte> Trim(ReadOnlySpan<byte> line) => line.EndsWith("\r"u8) ? line[..^1] : line;
}
