using System.Numerics;
using System.Runtime.Intrinsics;
using System.Text;

namespace ProtocolArc.Runtime.Json;

/// <summary>The lexical grammar that the reference parser and the scanner share.</summary>
internal static class JsonGrammar
{
    private const int UnicodeEscapeLength = 6;

    /// <summary>Return how many bytes of a string stand for themselves: all but quotes, backslashes, controls and non-ASCII.</summary>
    public static int PlainLength(ReadOnlySpan<byte> text)
    {
        int at = 0;
        for (; at <= text.Length - Vector128<byte>.Count; at += Vector128<byte>.Count)
        {
            // As signed numbers the bytes outside ASCII are negative, so one comparison finds them and the controls.
            Vector128<byte> bytes = Vector128.Create(text.Slice(at, Vector128<byte>.Count));
            Vector128<byte> special = Vector128.Equals(bytes, Vector128.Create((byte)'"'))
                | Vector128.Equals(bytes, Vector128.Create((byte)'\\'))
                | Vector128.LessThan(bytes.AsSByte(), Vector128.Create((sbyte)' ')).AsByte();
            uint found = special.ExtractMostSignificantBits();
            if (found != 0)
            {
                return at + BitOperations.TrailingZeroCount(found);
            }
        }

        while (at < text.Length && text[at] is >= (byte)' ' and < 0x80 and not (byte)'"' and not (byte)'\\')
        {
            at++;
        }

        return at;
    }

    /// <summary>Return the length of a run of bytes outside ASCII.</summary>
    public static int NonAsciiLength(ReadOnlySpan<byte> text)
    {
        int length = text.IndexOfAnyInRange((byte)0, (byte)0x7F);
        return length < 0 ? text.Length : length;
    }

    /// <summary>Return the length of the RFC 8259 number that a text begins with, or 0.</summary>
    public static int NumberLength(ReadOnlySpan<byte> text, out bool isWhole)
    {
        isWhole = true;
        int at = text.StartsWith("-"u8) ? 1 : 0;
        int whole = DigitsLength(text[at..]);
        if (whole == 0 || (whole > 1 && text[at] == '0'))
        {
            return 0;
        }

        at += whole;
        if (at < text.Length && text[at] == '.')
        {
            isWhole = false;
            int fraction = DigitsLength(text[(at + 1)..]);
            if (fraction == 0)
            {
                return 0;
            }

            at += 1 + fraction;
        }

        if (at < text.Length && text[at] is (byte)'e' or (byte)'E')
        {
            isWhole = false;
            at++;
            at += at < text.Length && text[at] is (byte)'+' or (byte)'-' ? 1 : 0;
            int power = DigitsLength(text[at..]);
            if (power == 0)
            {
                return 0;
            }

            at += power;
        }

        return at;
    }

    /// <summary>
    /// Return the length of the escape that a text begins with, or 0. A pair of escaped surrogates is one escape of two
    /// units; a surrogate without its partner is given back alone.
    /// </summary>
    public static int EscapeLength(ReadOnlySpan<byte> text, out char first, out char second)
    {
        second = '\0';
        first = text.Length > 1 ? ShortEscape(text[1]) : '\0';
        if (first != '\0')
        {
            return 2;
        }

        if (!TryUnicodeEscape(text, out first))
        {
            return 0;
        }

        if (TryUnicodeEscape(text[UnicodeEscapeLength..], out char low) && char.IsSurrogatePair(first, low))
        {
            second = low;
            return 2 * UnicodeEscapeLength;
        }

        return UnicodeEscapeLength;
    }

    /// <summary>Return the content of a well-formed string, from what stands between its quotes.</summary>
    public static string Decode(ReadOnlySpan<byte> text)
    {
        int plain = text.IndexOf((byte)'\\');
        if (plain < 0)
        {
            return Encoding.UTF8.GetString(text);
        }

        var content = new StringBuilder();
        for (; plain >= 0; plain = text.IndexOf((byte)'\\'))
        {
            content.Append(Encoding.UTF8.GetString(text[..plain]));
            text = text[plain..];
            int length = EscapeLength(text, out char first, out char second);
            content.Append(first).Append(second != '\0' ? [second] : []);
            text = text[length..];
        }

        return content.Append(Encoding.UTF8.GetString(text)).ToString();
    }

    /// <summary>Return the character of an escape such as <c>\n</c>, or NUL when the letter makes none.</summary>
    private static char ShortEscape(byte letter) => letter switch
    {
        (byte)'"' => '"',
        (byte)'\\' => '\\',
        (byte)'/' => '/',
        (byte)'b' => '\b',
        (byte)'f' => '\f',
        (byte)'n' => '\n',
        (byte)'r' => '\r',
        (byte)'t' => '\t',
        _ => '\0',
    };

    private static bool TryUnicodeEscape(ReadOnlySpan<byte> text, out char unit)
    {
        unit = '\0';
        if (text.Length < UnicodeEscapeLength || text[0] != '\\' || text[1] != 'u')
        {
            return false;
        }

        int value = 0;
        foreach (byte digit in text[2..UnicodeEscapeLength])
        {
            if (!char.IsAsciiHexDigit((char)digit))
            {
                return false;
            }

            value = (value << 4) | ((digit & 0xF) + (digit > '9' ? 9 : 0));
        }

        unit = (char)value;
        return true;
    }

    private static int DigitsLength(ReadOnlySpan<byte> text)
    {
        int length = 0;
        while (length < text.Length && char.IsAsciiDigit((char)text[length]))
        {
            length++;
        }

        return length;
    }
}
