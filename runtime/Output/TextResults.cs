using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Output;

/// <summary>Results as plain text, byte for byte as specified: no colour, no width.</summary>
internal sealed class TextResults(AsciiWriter output) : ResultWriter(output)
{
    private const int SeverityWidth = 8;
    private const int RuleWidth = 23;

    private string _contract = "";

    /// <summary>Return the line for one problem of a contract, its hint included.</summary>
    public static string Problem(string label, ContractProblem problem)
    {
        string place = problem.Offset is null ? "" : $" at byte {problem.Offset}";
        string pointer = problem.Pointer.Length == 0 ? "" : $" {Literal.Label(problem.Pointer)}";
        return $"[ERROR] {Literal.Label(label)} {problem.Code}{place}{pointer}: {Literal.Label(problem.Hint)}";
    }

    public override void Begin(Contract contract) => _contract = contract.Label;

    public override void Write(in DocumentLabel label, in ValidationResult result)
    {
        if (result.Fault is Fault fault)
        {
            Output.Write("[ERROR] ");
            label.WriteTo(Output, AsciiEscape.NoQuote);
            Output.Write(" ").Write(fault.Code);
            if (fault.Offset is long offset)
            {
                Output.Write(" at byte ").Write(offset);
            }

            Output.Write("\n");
            return;
        }

        Output.Write(result.Ok ? "[PASS] " : "[FAIL] ").Write(_contract).Write(" <- ");
        label.WriteTo(Output, AsciiEscape.NoQuote);
        Output.Write("\n");
        foreach (Finding finding in result.Findings)
        {
            Output.Write("    ");
            WritePadded(finding.Severity == Severity.Error ? "ERROR" : "WARNING", SeverityWidth);
            WritePadded(finding.Rule, RuleWidth);
            Output.Write(finding.Field).Write(": ").Write(finding.Message).Write("\n");
        }
    }

    /// <summary>Write a word in its column; where it fills the column one blank still follows.</summary>
    private void WritePadded(string word, int width) =>
        Output.Write(word.Length < width ? word.PadRight(width) : $"{word} ");
}
