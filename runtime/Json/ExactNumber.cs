using System.Globalization;

namespace ProtocolArc.Runtime.Json;

/// <summary>Exact decimals from the source text of JSON numbers, never a binary float.</summary>
internal static class ExactNumber
{
    /// <summary>Tell whether a well-formed number is beyond what the profile accepts.</summary>
    public static bool ExceedsLimits(ReadOnlySpan<byte> source)
    {
        if (source.Length > JsonProfile.MaxNumberBytes)
        {
            return true;
        }

        int mark = source.IndexOfAny((byte)'e', (byte)'E');
        return mark >= 0 && source[(mark + 1)..].TrimStart("+-"u8).TrimStart((byte)'0').Length > JsonProfile.MaxExponentDigits;
    }

    /// <summary>Tell whether the exact value of a number within the limits is an integer.</summary>
    public static bool IsIntegral(ReadOnlySpan<byte> source)
    {
        int mark = source.IndexOfAny((byte)'e', (byte)'E');
        ReadOnlySpan<byte> mantissa = mark < 0 ? source : source[..mark];
        int point = mantissa.IndexOf((byte)'.');
        ReadOnlySpan<byte> whole = point < 0 ? mantissa : mantissa[..point];
        ReadOnlySpan<byte> fraction = point < 0 ? [] : mantissa[(point + 1)..];
        int fractionDigits = fraction.TrimEnd((byte)'0').Length;
        int zeros = fractionDigits > 0 ? 0 : whole.Length - whole.TrimEnd((byte)'0').Length;
        bool isZero = fractionDigits == 0 && whole.Trim("-0"u8).IsEmpty;
        return isZero || Power(source, mark) + zeros >= fractionDigits;
    }

    /// <summary>Return the identity of a number: signed digits without a zero at either end, and an exponent.</summary>
    public static ScalarIdentity Identify(Atoms atom, string source)
    {
        int mark = source.AsSpan().IndexOfAny('e', 'E');
        string mantissa = mark < 0 ? source : source[..mark];
        int point = mantissa.IndexOf('.', StringComparison.Ordinal);
        int fractionDigits = point < 0 ? 0 : mantissa.Length - point - 1;
        string digits = mantissa.Replace(".", "", StringComparison.Ordinal).TrimStart('-').TrimStart('0');
        string stripped = digits.TrimEnd('0');
        if (stripped.Length == 0)
        {
            return new(Atoms.Integer, "0", 0);
        }

        long power = mark < 0 ? 0 : long.Parse(source.AsSpan(mark + 1), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        string sign = source[0] == '-' ? "-" : "";
        return new(atom, sign + stripped, power - fractionDigits + digits.Length - stripped.Length);
    }

    private static long Power(ReadOnlySpan<byte> source, int mark) => mark < 0
        ? 0
        : long.Parse(source[(mark + 1)..], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
}
