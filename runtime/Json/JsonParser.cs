using System.Buffers;
using System.Text;

namespace ProtocolArc.Runtime.Json;

/// <summary>
/// The JSON profile as code: an iterative parser from bytes to values that know where they stand. It scans from
/// left to right and stops at the first violation. This is the reference; the scanner may only accept what it accepts.
/// </summary>
internal ref struct JsonParser
{
    private static readonly SearchValues<byte> NumberBytes = SearchValues.Create("0123456789+-.eE"u8);

    private readonly ReadOnlySpan<byte> _data;

    /// <summary>The offset of the next byte that was not consumed.</summary>
    private int _at;

    private JsonParser(ReadOnlySpan<byte> data) => _data = data;

    /// <summary>Parse one document.</summary>
    /// <exception cref="JsonFormatException">The document is outside the JSON profile.</exception>
    public static JsonValue Parse(ReadOnlySpan<byte> data)
    {
        if (JsonProfile.IsOversize(data))
        {
            throw new JsonFormatException(JsonProfile.InputSize, 0);
        }

        if (data.StartsWith(JsonProfile.ByteOrderMark))
        {
            throw new JsonFormatException(JsonProfile.Bom, 0);
        }

        return new JsonParser(data).Document();
    }

    /// <summary>Read the only value: an explicit stack of open containers, so that depth costs no recursion.</summary>
    private JsonValue Document()
    {
        SkipBlanks();
        JsonValue root = Value(depth: 0);
        var open = new Stack<JsonValue>();
        JsonValue current = root;
        while (true)
        {
            if ((current.Atom & Atoms.Containers) != 0 && !Closes(current, first: true))
            {
                open.Push(current);
                current = Member(current, open.Count);
                continue;
            }

            while (open.Count > 0 && Closes(open.Peek(), first: false))
            {
                open.Pop();
            }

            if (open.Count == 0)
            {
                break;
            }

            current = Member(open.Peek(), open.Count);
        }

        SkipBlanks();
        return _at == _data.Length ? root : throw Unexpected();
    }

    /// <summary>Consume the end of a container, or the comma before its next member, which the first one lacks.</summary>
    private bool Closes(JsonValue container, bool first)
    {
        SkipBlanks();
        if (Peek() == (container.Atom == Atoms.Object ? '}' : ']'))
        {
            container.End = ++_at;
            return true;
        }

        if (!first)
        {
            Expect(',');
        }

        return false;
    }

    private JsonValue Member(JsonValue container, int depth)
    {
        SkipBlanks();
        JsonValue item;
        if (container.Atom == Atoms.Array)
        {
            item = Value(depth);
            container.Items.Add(item);
            return item;
        }

        int start = _at;
        Expect('"');
        string key = String();
        if (container.Members.ContainsKey(key))
        {
            throw new JsonFormatException(JsonProfile.DuplicateKey, start);
        }

        SkipBlanks();
        Expect(':');
        SkipBlanks();
        item = Value(depth);
        container.Members.Add(key, new(start, item));
        return item;
    }

    /// <summary>Read a scalar, or open a container inside <paramref name="depth"/> others.</summary>
    private JsonValue Value(int depth)
    {
        int start = _at, first = Peek();
        if (first is '{' or '[')
        {
            if (depth == JsonProfile.MaxDepth)
            {
                throw new JsonFormatException(JsonProfile.Depth, start);
            }

            _at++;
            return new(first == '{' ? Atoms.Object : Atoms.Array, start);
        }

        JsonValue scalar;
        if (first == '"')
        {
            _at++;
            scalar = new(Atoms.String, start, String());
        }
        else if (first == '-' || (first >= 0 && char.IsAsciiDigit((char)first)))
        {
            scalar = Number();
        }
        else if (first >= 0 && char.IsAsciiLetter((char)first))
        {
            scalar = new(Word(), start);
        }
        else
        {
            throw Unexpected();
        }

        scalar.End = _at;
        return scalar;
    }

    private JsonValue Number()
    {
        ReadOnlySpan<byte> rest = _data[_at..];
        int end = rest.IndexOfAnyExcept(NumberBytes);
        ReadOnlySpan<byte> run = end < 0 ? rest : rest[..end];
        if (JsonGrammar.NumberLength(run, out _) != run.Length)
        {
            throw new JsonFormatException(JsonProfile.Syntax, _at);
        }

        if (ExactNumber.ExceedsLimits(run))
        {
            throw new JsonFormatException(JsonProfile.NumberLimit, _at);
        }

        Atoms atom = ExactNumber.IsIntegral(run) ? Atoms.Integer : Atoms.Fraction;
        JsonValue number = new(atom, _at, Encoding.ASCII.GetString(run));
        _at += run.Length;
        return number;
    }

    private Atoms Word()
    {
        int length = 0;
        ReadOnlySpan<byte> rest = _data[_at..];
        while (length < rest.Length && char.IsAsciiLetter((char)rest[length]))
        {
            length++;
        }

        ReadOnlySpan<byte> run = rest[..length];
        Atoms atom = run.SequenceEqual("true"u8) ? Atoms.True
            : run.SequenceEqual("false"u8) ? Atoms.False
            : run.SequenceEqual("null"u8) ? Atoms.Null
            : throw new JsonFormatException(JsonProfile.Syntax, _at);
        _at += length;
        return atom;
    }

    /// <summary>Read the rest of a string whose opening quote is consumed.</summary>
    private string String()
    {
        int start = _at;
        while (true)
        {
            _at += JsonGrammar.PlainLength(_data[_at..]);
            switch (Peek())
            {
                case '"':
                    return JsonGrammar.Decode(_data[start.._at++]);
                case '\\':
                    SkipEscape();
                    break;
                case >= 0x80:
                    SkipNonAscii();
                    break;
                default: // a raw control, or the end of the input
                    throw new JsonFormatException(JsonProfile.Syntax, _at);
            }
        }
    }

    private void SkipEscape()
    {
        int length = JsonGrammar.EscapeLength(_data[_at..], out char first, out char second);
        if (length == 0)
        {
            throw new JsonFormatException(JsonProfile.Syntax, _at);
        }

        if (char.IsSurrogate(first) && second == '\0')
        {
            throw new JsonFormatException(JsonProfile.Surrogate, _at);
        }

        _at += length;
    }

    private void SkipNonAscii()
    {
        while (Peek() >= 0x80)
        {
            if (Rune.DecodeFromUtf8(_data[_at..], out _, out int length) != OperationStatus.Done)
            {
                throw new JsonFormatException(JsonProfile.Utf8, _at);
            }

            _at += length;
        }
    }

    private void SkipBlanks()
    {
        while (_at < _data.Length && JsonProfile.IsBlank(_data[_at]))
        {
            _at++;
        }
    }

    /// <summary>The next byte, or -1 at the end of the input.</summary>
    private readonly int Peek() => _at < _data.Length ? _data[_at] : -1;

    private void Expect(char wanted)
    {
        if (Peek() != wanted)
        {
            throw Unexpected();
        }

        _at++;
    }

    /// <summary>Name the byte that stands where it may not; the end of the input is at its length.</summary>
    private readonly JsonFormatException Unexpected()
    {
        bool isUtf8 = Peek() < 0x80 || Rune.DecodeFromUtf8(_data[_at..], out _, out _) == OperationStatus.Done;
        return new(isUtf8 ? JsonProfile.Syntax : JsonProfile.Utf8, _at);
    }
}
