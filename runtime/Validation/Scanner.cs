using System.Text.Unicode;
using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Rules;

namespace ProtocolArc.Runtime.Validation;

/// <summary>
/// One pass over UTF-8 bytes that walks the places of a contract as it goes. It may only accept: every method
/// returns false when it is not sure, and then the reference parser and the exact rules decide.
/// </summary>
internal ref struct Scanner
{
    private readonly ReadOnlySpan<byte> _data;
    private readonly KeySet _keys;
    private int _at;

    /// <summary>Containers that are open.</summary>
    private int _depth;

    /// <summary>Turns false for good where the document is in doubt.</summary>
    private bool _isSure = true;

    private Scanner(ReadOnlySpan<byte> data)
    {
        _data = data;
        _keys = KeySet.Rent();
    }

    /// <summary>Tell whether a document is certainly an envelope, or a bare body, without a finding.</summary>
    public static bool Accepts(ReadOnlySpan<byte> document, Place root, EnvelopeCheck[] checks, bool isBody)
    {
        if (JsonProfile.IsOversize(document))
        {
            return false;
        }

        var scanner = new Scanner(document);
        EnvelopeSummary summary = default;
        if (!(isBody ? scanner.Data(root, ref summary) : scanner.Envelope(root, ref summary)) || !scanner.IsAtEnd())
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

    /// <summary>Collect where the items of an array are; false when it is not certainly a well-formed array.</summary>
    public static bool TryItems(ReadOnlySpan<byte> document, List<Range> items)
    {
        var scanner = new Scanner(document);
        int count = 0;
        if (!scanner.Open('['))
        {
            return false;
        }

        while (scanner.NextItem(ref count))
        {
            scanner.Peek();
            int start = scanner._at;
            if (!scanner.Value(null))
            {
                return false;
            }

            items.Add(start..scanner._at);
        }

        return scanner._isSure && scanner.IsAtEnd();
    }

    private bool Envelope(Place root, ref EnvelopeSummary summary)
    {
        bool hasData = false;
        if (!Open('{'))
        {
            return false;
        }

        KeySet.Scope keys = _keys.Open(_depth - 1);
        while (NextMember(ref keys, out ReadOnlySpan<byte> key, out _))
        {
            bool isGood = key switch
            {
                _ when key.SequenceEqual("data"u8) => hasData = Data(root, ref summary),
                _ when key.SequenceEqual("contract"u8) => summary.HasContract = PlainString(out summary.Contract),
                _ when key.SequenceEqual("revision"u8) => summary.HasRevision = PlainString(out summary.Revision),
                _ => Value(null),
            };
            if (!isGood)
            {
                return false;
            }
        }

        return _isSure && hasData && summary.HasContract;
    }

    private bool Data(Place root, ref EnvelopeSummary summary) =>
        Peek() == '{' && Object(root, out summary.UndeclaredKeys);

    private bool PlainString(out ReadOnlySpan<byte> text)
    {
        Token token = default;
        bool isPlain = Peek() == '"' && String(out token) && token.IsPlain;
        text = token.Text;
        return isPlain;
    }

    /// <summary>Read any value; without a place, only its syntax matters.</summary>
    private bool Value(Place? place)
    {
        switch (Peek())
        {
            case '{':
                return (place is null || place.Accepts(new(Atoms.Object))) && Object(place, out _);
            case '[':
                return (place is null || place.Accepts(new(Atoms.Array))) && Array(place?.EachItem);
            default:
                return Scalar(out Token token) && (place is null || place.Accepts(token));
        }
    }

    /// <summary>Read an object. Its keys differ, so that counting the demanded members is enough.</summary>
    private bool Object(Place? place, out int undeclared)
    {
        int missing = place?.DemandedMembers ?? 0;
        undeclared = 0;
        if (!Open('{'))
        {
            return false;
        }

        KeySet.Scope keys = _keys.Open(_depth - 1);
        while (NextMember(ref keys, out ReadOnlySpan<byte> key, out ulong hash))
        {
            Place? member = place?.Find(key, hash);
            Place? each = place?.EachValue;
            undeclared += member is null ? 1 : 0;
            missing -= member is { IsDemanded: true } ? 1 : 0;
            int start = _at;
            if (!Value(member ?? each))
            {
                return false;
            }

            if (member is not null && each is not null) // a map speaks of its named members as well
            {
                _at = start;
                if (!Value(each))
                {
                    return false;
                }
            }
        }

        return _isSure && missing == 0;
    }

    private bool Array(Place? each)
    {
        int count = 0;
        if (!Open('['))
        {
            return false;
        }

        while (NextItem(ref count))
        {
            if (!Value(each))
            {
                return false;
            }
        }

        return _isSure;
    }

    /// <summary>Go to the next item of an array; false behind the last one, or in doubt.</summary>
    private bool NextItem(ref int count) => !Closes(']') && (count++ == 0 || Expect(','));

    /// <summary>Go to the value of the next member of an object; false behind the last one, or in doubt.</summary>
    private bool NextMember(ref KeySet.Scope keys, out ReadOnlySpan<byte> key, out ulong hash)
    {
        key = default;
        hash = 0;
        if (Closes('}') || (keys.Count > 0 && !Expect(',')))
        {
            return false;
        }

        if (Peek() != '"' || !String(out Token name) || !name.IsPlain)
        {
            return Doubt();
        }

        key = name.Text;
        hash = Utf8Hash.Of(key);
        return _keys.TryAdd(ref keys, hash) ? Expect(':') : Doubt();
    }

    private bool Scalar(out Token token) => Peek() switch
    {
        '"' => String(out token),
        't' => Word("true"u8, Atoms.True, out token),
        'f' => Word("false"u8, Atoms.False, out token),
        'n' => Word("null"u8, Atoms.Null, out token),
        _ => Number(out token),
    };

    private bool String(out Token token)
    {
        int start = ++_at;
        bool isPlain = true;
        token = default;
        while (true)
        {
            ReadOnlySpan<byte> rest = _data[_at..];
            int plain = JsonGrammar.PlainLength(rest);
            if (plain == rest.Length)
            {
                return Doubt();
            }

            _at += plain;
            int length;
            switch (rest[plain])
            {
                case (byte)'"':
                    token = new(Atoms.String, _data[start.._at], isPlain);
                    _at++;
                    return true;
                case (byte)'\\':
                    length = JsonGrammar.EscapeLength(rest[plain..], out char first, out char second);
                    if (length == 0 || (char.IsSurrogate(first) && second == '\0'))
                    {
                        return Doubt();
                    }

                    isPlain = false;
                    break;
                case >= 0x80:
                    length = JsonGrammar.NonAsciiLength(rest[plain..]);
                    if (!Utf8.IsValid(rest.Slice(plain, length)))
                    {
                        return Doubt();
                    }

                    break;
                default:
                    return Doubt();
            }

            _at += length;
        }
    }

    private bool Number(out Token token)
    {
        int length = JsonGrammar.NumberLength(_data[_at..], out bool isWhole);
        ReadOnlySpan<byte> source = _data.Slice(_at, length);
        token = default;
        if (length == 0 || (isWhole ? length > JsonProfile.MaxNumberBytes : ExactNumber.ExceedsLimits(source)))
        {
            return Doubt();
        }

        token = new(isWhole || ExactNumber.IsIntegral(source) ? Atoms.Integer : Atoms.Fraction, source);
        _at += length;
        return true;
    }

    private bool Word(ReadOnlySpan<byte> word, Atoms atom, out Token token)
    {
        token = new(atom);
        if (!_data[_at..].StartsWith(word))
        {
            return Doubt();
        }

        _at += word.Length;
        return true;
    }

    private bool Open(char bracket)
    {
        _depth++;
        return _depth <= JsonProfile.MaxDepth ? Expect(bracket) : Doubt();
    }

    private bool Closes(char bracket)
    {
        if (Peek() != bracket)
        {
            return false;
        }

        _at++;
        _depth--;
        return true;
    }

    private bool Expect(char wanted)
    {
        if (Peek() != wanted)
        {
            return Doubt();
        }

        _at++;
        return true;
    }

    /// <summary>The next byte that is no blank, or -1 at the end.</summary>
    private int Peek()
    {
        while (_at < _data.Length)
        {
            byte next = _data[_at];
            if (!JsonProfile.IsBlank(next))
            {
                return next;
            }

            _at++;
        }

        return -1;
    }

    private bool IsAtEnd() => Peek() < 0;

    private bool Doubt()
    {
        _isSure = false;
        return false;
    }
}
