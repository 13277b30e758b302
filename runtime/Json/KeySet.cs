namespace ProtocolArc.Runtime.Json;

/// <summary>
/// The keys of the objects that are open, as hashes: enough to be sure that none stands twice. Equal hashes are not
/// proof of a duplicate, but reason enough to let the reference parser decide.
/// </summary>
internal sealed class KeySet
{
    /// <summary>Keys of one object that are compared one by one; further ones go into a table.</summary>
    private const int Few = 16;

    /// <summary>A table that one large document left behind is kept up to this size.</summary>
    private const int KeptSlots = 1 << 16;

    /// <summary>More keys than this are left to the reference parser: the same object may be read once for each path that speaks of it.</summary>
    private const int MaxInTable = 1 << 22;

    [ThreadStatic]
    private static KeySet? _ofThread;

    private readonly ulong[] _few = new ulong[JsonProfile.MaxDepth * Few];
    private ulong[] _table = [];
    private int _inTable;
    private uint _opened;

    /// <summary>Return the set of this thread, empty: scans do not nest, and most need no allocation.</summary>
    public static KeySet Rent()
    {
        KeySet keys = _ofThread ??= new();
        keys.Clear();
        return keys;
    }

    /// <summary>Begin an object inside so many others.</summary>
    public Scope Open(int depth)
    {
        _opened++;
        return new(depth * Few, unchecked(_opened * 0x9E3779B97F4A7C15));
    }

    /// <summary>Add a key to an open object; false when it may be there already.</summary>
    public bool TryAdd(ref Scope scope, ulong hash)
    {
        ulong bit = 1UL << (int)(hash & 63);
        if ((scope.Seen & bit) != 0 && _few.AsSpan(scope.Start, Math.Min(scope.Count, Few)).Contains(hash))
        {
            return false;
        }

        if (scope.Count < Few)
        {
            _few[scope.Start + scope.Count] = hash;
        }
        else if (!TryAddToTable(hash ^ scope.Salt))
        {
            return false;
        }

        scope.Seen |= bit;
        scope.Count++;
        return true;
    }

    private bool TryAddToTable(ulong mark)
    {
        if (2 * _inTable >= _table.Length)
        {
            Grow();
        }

        int slot = Slot(mark);
        if (_inTable == MaxInTable || _table[slot] == mark) // or a mark of zero, which is an empty slot: not sure
        {
            return false;
        }

        _table[slot] = mark;
        _inTable++;
        return true;
    }

    private int Slot(ulong mark)
    {
        int mask = _table.Length - 1;
        int slot = (int)(mark & (uint)mask);
        while (_table[slot] != 0 && _table[slot] != mark)
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }

    private void Grow()
    {
        ulong[] old = _table;
        _table = new ulong[Math.Max(64, 2 * old.Length)];
        foreach (ulong mark in old)
        {
            if (mark != 0)
            {
                _table[Slot(mark)] = mark;
            }
        }
    }

    private void Clear()
    {
        if (_table.Length > KeptSlots)
        {
            _table = [];
        }
        else if (_inTable > 0)
        {
            Array.Clear(_table);
        }

        _inTable = 0;
        _opened = 0;
    }

    /// <summary>One open object: where its first keys are, how many it has, and what tells it apart in the table.</summary>
    public struct Scope(int start, ulong salt)
    {
        public readonly int Start = start;
        public readonly ulong Salt = salt;
        public int Count;

        /// <summary>One bit for each key, so that most keys are known to be new at once.</summary>
        public ulong Seen;
    }
}
