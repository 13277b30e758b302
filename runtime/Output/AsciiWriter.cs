using System.Globalization;
using System.Text;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Output;

/// <summary>A buffered writer of ASCII to a stream of bytes: no encoding, no locale, no carriage return, on any platform.</summary>
internal sealed class AsciiWriter(Stream stream)
{
    private readonly byte[] _buffer = new byte[64 * 1024];
    private int _used;

    /// <summary>Write text that is ASCII already.</summary>
    public AsciiWriter Write(ReadOnlySpan<char> text)
    {
        while (!text.IsEmpty)
        {
            Reserve(1);
            int count = Math.Min(text.Length, _buffer.Length - _used);
            Ascii.FromUtf16(text[..count], _buffer.AsSpan(_used), out int written);
            _used += written;
            text = text[count..];
        }

        return this;
    }

    /// <summary>Write bytes that are ASCII already.</summary>
    public AsciiWriter Write(ReadOnlySpan<byte> text)
    {
        while (!text.IsEmpty)
        {
            Reserve(1);
            int count = Math.Min(text.Length, _buffer.Length - _used);
            text[..count].CopyTo(_buffer.AsSpan(_used));
            _used += count;
            text = text[count..];
        }

        return this;
    }

    public AsciiWriter Write(long number)
    {
        const int MaxDigits = 20;
        Reserve(MaxDigits);
        number.TryFormat(_buffer.AsSpan(_used), out int written, default, CultureInfo.InvariantCulture);
        _used += written;
        return this;
    }

    /// <summary>Write text through the table of escapes.</summary>
    public AsciiWriter WriteEscaped(ReadOnlySpan<char> text, char quote)
    {
        Span<char> escaped = stackalloc char[AsciiEscape.MaxLength];
        while (!text.IsEmpty)
        {
            int plain = AsciiEscape.PlainLength(text, quote);
            Write(text[..plain]);
            text = text[plain..];
            if (!text.IsEmpty)
            {
                Write(escaped[..AsciiEscape.Escape(text[0], quote, escaped)]);
                text = text[1..];
            }
        }

        return this;
    }

    /// <summary>Write a JSON string.</summary>
    public AsciiWriter WriteJson(ReadOnlySpan<char> text) => Write("\"").WriteEscaped(text, '"').Write("\"");

    /// <summary>Hand on what was written so far.</summary>
    /// <exception cref="OutputException">The stream does not take it.</exception>
    public void Flush()
    {
        // Emptied first, so that what a closed pipe did not take is not tried again.
        int used = _used;
        _used = 0;
        try
        {
            stream.Write(_buffer, 0, used);
            stream.Flush();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new OutputException(error);
        }
    }

    private void Reserve(int count)
    {
        if (_buffer.Length - _used < count)
        {
            Flush();
        }
    }
}
