using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>The keys of an object: the kinds of values they take, which are required, and which others are kept.</summary>
internal sealed record KeyTable(Dictionary<string, Atoms> Types, string[] Required, Func<string, bool> IsKept)
{
    /// <summary>How many letters may differ for a known key to be the one that was probably meant.</summary>
    private const int Near = 2;

    /// <summary>Longer keys are no misspelling, and not worth the time.</summary>
    private const int MaxMisspelled = 50;

    public string HintFor(string unknown)
    {
        string? meant = unknown.Length > MaxMisspelled ? null : Types.Keys.MinBy(key => Distance(unknown, key));
        string hint = $"unknown key {Literal.Quote(unknown)}";
        return meant is not null && Distance(unknown, meant) <= Near ? $"{hint}, did you mean '{meant}'?" : hint;
    }

    /// <summary>The number of letters to insert, drop or replace (Levenshtein).</summary>
    private static int Distance(string left, string right)
    {
        int[] row = [.. Enumerable.Range(0, right.Length + 1)];
        for (int i = 1; i <= left.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.Length; j++)
            {
                int replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[right.Length];
    }
}
