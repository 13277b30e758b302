namespace ProtocolArc.Runtime.Output;

/// <summary>The name of a document in reports: its file, and its line or its index where the file holds several.</summary>
internal readonly struct DocumentLabel
{
    private const string LineMark = ":";

    private readonly string _before;
    private readonly string _after;
    private readonly long _number;

    private DocumentLabel(string source, string before, long number, string after) =>
        (Source, _before, _number, _after) = (source, before, number, after);

    /// <summary>The name of the file, not escaped.</summary>
    public string Source { get; }

    /// <summary>The number of the line; null for any other document.</summary>
    public long? LineNumber => _before == LineMark ? _number : null;

    public static DocumentLabel Whole(string source) => new(source, "", 0, "");

    public static DocumentLabel Line(string source, long number) => new(source, LineMark, number, "");

    public static DocumentLabel Item(string source, long index) => new(source, "[", index, "]");

    /// <summary>Write the label through the table of escapes.</summary>
    public void WriteTo(AsciiWriter output, char quote)
    {
        output.WriteEscaped(Source, quote);
        if (_before.Length > 0)
        {
            output.Write(_before).Write(_number).Write(_after);
        }
    }
}
