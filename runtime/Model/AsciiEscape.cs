using System.Buffers;
using System.Text;

namespace ProtocolArc.Runtime.Model;

/// <summary>The one table of escapes: everything outside U+0020-7E becomes ASCII, on every platform.</summary>
internal static class AsciiEscape
{
    /// <summary>Stands for no quote: labels and titles.</summary>
    public const char NoQuote = '\0';

    /// <summary>The most characters that one UTF-16 unit becomes.</summary>
    public const int MaxLength = 6;

    private static readonly SearchValues<char> PlainInLabels = PlainBut(NoQuote), PlainInJson = PlainBut('"'), PlainInLiterals = PlainBut('\'');

    /// <summary>Return how many characters at the start of a text stand for themselves.</summary>
    public static int PlainLength(ReadOnlySpan<char> text, char quote)
    {
        int length = text.IndexOfAnyExcept(quote switch { NoQuote => PlainInLabels, '"' => PlainInJson, _ => PlainInLiterals });
        return length < 0 ? text.Length : length;
    }

    /// <summary>Write the escaped form of one UTF-16 unit; return its length.</summary>
    public static int Escape(char unit, char quote, Span<char> target)
    {
        char letter = unit switch
        {
            '\\' => '\\',
            '\b' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\f' => 'f',
            '\r' => 'r',
            _ when unit == quote && quote != NoQuote => quote,
            _ => '\0',
        };
        if (letter != '\0')
        {
            target[0] = '\\';
            target[1] = letter;
            return 2;
        }

        if (unit is >= ' ' and <= '~')
        {
            target[0] = unit;
            return 1;
        }

        target[0] = '\\';
        target[1] = 'u';
        for (int digit = 0; digit < 4; digit++)
        {
            target[2 + digit] = "0123456789abcdef"[(unit >> (12 - (4 * digit))) & 0xF];
        }

        return MaxLength;
    }

    public static StringBuilder AppendEscaped(this StringBuilder builder, ReadOnlySpan<char> text, char quote)
    {
        Span<char> escaped = stackalloc char[MaxLength];
        while (!text.IsEmpty)
        {
            int plain = PlainLength(text, quote);
            builder.Append(text[..plain]);
            text = text[plain..];
            if (!text.IsEmpty)
            {
                builder.Append(escaped[..Escape(text[0], quote, escaped)]);
                text = text[1..];
            }
        }

        return builder;
    }

    private static SearchValues<char> PlainBut(char quote) =>
        SearchValues.Create([.. Enumerable.Range(' ', '~' - ' ' + 1).Select(unit => (char)unit).Where(unit => unit != '\\' && unit != quote)]);
}
