using System.Buffers.Binary;

namespace ProtocolArc.Runtime.Json;

/// <summary>A fast hash of UTF-8 text. It is seeded per process, because the text may be chosen by an adversary.</summary>
internal static class Utf8Hash
{
    private static readonly ulong SeedA = (ulong)Random.Shared.NextInt64();
    private static readonly ulong SeedB = (ulong)Random.Shared.NextInt64();

    public static ulong Of(ReadOnlySpan<byte> text)
    {
        ulong hash = SeedB ^ unchecked((ulong)text.Length * SeedA);
        while (text.Length > 16)
        {
            hash = Fold(Read8(text) ^ SeedA, Read8(text[8..]) ^ hash);
            text = text[16..];
        }

        // The last 16 bytes at most, in two words that may overlap.
        (ulong first, ulong last) = text.Length switch
        {
            >= 8 => (Read8(text), Read8(text[^8..])),
            >= 4 => (Read4(text), Read4(text[^4..])),
            0 => (0UL, 0UL),
            _ => (text[0] | ((ulong)text[text.Length / 2] << 8), text[^1]),
        };
        return Fold(first ^ SeedA, last ^ hash);
    }

    /// <summary>Mix two words into one: both halves of their product.</summary>
    private static ulong Fold(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left, right, out ulong low);
        return high ^ low;
    }

    private static ulong Read8(ReadOnlySpan<byte> text) => BinaryPrimitives.ReadUInt64LittleEndian(text);

    private static ulong Read4(ReadOnlySpan<byte> text) => BinaryPrimitives.ReadUInt32LittleEndian(text);
}
