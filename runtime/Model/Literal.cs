using System.Text;
using ProtocolArc.Runtime.Json;

namespace ProtocolArc.Runtime.Model;

/// <summary>How values are shown in findings: pure ASCII, so that no terminal, locale or encoding changes a byte.</summary>
internal static class Literal
{
    /// <summary>Code points of a string that a finding shows.</summary>
    private const int MaxString = 60;

    /// <summary>Characters of a number that a finding shows.</summary>
    private const int MaxNumber = 40;

    /// <summary>Members of an enum that a finding shows.</summary>
    private const int MaxMembers = 10;

    /// <summary>Show a string in single quotes; when cut, past 60 code points only how many were left out.</summary>
    public static string Quote(string text, bool cut = true)
    {
        int end = cut ? IndexOfCodePoint(text, MaxString) : text.Length;
        var shown = new StringBuilder().Append('\'').AppendEscaped(text.AsSpan(0, end), '\'').Append('\'');
        if (end < text.Length)
        {
            shown.Append("...(+").Append(CodePoints(text.AsSpan(end))).Append(')');
        }

        return shown.ToString();
    }

    /// <summary>Show a file name or title: escaped like a string, but without quotes and with <c>'</c> as it is.</summary>
    public static string Label(string text) =>
        new StringBuilder().AppendEscaped(text, AsciiEscape.NoQuote).ToString();

    /// <summary>Show a scalar: strings quoted, numbers as their source text.</summary>
    public static string Show(JsonValue scalar, bool cut = true) => scalar.Atom switch
    {
        Atoms.String => Quote(scalar.Text, cut),
        Atoms.True => "true",
        Atoms.False => "false",
        Atoms.Null => "null",
        _ when cut && scalar.Text.Length > MaxNumber =>
            $"{scalar.Text.AsSpan(0, MaxNumber)}...(+{scalar.Text.Length - MaxNumber})",
        _ => scalar.Text,
    };

    /// <summary>Show enum members in their order, as <c>{'a', 'b'}</c>; when cut, past ten only how many were left out.</summary>
    public static string ShowMembers(IReadOnlyList<JsonValue> members, bool cut = true)
    {
        int count = cut ? Math.Min(members.Count, MaxMembers) : members.Count;
        var parts = members.Take(count).Select(member => Show(member, cut));
        return $"{{{string.Join(", ", count < members.Count ? parts.Append($"...(+{members.Count - count})") : parts)}}}";
    }

    private static int CodePoints(ReadOnlySpan<char> text)
    {
        int count = 0;
        foreach (char unit in text)
        {
            count += char.IsLowSurrogate(unit) ? 0 : 1;
        }

        return count;
    }

    private static int IndexOfCodePoint(string text, int count)
    {
        int at = 0;
        for (; count > 0 && at < text.Length; count--)
        {
            at += char.IsHighSurrogate(text[at]) ? 2 : 1;
        }

        return at;
    }
}
