using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Loading;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Output;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Commands;

/// <summary>Documents against one contract, one after the other; results are written as they are found.</summary>
internal sealed class ValidationRun(Validator validator, ResultWriter output, bool isRaw)
{
    /// <summary>The exit code of the work done so far: 3 weighs more than 1.</summary>
    public int ExitCode { get; private set; } = ExitCodes.Success;

    public void Begin() => output.Begin(validator.Contract);

    public void End() => output.End(ExitCode == ExitCodes.Success);

    /// <summary>Check one envelope per line; lines of blanks alone are counted and skipped.</summary>
    public void Lines(string source, LineReader lines)
    {
        while (lines.TryRead(out ReadOnlySpan<byte> line, out bool isOversize))
        {
            if (isOversize)
            {
                Write(DocumentLabel.Line(source, lines.Number), new(new Fault(JsonProfile.InputSize, 0)));
            }
            else if (line.ContainsAnyExcept(" \t\r"u8))
            {
                Write(DocumentLabel.Line(source, lines.Number), validator.Judge(line, isRaw));
            }
        }
    }

    /// <summary>Check a file that holds one envelope or an array of them; what is malformed is one fault.</summary>
    public void Document(string source, ReadOnlySpan<byte> document)
    {
        List<Range>? items;
        try
        {
            items = JsonItems.Find(document);
        }
        catch (JsonFormatException error)
        {
            Fault(source, new(error.Code, error.Offset));
            return;
        }

        if (items is null)
        {
            Write(DocumentLabel.Whole(source), validator.Judge(document, isRaw));
            return;
        }

        for (int index = 0; index < items.Count; index++)
        {
            ValidationResult result = validator.Judge(document[items[index]], isRaw);
            Write(DocumentLabel.Item(source, index), result.At(items[index].Start.Value));
        }
    }

    /// <summary>Record a source that cannot be read.</summary>
    public void Fault(string source, Fault fault) => Write(DocumentLabel.Whole(source), new(fault));

    private void Write(in DocumentLabel label, in ValidationResult result)
    {
        int code = result.Fault is not null ? ExitCodes.Input : result.Ok ? ExitCodes.Success : ExitCodes.Errors;
        ExitCode = Math.Max(ExitCode, code);
        output.Write(label, result);
    }
}
