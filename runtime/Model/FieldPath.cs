using System.Globalization;
using System.Text;

namespace ProtocolArc.Runtime.Model;

/// <summary>The canonical text of paths: pure ASCII, and equal for equal paths only.</summary>
internal static class FieldPath
{
    /// <summary>Show one member key: bare where the grammar allows it, else quoted.</summary>
    public static string RenderKey(string key) => IsBare(key) ? key : $"[{Literal.Quote(key, cut: false)}]";

    /// <summary>Show a declared or a concrete path.</summary>
    public static string Render(IEnumerable<Step> steps)
    {
        var text = new StringBuilder();
        foreach (Step step in steps)
        {
            switch (step.Kind)
            {
                case StepKind.EachItem:
                    text.Append("[*]");
                    break;
                case StepKind.EachValue:
                    text.Append(".*");
                    break;
                case StepKind.Index:
                    text.Append(CultureInfo.InvariantCulture, $"[{step.Index}]");
                    break;
                default:
                    string shown = RenderKey(step.Key);
                    text.Append(text.Length > 0 && shown[0] != '[' ? "." : "").Append(shown);
                    break;
            }
        }

        return text.ToString();
    }

    private static bool IsBare(string key)
    {
        if (key.Length == 0 || key[0] == '@')
        {
            return false;
        }

        foreach (char unit in key)
        {
            if (unit is < '!' or > '~' || PathParser.IsReserved(unit))
            {
                return false;
            }
        }

        return true;
    }
}
