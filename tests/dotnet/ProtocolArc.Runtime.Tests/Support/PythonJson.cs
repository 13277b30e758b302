using System.Globalization;
using System.Text;
using System.Text.Json;

namespace ProtocolArc.Runtime.Tests.Support;

/// <summary><c>json.dumps(value, indent=2)</c>, written a second time, so that the writer under test does not judge itself.</summary>
internal static class PythonJson
{
    public static string Dump(object? value, string indent = "")
    {
        string below = indent + "  ";
        return value switch
        {
            null => "null",
            bool flag => flag ? "true" : "false",
            string text => Quote(text),
            List<(string Name, object? Value)> members => Join('{', '}', indent, members.Select(member => $"{Quote(member.Name)}: {Dump(member.Value, below)}")),
            IEnumerable<object> items => Join('[', ']', indent, items.Select(item => Dump(item, below))),
            JsonElement { ValueKind: JsonValueKind.Object } element => Join('{', '}', indent, element.EnumerateObject().Select(member => $"{Quote(member.Name)}: {Dump(member.Value, below)}")),
            JsonElement { ValueKind: JsonValueKind.Array } element => Join('[', ']', indent, element.EnumerateArray().Select(item => Dump(item, below))),
            JsonElement { ValueKind: JsonValueKind.String } element => Quote(element.GetString()!),
            JsonElement element => element.GetRawText(),
            _ => throw new ArgumentException($"no JSON: {value.GetType()}", nameof(value)),
        };
    }

    private static string Join(char open, char close, string indent, IEnumerable<string> parts)
    {
        string body = string.Join(",", parts.Select(part => $"\n{indent}  {part}"));
        return body.Length == 0 ? $"{open}{close}" : $"{open}{body}\n{indent}{close}";
    }

    private static string Quote(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (char unit in text)
        {
            int known = "\"\\\b\f\n\r\t".IndexOf(unit, StringComparison.Ordinal);
            quoted = known >= 0 ? quoted.Append('\\').Append("\"\\bfnrt"[known])
                : unit is >= ' ' and <= '~' ? quoted.Append(unit)
                : quoted.Append(CultureInfo.InvariantCulture, $"\\u{(int)unit:x4}");
        }

        return quoted.Append('"').ToString();
    }
}
