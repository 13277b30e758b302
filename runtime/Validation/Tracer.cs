using System.Text;
using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Rules;

namespace ProtocolArc.Runtime.Validation;

/// <summary>
/// The twin of the scanner for documents of which there is something to say: goes through the same places, knows where
/// it is, and finds everything. Where the cursor is in doubt it gives nothing, and the reference parser has to look first.
/// </summary>
internal ref struct Tracer
{
    private readonly FindingList _findings = new();

    /// <summary>The steps from the data to the value that is looked at.</summary>
    private readonly List<Step> _at = [];
    private readonly List<string> _undeclared = [];
    private JsonCursor _cursor;

    private Tracer(ReadOnlySpan<byte> document, bool isKnownGood) => _cursor = new(document, isKnownGood);

    /// <summary>Return the findings of an envelope, or of a bare body, in their order; null when not sure that it is one.</summary>
    public static IReadOnlyList<Finding>? Trace(
        ReadOnlySpan<byte> document, Place root, (EnvelopeRule Rule, EnvelopeCheck Check)[] checks, bool isBody, bool isKnownGood)
    {
        var tracer = new Tracer(document, isKnownGood);
        string? contract = null, revision = null;
        if (!(isBody ? tracer.Object(root) : tracer.Members(root, out contract, out revision)) || !tracer._cursor.IsAtEnd())
        {
            return null;
        }

        var envelope = new Envelope(contract, revision, tracer._undeclared);
        foreach ((EnvelopeRule rule, EnvelopeCheck check) in checks)
        {
            tracer._findings.Add(rule.Info, check.Findings(envelope));
        }

        return tracer._findings.InOrder();
    }

    /// <summary>Read the members of an envelope; false as well when one is missing or of a wrong type.</summary>
    private bool Members(Place root, out string? contract, out string? revision)
    {
        bool hasData = false;
        contract = revision = null;
        if (!_cursor.OpenObject(out KeySet.Scope keys))
        {
            return false;
        }

        while (_cursor.NextMember(ref keys, out ReadOnlySpan<byte> key, out _))
        {
            bool isGood = key switch
            {
                _ when key.SequenceEqual("data"u8) => hasData = Object(root),
                _ when key.SequenceEqual("contract"u8) => String(out contract),
                _ when key.SequenceEqual("revision"u8) => String(out revision),
                _ => _cursor.Skip(),
            };
            if (!isGood)
            {
                return false;
            }
        }

        return _cursor.IsSure && hasData && contract is not null;
    }

    private bool String(out string? text)
    {
        text = _cursor.Scalar(out Token token) && token.Atom == Atoms.String ? token.Content() : null;
        return text is not null;
    }

    /// <summary>Find what there is about a value and all below it; per declared path in document order.</summary>
    private bool Value(Place place)
    {
        int first = _cursor.Peek();
        Token token = new(first == '{' ? Atoms.Object : Atoms.Array);
        if (first is not ('{' or '[') && !_cursor.Scalar(out token))
        {
            return false;
        }

        foreach ((ValueRule rule, ValueCheck check) in place.Checks)
        {
            if (!check.Accepts(token) && check.Message(new(token.Atom, 0, token.Content())) is string message)
            {
                _findings.Add(rule.Info, place, _at, message);
                if (rule.IsDecisive)
                {
                    break;
                }
            }
        }

        if (first == '{')
        {
            return Object(place);
        }

        if (!place.IsDeclared)
        {
            // An undeclared container counts as an object; what is none lacks its members.
            Absent(place, []);
        }

        return first != '[' || Array(place);
    }

    private bool Object(Place place)
    {
        if (!_cursor.OpenObject(out KeySet.Scope keys))
        {
            return false;
        }

        bool[] seen = new bool[place.Members.Length];
        bool isData = _at.Count == 0;
        while (_cursor.NextMember(ref keys, out ReadOnlySpan<byte> key, out ulong hash))
        {
            Place? member = place.Find(key, hash);
            int start = _cursor.At;
            if (member is not null)
            {
                seen[member.Index] = true;
                if (!Below(member, Step.Member(member.Key)))
                {
                    return false;
                }
            }
            else if (isData)
            {
                _undeclared.Add(Encoding.UTF8.GetString(key));
            }

            if (place.EachValue is not null) // a map speaks of its named members as well
            {
                _cursor.At = start;
                if (!Below(place.EachValue, Step.Member(Encoding.UTF8.GetString(key))))
                {
                    return false;
                }
            }
            else if (member is null && !_cursor.Skip())
            {
                return false;
            }
        }

        Absent(place, seen);
        return _cursor.IsSure;
    }

    private bool Array(Place place)
    {
        if (!_cursor.OpenArray())
        {
            return false;
        }

        int count = 0;
        while (_cursor.NextItem(ref count))
        {
            if (!(place.EachItem is null ? _cursor.Skip() : Below(place.EachItem, Step.At(count - 1))))
            {
                return false;
            }
        }

        return _cursor.IsSure;
    }

    private bool Below(Place place, Step step)
    {
        _at.Add(step);
        bool isGood = Value(place);
        _at.RemoveAt(_at.Count - 1);
        return isGood;
    }

    /// <summary>Find what there is about the named members that were not seen.</summary>
    private void Absent(Place place, ReadOnlySpan<bool> seen)
    {
        foreach (Place member in place.Members)
        {
            if (!member.IsDemanded || (member.Index < seen.Length && seen[member.Index]))
            {
                continue;
            }

            _at.Add(Step.Member(member.Key));
            foreach ((MissingRule rule, string message) in member.Absences)
            {
                _findings.Add(rule.Info, member, _at, message);
            }

            if (!member.IsDeclared)
            {
                Absent(member, []);
            }

            _at.RemoveAt(_at.Count - 1);
        }
    }
}
