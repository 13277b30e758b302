using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Output;

/// <summary>A contract as its field table: columns as wide as their longest cell, two blanks apart.</summary>
internal static class ContractTable
{
    private static readonly string[] Head = ["field", "type", "required", "enum"];

    public static void Write(AsciiWriter output, Contract contract)
    {
        output.Write($"{contract.Label}  {Literal.Label(contract.Title)}".TrimEnd(' ')).Write("\n");
        output.Write($"kind {contract.Kind}, side {contract.Side}, {(contract.Strict ? "strict" : "open")}, {contract.Fields.Count} fields\n");
        if (contract.Fields.Count == 0)
        {
            output.Write("  (no fields)\n");
            return;
        }

        string[][] rows = [Head, .. contract.Fields.Select(Row)];
        int[] widths = [.. Head.Select((_, column) => rows.Max(row => row[column].Length))];
        foreach (string[] row in rows)
        {
            string line = string.Join("  ", row.Select((cell, column) => cell.PadRight(widths[column])));
            output.Write("  ").Write(line.TrimEnd(' ')).Write("\n");
        }
    }

    private static string[] Row(FieldSpec field) =>
    [
        field.Name,
        field.TypeText,
        field.Required ? "yes" : "no",
        field.Enum is null ? "-" : Literal.ShowMembers(field.Enum, cut: false),
    ];
}
