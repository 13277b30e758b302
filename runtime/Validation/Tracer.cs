using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Rules;

namespace ProtocolArc.Runtime.Validation;

/// <summary>The exact twin of the scanner: walks a tree and finds everything that the rules have to say.</summary>
internal sealed class Tracer(FindingList findings)
{
    /// <summary>The steps from the data to the value that is looked at.</summary>
    private readonly List<Step> _at = [];

    /// <summary>Find what there is about a present value and all below it; per declared path in document order.</summary>
    public void Trace(Place place, JsonValue value)
    {
        foreach ((ValueRule rule, ValueCheck check) in place.Checks)
        {
            if (check.Message(value) is string message)
            {
                findings.Add(rule.Info, place.Name, _at, message);
                if (rule.IsDecisive)
                {
                    break;
                }
            }
        }

        if (value.Atom == Atoms.Object || !place.IsDeclared)
        {
            // An undeclared container counts as an object; what is none lacks its members.
            TraceMembers(place, value.Members);
        }

        if (place.EachItem is not null)
        {
            for (int index = 0; index < value.Items.Count; index++)
            {
                TraceBelow(place.EachItem, value.Items[index], Step.At(index));
            }
        }
    }

    private void TraceMembers(Place place, OrderedDictionary<string, JsonMember> members)
    {
        foreach ((string key, Place member) in place.Members)
        {
            if (members.TryGetValue(key, out JsonMember present))
            {
                TraceBelow(member, present.Value, Step.Member(key));
            }
            else
            {
                TraceMissing(member, key);
            }
        }

        if (place.EachValue is not null)
        {
            foreach ((string key, JsonMember present) in members)
            {
                TraceBelow(place.EachValue, present.Value, Step.Member(key));
            }
        }
    }

    private void TraceBelow(Place place, JsonValue value, Step step)
    {
        _at.Add(step);
        Trace(place, value);
        _at.RemoveAt(_at.Count - 1);
    }

    private void TraceMissing(Place place, string key)
    {
        _at.Add(Step.Member(key));
        if (place.IsDeclared)
        {
            foreach ((MissingRule rule, string message) in place.Absences)
            {
                findings.Add(rule.Info, place.Name, _at, message);
            }
        }
        else if (place.IsDemanded)
        {
            foreach ((string below, Place member) in place.Members)
            {
                TraceMissing(member, below);
            }
        }

        _at.RemoveAt(_at.Count - 1);
    }
}
