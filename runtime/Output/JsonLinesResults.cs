using System.Text;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Output;

/// <summary>Results as JSONL: one object per line.</summary>
internal sealed class JsonLinesResults(AsciiWriter output) : ResultWriter(output)
{
    private readonly JsonWriter _json = new(output, isIndented: false);

    /// <summary>What stands before the number of a line of one file.</summary>
    private byte[] _head = [];
    private string? _source;

    public override void Write(in DocumentLabel label, in ValidationResult result)
    {
        if (result.IsClean && label.LineNumber is long number)
        {
            WriteClean(label.Source, number);
        }
        else
        {
            JsonResult.Write(_json, label, result);
            _json.End();
        }
    }

    /// <summary>Write what most results of a log are: all but the number is the same from line to line.</summary>
    private void WriteClean(string source, long number)
    {
        if (!ReferenceEquals(source, _source))
        {
            _source = source;
            _head = Encoding.ASCII.GetBytes(new StringBuilder("{\"envelope\":\"").AppendEscaped(source, '"').Append(':').ToString());
        }

        Output.Write(_head).Write(number).Write("\",\"ok\":true,\"findings\":[]}\n"u8);
    }
}
