using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace ProtocolArc.Runtime.Json;

/// <summary>A fast hash of UTF-8 text. It is seeded per process, because the text may be chosen by an adversary.</summary>
internal static class Utf8Hash
{
    private static readonly ulong Start = (ulong)Random.Shared.NextInt64();
    private static readonly ulong Factor = (ulong)Random.Shared.NextInt64() | 1;

    public static ulong Of(ReadOnlySpan<byte> text)
    {
        ulong factor = Factor, hash = Start ^ (ulong)text.Length;
        while (text.Length > 16)
        {
            hash = Mix(hash ^ Read8(text), factor);
            text = text[8..];
        }

        // The last 16 bytes at most, in two words that may overlap.
        (ulong first, ulong last) = text.Length switch
        {
            >= 8 => (Read8(text), Read8(text[^8..])),
            >= 4 => (Read4(text), Read4(text[^4..])),
            0 => (0UL, 0UL),
            _ => (text[0] | ((ulong)text[text.Length / 2] << 8), text[^1]),
        };
        return Mix(Mix(hash ^ first, factor) ^ last, factor);
    }

    /// <summary>Spread each bit of a word over all others.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong word, ulong factor)
    {
        ulong product = unchecked((word ^ (word >> 32)) * factor);
        return product ^ (product >> 29);
    }

    private static ulong Read8(ReadOnlySpan<byte> text) => BinaryPrimitives.ReadUInt64LittleEndian(text);

    private static ulong Read4(ReadOnlySpan<byte> text) => BinaryPrimitives.ReadUInt32LittleEndian(text);
}
