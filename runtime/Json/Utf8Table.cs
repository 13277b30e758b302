using System.Diagnostics.CodeAnalysis;
using System.Numerics;

namespace ProtocolArc.Runtime.Json;

/// <summary>An immutable table from UTF-8 text to a value, asked without allocation.</summary>
internal sealed class Utf8Table<T>
{
    private readonly Entry[] _slots;
    private readonly int _mask;

    public Utf8Table(IEnumerable<(byte[] Key, T Value)> pairs)
    {
        (byte[] Key, T Value)[] entries = [.. pairs];
        _slots = new Entry[BitOperations.RoundUpToPowerOf2((uint)(2 * entries.Length) + 1)];
        _mask = _slots.Length - 1;
        foreach ((byte[] key, T value) in entries)
        {
            ulong hash = Utf8Hash.Of(key);
            int slot = Home(hash);
            while (_slots[slot].Key is not null)
            {
                slot = (slot + 1) & _mask;
            }

            _slots[slot] = new(hash, key, value);
        }
    }

    /// <summary>Find the value of a key, whose hash the caller knows.</summary>
    public bool TryGet(ReadOnlySpan<byte> key, ulong hash, [MaybeNullWhen(false)] out T value)
    {
        for (int slot = Home(hash); _slots[slot].Key is byte[] candidate; slot = (slot + 1) & _mask)
        {
            if (_slots[slot].Hash == hash && key.SequenceEqual(candidate))
            {
                value = _slots[slot].Value;
                return true;
            }
        }

        value = default;
        return false;
    }

    private int Home(ulong hash) => (int)(hash & (uint)_mask);

    private readonly record struct Entry(ulong Hash, byte[]? Key, T Value);
}
