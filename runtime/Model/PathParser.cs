using System.Globalization;
using System.Text;

namespace ProtocolArc.Runtime.Model;

/// <summary>A text that is no path.</summary>
internal sealed class PathFormatException(string reason, int position) : Exception($"{reason} at character {position}");

/// <summary>The grammar of field paths: a subset of RFC 9535 (JSONPath) without the leading <c>$</c>.</summary>
internal ref struct PathParser
{
    /// <summary>Steps of the longest path: no document of the JSON profile is nested deeper.</summary>
    private const int MaxSteps = 64;

    private readonly string _text;
    private int _at;

    private PathParser(string text) => _text = text;

    /// <summary>Parse the text of a path.</summary>
    /// <exception cref="PathFormatException">The text does not follow the grammar, or has too many steps.</exception>
    public static Step[] Parse(string text) => new PathParser(text).Path();

    /// <summary>Tell whether a character may stand in quotes only.</summary>
    public static bool IsReserved(char unit) => unit is '.' or '[' or ']' or '\'' or '*' or '\\';

    private Step[] Path()
    {
        List<Step> steps = [Step.Member(Segment())];
        while (_at < _text.Length)
        {
            if (steps.Count == MaxSteps)
            {
                throw new PathFormatException($"more than {MaxSteps} steps, deeper than any document", _at);
            }

            steps.Add(Next());
        }

        return [.. steps];
    }

    private Step Next()
    {
        if (Consume("[*]"))
        {
            return Step.EachItem;
        }

        if (Consume(".*"))
        {
            return Step.EachValue;
        }

        if (Consume(".") || _text[_at] == '[')
        {
            return Step.Member(Segment());
        }

        throw new PathFormatException("expected '.', '[*]', '.*' or ['...']", _at);
    }

    /// <summary>Read a bare or quoted segment; return its key.</summary>
    private string Segment()
    {
        int start = _at;
        if (Consume("['"))
        {
            string key = Quoted();
            if (Consume("']"))
            {
                return HasLoneSurrogate(key) ? throw new PathFormatException("surrogate escape without its partner", start) : key;
            }
        }
        else if (_at < _text.Length && _text[_at] != '@')
        {
            while (_at < _text.Length && !IsReserved(_text[_at]) && !char.IsControl(_text[_at]))
            {
                _at++;
            }

            if (_at > start)
            {
                return _text[start.._at];
            }
        }

        throw new PathFormatException("expected a name or ['...']", start);
    }

    /// <summary>Read up to what cannot stand in quotes, escapes resolved.</summary>
    private string Quoted()
    {
        var key = new StringBuilder();
        while (_at < _text.Length && _text[_at] != '\'' && !char.IsControl(_text[_at]))
        {
            if (_text[_at] != '\\')
            {
                key.Append(_text[_at++]);
            }
            else if (Escape() is char unit)
            {
                key.Append(unit);
            }
            else
            {
                break;
            }
        }

        return key.ToString();
    }

    private char? Escape()
    {
        char letter = _at + 1 < _text.Length ? _text[_at + 1] : '\0';
        if (letter == 'u')
        {
            ReadOnlySpan<char> digits = _text.AsSpan(_at + 2, Math.Min(4, _text.Length - _at - 2));
            if (digits.Length < 4 || !ushort.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort value))
            {
                return null;
            }

            _at += 6;
            return (char)value;
        }

        char? unit = letter switch
        {
            'b' => '\b',
            't' => '\t',
            'n' => '\n',
            'f' => '\f',
            'r' => '\r',
            '\\' or '\'' => letter,
            _ => null,
        };
        _at += unit is null ? 0 : 2;
        return unit;
    }

    private bool Consume(string token)
    {
        if (string.CompareOrdinal(_text, _at, token, 0, token.Length) != 0)
        {
            return false;
        }

        _at += token.Length;
        return true;
    }

    private static bool HasLoneSurrogate(string key)
    {
        for (int at = 0; at < key.Length; at++)
        {
            if (char.IsSurrogate(key[at]))
            {
                if (at + 1 == key.Length || !char.IsSurrogatePair(key[at], key[at + 1]))
                {
                    return true;
                }

                at++;
            }
        }

        return false;
    }
}
