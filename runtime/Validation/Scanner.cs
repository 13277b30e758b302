using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Rules;

namespace ProtocolArc.Runtime.Validation;

/// <summary>
/// One pass over UTF-8 bytes that walks the places of a contract as it goes. It may only accept: every method returns
/// false when it is not sure, and then the reference parser and the exact rules decide.
/// </summary>
internal ref struct Scanner
{
    private JsonCursor _cursor;

    private Scanner(ReadOnlySpan<byte> document) => _cursor = new(document);

    /// <summary>Tell whether a document within the size limit is certainly an envelope, or a bare body, without a finding.</summary>
    public static bool Accepts(ReadOnlySpan<byte> document, Place root, EnvelopeCheck[] checks, bool isBody)
    {
        var scanner = new Scanner(document);
        EnvelopeSummary summary = default;
        bool isGood = isBody ? scanner.Data(root, ref summary) : scanner.Envelope(root, ref summary);
        if (!isGood || !scanner._cursor.IsAtEnd())
        {
            return false;
        }

        foreach (EnvelopeCheck check in checks)
        {
            if (!check.Accepts(summary))
            {
                return false;
            }
        }

        return true;
    }

    private bool Envelope(Place root, ref EnvelopeSummary summary)
    {
        bool hasData = false;
        if (!_cursor.OpenObject(out KeySet.Scope keys))
        {
            return false;
        }

        while (_cursor.NextMember(ref keys, out ReadOnlySpan<byte> key, out _))
        {
            bool isGood = key switch
            {
                _ when key.SequenceEqual("data"u8) => hasData = Data(root, ref summary),
                _ when key.SequenceEqual("contract"u8) => summary.HasContract = PlainString(out summary.Contract),
                _ when key.SequenceEqual("revision"u8) => summary.HasRevision = PlainString(out summary.Revision),
                _ => _cursor.Skip(),
            };
            if (!isGood)
            {
                return false;
            }
        }

        return _cursor.IsSure && hasData && summary.HasContract;
    }

    private bool Data(Place root, ref EnvelopeSummary summary) => Object(root, out summary.UndeclaredKeys);

    private bool PlainString(out ReadOnlySpan<byte> text)
    {
        bool isPlain = _cursor.Scalar(out Token token) && token is { Atom: Atoms.String, IsPlain: true };
        text = token.Text;
        return isPlain;
    }

    private bool Value(Place place) => _cursor.Peek() switch
    {
        '{' => place.Accepts(new(Atoms.Object)) && Object(place, out _),
        '[' => place.Accepts(new(Atoms.Array)) && Array(place),
        _ => _cursor.Scalar(out Token token) && place.Accepts(token),
    };

    /// <summary>Read an object. Its keys differ, so that counting the demanded members is enough.</summary>
    private bool Object(Place place, out int undeclared)
    {
        int missing = place.DemandedMembers;
        undeclared = 0;
        if (!_cursor.OpenObject(out KeySet.Scope keys))
        {
            return false;
        }

        while (_cursor.NextMember(ref keys, out ReadOnlySpan<byte> key, out ulong hash))
        {
            Place? member = place.Find(key, hash);
            undeclared += member is null ? 1 : 0;
            missing -= member is { IsDemanded: true } ? 1 : 0;
            int start = _cursor.At;
            if (!(member is null ? Any(place.EachValue) : Value(member)))
            {
                return false;
            }

            if (member is not null && place.EachValue is not null) // a map speaks of its named members as well
            {
                _cursor.At = start;
                if (!Value(place.EachValue))
                {
                    return false;
                }
            }
        }

        return _cursor.IsSure && missing == 0;
    }

    private bool Array(Place place)
    {
        if (!_cursor.OpenArray())
        {
            return false;
        }

        for (int count = 0; _cursor.NextItem(ref count);)
        {
            if (!Any(place.EachItem))
            {
                return false;
            }
        }

        return _cursor.IsSure;
    }

    /// <summary>Read a value of which nothing may be said.</summary>
    private bool Any(Place? place) => place is null ? _cursor.Skip() : Value(place);
}
