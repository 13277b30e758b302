using ProtocolArc.Runtime.Json;

namespace ProtocolArc.Runtime.Loading;

/// <summary>Reads whole documents into memory, within the size limit.</summary>
internal static class BoundedReader
{
    /// <summary>Enough to know that a document is over the limit.</summary>
    private const int MaxBytes = JsonProfile.MaxDocumentBytes + JsonProfile.MaxEndingBytes + 1;

    /// <summary>Read a stream to its end, or as far as it takes to know that it is over the size limit.</summary>
    public static ReadOnlySpan<byte> Read(Stream stream)
    {
        byte[] buffer = new byte[64 * 1024];
        int used = 0, count;
        do
        {
            if (used == buffer.Length)
            {
                Array.Resize(ref buffer, Math.Min(2 * buffer.Length, MaxBytes));
            }

            count = stream.Read(buffer, used, buffer.Length - used);
            used += count;
        }
        while (count > 0 && used < MaxBytes);
        return buffer.AsSpan(0, used);
    }
}
