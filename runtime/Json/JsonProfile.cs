namespace ProtocolArc.Runtime.Json;

/// <summary>The limits and the codes of JSON profile 1.</summary>
internal static class JsonProfile
{
    public const int Version = 1;

    public const int MaxDocumentBytes = 16 * 1024 * 1024;

    /// <summary>A line feed and one carriage return, which do not count.</summary>
    public const int MaxEndingBytes = 2;

    public const int MaxDepth = 64;
    public const int MaxNumberBytes = 1000;

    /// <summary>Digits of an exponent, leading zeros aside.</summary>
    public const int MaxExponentDigits = 9;

    public const string InputSize = "input.size";
    public const string Bom = "json.bom";
    public const string Utf8 = "json.utf8";
    public const string Syntax = "json.syntax";
    public const string Surrogate = "json.surrogate";
    public const string DuplicateKey = "json.duplicate_key";
    public const string Depth = "json.depth";
    public const string NumberLimit = "json.number_limit";

    public static ReadOnlySpan<byte> ByteOrderMark => [0xEF, 0xBB, 0xBF];

    /// <summary>Tell whether a document is over the limit.</summary>
    public static bool IsOversize(ReadOnlySpan<byte> document)
    {
        int ending = document.EndsWith("\r\n"u8) ? 2 : document.EndsWith("\n"u8) ? 1 : 0;
        return document.Length - ending > MaxDocumentBytes;
    }

    public static bool IsBlank(byte value) => value is (byte)' ' or (byte)'\n' or (byte)'\r' or (byte)'\t';
}
