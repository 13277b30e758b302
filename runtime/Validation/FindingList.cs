using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Rules;

namespace ProtocolArc.Runtime.Validation;

/// <summary>The findings of one envelope, bounded in number: of one rule on one declared path the first are kept.</summary>
internal sealed class FindingList
{
    private const int MaxPerRule = 100;

    private readonly List<Placed> _kept = [];

    /// <summary>How many findings of each rule there are on each declared path. The key is the id: all that a rule tells is slow to hash.</summary>
    private readonly OrderedDictionary<(string Id, string Declared), (RuleInfo Rule, int Count)> _counts = [];

    /// <summary>Add a finding about a field, in document order.</summary>
    public void Add(RuleInfo rule, Place place, List<Step> instance, string message)
    {
        string declared = place.Name;
        if (place.IsSingle)
        {
            Keep(rule, declared, [], declared, message);
            return;
        }

        int count = _counts.GetValueOrDefault((rule.Id, declared)).Count + 1;
        _counts[(rule.Id, declared)] = (rule, count);
        if (count <= MaxPerRule)
        {
            Keep(rule, declared, [.. instance], FieldPath.Render(instance), message);
        }
    }

    /// <summary>Add the findings of a rule about the envelope, in document order.</summary>
    public void Add(RuleInfo rule, IEnumerable<(string Field, string Message)> findings)
    {
        int count = 0;
        string last = "";
        foreach ((string field, string message) in findings)
        {
            if (++count <= MaxPerRule)
            {
                last = string.CompareOrdinal(field, last) > 0 ? field : last;
                Keep(rule, field, [], field, message);
            }
        }

        AddRest(rule, last, "*", count);
    }

    /// <summary>Return the findings in their order, with one more where some were left out.</summary>
    public IReadOnlyList<Finding> InOrder()
    {
        foreach (((_, string declared), (RuleInfo rule, int count)) in _counts)
        {
            AddRest(rule, declared, declared, count);
        }

        return _kept is [Placed only] ? [only.Finding] : [.. _kept.Order(FindingOrder.Instance).Select(placed => placed.Finding)];
    }

    private void Keep(RuleInfo rule, string declared, Step[] instance, string field, string message) =>
        _kept.Add(new(new(rule.Id, field, rule.Severity, message), declared, instance));

    private void AddRest(RuleInfo rule, string declared, string field, int count)
    {
        if (count > MaxPerRule)
        {
            var rest = new Finding(rule.Id, field, rule.Severity, $"... and {count - MaxPerRule} more");
            _kept.Add(new(rest, declared, [], IsRest: true));
        }
    }
}
