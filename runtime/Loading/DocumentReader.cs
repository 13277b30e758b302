using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Loading;

/// <summary>Whole documents: how much of a file is read, and the items of an array of envelopes.</summary>
internal static class DocumentReader
{
    /// <summary>The most bytes of a file that are read: enough to know that it is over the size limit.</summary>
    public const int MaxBytes = JsonProfile.MaxDocumentBytes + JsonProfile.MaxEndingBytes + 1;

    /// <summary>Read a whole stream, cut where it is over the size limit anyway.</summary>
    public static ReadOnlySpan<byte> ReadBounded(Stream stream)
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

    /// <summary>Return where the items are of a document that is an array; null for any other document.</summary>
    /// <exception cref="JsonFormatException">The document begins as an array, and is outside the JSON profile.</exception>
    public static List<Range>? Items(ReadOnlySpan<byte> document)
    {
        int first = document.IndexOfAnyExcept(" \t\n\r"u8);
        if (first < 0 || document[first] != '[')
        {
            return null;
        }

        List<Range> items = [];
        return Scanner.TryItems(document, items)
            ? items
            : [.. JsonParser.Parse(document).Items.Select(item => item.Start..item.End)];
    }
}
