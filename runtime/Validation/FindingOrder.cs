using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Validation;

/// <summary>A finding with what places it among the others of its envelope.</summary>
/// <param name="Finding">The finding.</param>
/// <param name="Declared">The declared path.</param>
/// <param name="Instance">The concrete path.</param>
/// <param name="IsRest">True for <c>... and N more</c>, which stands after all instances of its declared path.</param>
internal sealed record Placed(Finding Finding, string Declared, Step[] Instance, bool IsRest = false);

/// <summary>The one order of findings: severity, declared path, instance, rule.</summary>
internal sealed class FindingOrder : IComparer<Placed>
{
    public static readonly FindingOrder Instance = new();

    public int Compare(Placed? x, Placed? y)
    {
        ArgumentNullException.ThrowIfNull(x);
        ArgumentNullException.ThrowIfNull(y);
        int order = x.Finding.Severity.CompareTo(y.Finding.Severity);
        order = order != 0 ? order : string.CompareOrdinal(x.Declared, y.Declared);
        order = order != 0 ? order : x.IsRest.CompareTo(y.IsRest);
        order = order != 0 ? order : Compare(x.Instance, y.Instance);
        return order != 0 ? order : string.CompareOrdinal(x.Finding.Rule, y.Finding.Rule);
    }

    /// <summary>Compare step by step: indices by number, keys by their rendered form. Instances of one path are of one length.</summary>
    private static int Compare(Step[] left, Step[] right)
    {
        for (int at = 0; at < Math.Min(left.Length, right.Length); at++)
        {
            int order = left[at].Index.CompareTo(right[at].Index);
            if (order == 0 && left[at].Key != right[at].Key)
            {
                order = string.CompareOrdinal(FieldPath.RenderKey(left[at].Key), FieldPath.RenderKey(right[at].Key));
            }

            if (order != 0)
            {
                return order;
            }
        }

        return left.Length.CompareTo(right.Length);
    }
}
