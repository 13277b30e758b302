namespace ProtocolArc.Runtime.Json;

/// <summary>The items of a document that is an array, each a document of its own.</summary>
internal static class JsonItems
{
    /// <summary>Return where the items are; null for a document that is no array, or is over the size limit.</summary>
    /// <exception cref="JsonFormatException">The document begins as an array, and is outside the JSON profile.</exception>
    public static List<Range>? Find(ReadOnlySpan<byte> document)
    {
        var cursor = new JsonCursor(document);
        if (cursor.Peek() != '[' || JsonProfile.IsOversize(document))
        {
            return null;
        }

        List<Range> items = [];
        return TryCollect(ref cursor, items)
            ? items
            : [.. JsonParser.Parse(document).Items.Select(item => item.Start..item.End)];
    }

    private static bool TryCollect(ref JsonCursor cursor, List<Range> items)
    {
        if (!cursor.OpenArray())
        {
            return false;
        }

        for (int count = 0; cursor.NextItem(ref count);)
        {
            cursor.Peek(); // blanks are no part of an item
            int start = cursor.At;
            if (!cursor.Skip())
            {
                return false;
            }

            items.Add(start..cursor.At);
        }

        return cursor.IsSure && cursor.IsAtEnd();
    }
}
