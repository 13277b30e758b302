using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace ProtocolArc.Runtime.Json;

/// <summary>
/// Goes through a document from left to right, without a tree. It may only accept: every method returns false when it
/// is not sure, and then the reference parser decides what is wrong, and where, if anything is. Of a document that it has
/// accepted, <paramref name="isKnownGood"/>, there is no doubt.
/// </summary>
internal ref struct JsonCursor(ReadOnlySpan<byte> data, bool isKnownGood = false)
{
    private readonly ReadOnlySpan<byte> _data = data;
    private readonly KeySet _keys = KeySet.Rent();
    private readonly bool _isKnownGood = isKnownGood;

    /// <summary>Containers that are open.</summary>
    private int _depth;

    /// <summary>The offset of the next byte that was not consumed.</summary>
    public int At { get; set; }

    /// <summary>Turns false for good where the document is in doubt.</summary>
    public bool IsSure { get; private set; } = true;

    /// <summary>The next byte that is no blank, or -1 at the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Peek()
    {
        int at = At;
        return at < _data.Length && _data[at] > ' ' ? _data[at] : PeekBehindBlanks();
    }

    /// <summary>Tell whether nothing but blanks is left.</summary>
    public bool IsAtEnd() => Peek() < 0;

    /// <summary>Pass over any value.</summary>
    public bool Skip()
    {
        switch (Peek())
        {
            case '{':
                if (OpenObject(out KeySet.Scope keys))
                {
                    while (NextMember(ref keys, out _, out _) && Skip())
                    {
                    }
                }

                return IsSure;
            case '[':
                if (OpenArray())
                {
                    for (int count = 0; NextItem(ref count) && Skip();)
                    {
                    }
                }

                return IsSure;
            default:
                return Scalar(out _);
        }
    }

    public bool OpenArray() => Open('[');

    public bool OpenObject(out KeySet.Scope keys)
    {
        bool isOpen = Open('{');
        keys = isOpen ? _keys.Open(_depth - 1) : default;
        return isOpen;
    }

    /// <summary>Go to the next item of an array; false behind the last one, or in doubt.</summary>
    public bool NextItem(ref int count) => !Closes(']') && (count++ == 0 || Expect(','));

    /// <summary>Go to the value of the next member of an object; false behind the last one, or in doubt.</summary>
    public bool NextMember(ref KeySet.Scope keys, out ReadOnlySpan<byte> key, out ulong hash)
    {
        key = default;
        hash = 0;
        if (Closes('}') || (keys.Count > 0 && !Expect(',')))
        {
            return false;
        }

        if (Peek() != '"' || !String(out Token name))
        {
            return Doubt();
        }

        key = name.IsPlain ? name.Text : Encoding.UTF8.GetBytes(name.Content());
        hash = Utf8Hash.Of(key);
        if (_isKnownGood)
        {
            keys.Count++;
        }
        else if (!_keys.TryAdd(ref keys, hash))
        {
            return Doubt();
        }

        return Expect(':');
    }

    /// <summary>Read a value that is no container.</summary>
    public bool Scalar(out Token token) => Peek() switch
    {
        '"' => String(out token),
        't' => Word("true"u8, Atoms.True, out token),
        'f' => Word("false"u8, Atoms.False, out token),
        'n' => Word("null"u8, Atoms.Null, out token),
        _ => Number(out token),
    };

    private bool String(out Token token)
    {
        int start = ++At;
        ReadOnlySpan<byte> rest = _data[start..];
        int plain = JsonGrammar.PlainLength(rest);
        if (plain < rest.Length && rest[plain] == '"') // as most strings are
        {
            At += plain + 1;
            token = new(Atoms.String, rest[..plain]);
            return true;
        }

        return SpelledString(start, out token);
    }

    /// <summary>Read a string that holds escapes or characters outside ASCII.</summary>
    private bool SpelledString(int start, out Token token)
    {
        bool isPlain = true;
        token = default;
        while (true)
        {
            ReadOnlySpan<byte> rest = _data[At..];
            int plain = JsonGrammar.PlainLength(rest);
            if (plain == rest.Length)
            {
                return Doubt();
            }

            At += plain;
            int length;
            switch (rest[plain])
            {
                case (byte)'"':
                    token = new(Atoms.String, _data[start..At], isPlain);
                    At++;
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

            At += length;
        }
    }

    private bool Number(out Token token)
    {
        int length = JsonGrammar.NumberLength(_data[At..], out bool isWhole);
        ReadOnlySpan<byte> source = _data.Slice(At, length);
        token = default;
        if (length == 0 || (isWhole ? length > JsonProfile.MaxNumberBytes : ExactNumber.ExceedsLimits(source)))
        {
            return Doubt();
        }

        token = new(isWhole || ExactNumber.IsIntegral(source) ? Atoms.Integer : Atoms.Fraction, source);
        At += length;
        return true;
    }

    private bool Word(ReadOnlySpan<byte> word, Atoms atom, out Token token)
    {
        token = new(atom);
        if (!_data[At..].StartsWith(word))
        {
            return Doubt();
        }

        At += word.Length;
        return true;
    }

    private bool Open(char bracket)
    {
        _depth++;
        return _depth <= JsonProfile.MaxDepth ? Expect(bracket) : Doubt();
    }

    private int PeekBehindBlanks()
    {
        while (At < _data.Length)
        {
            byte next = _data[At];
            if (!JsonProfile.IsBlank(next))
            {
                return next;
            }

            At++;
        }

        return -1;
    }

    private bool Closes(char bracket)
    {
        if (Peek() != bracket)
        {
            return false;
        }

        At++;
        _depth--;
        return true;
    }

    private bool Expect(char wanted)
    {
        if (Peek() != wanted)
        {
            return Doubt();
        }

        At++;
        return true;
    }

    private bool Doubt()
    {
        IsSure = false;
        return false;
    }
}
