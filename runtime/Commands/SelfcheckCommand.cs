using System.Text;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Output;
using ProtocolArc.Runtime.Rules;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Commands;

/// <summary><c>selfcheck</c>: a contract and envelopes in memory, at least one for each rule, with what must come of them.</summary>
internal static class SelfcheckCommand
{
    private const string ContractText = """
        {
          "name": "mcp.tool_call", "revision": "1.2.0", "kind": "mcp", "title": "MCP Tool Call", "strict": true,
          "fields": [
            {"name": "jsonrpc", "type": "string", "enum": ["2.0"]},
            {"name": "id", "type": ["string", "integer"]},
            {"name": "params.name", "type": "string"},
            {"name": "params.content[*].size", "type": "integer", "required": false}
          ]
        }
        """;

    private static readonly Case[] Cases =
    [
        new("a message that fits", """{"contract":"mcp.tool_call","revision":"1.2.0","data":{"jsonrpc":"2.0","id":1,"params":{"name":"echo"}}}""", true),
        new("numbers are exact", """{"contract":"mcp.tool_call","data":{"jsonrpc":"2.0","id":1e2,"params":{"name":"echo","content":[{"size":1.0}]}}}""", true),
        new("another revision", """{"contract":"mcp.tool_call","revision":"1.1.0","data":{"jsonrpc":"2.0","id":1,"params":{"name":"echo"}}}""", true, "revision.hint"),
        new("an undeclared key", """{"contract":"mcp.tool_call","data":{"jsonrpc":"2.0","id":1,"params":{"name":"echo"},"trace":1}}""", true, "field.unknown"),
        new("another contract", """{"contract":"mcp.tool_cal","data":{"jsonrpc":"2.0","id":1,"params":{"name":"echo"}}}""", false, "contract.match"),
        new("a missing field", """{"contract":"mcp.tool_call","data":{"jsonrpc":"2.0","id":1,"params":{}}}""", false, "field.required"),
        new("a value of another type", """{"contract":"mcp.tool_call","data":{"jsonrpc":"2.0","id":true,"params":{"name":"echo"}}}""", false, "field.type"),
        new("a value that is not listed", """{"contract":"mcp.tool_call","data":{"jsonrpc":"1.0","id":1,"params":{"name":"echo"}}}""", false, "field.enum"),
        new("a key that stands twice", """{"contract":"mcp.tool_call","data":{"id":1,"\u0069d":2}}""", false, "json.duplicate_key"),
    ];

    public static int Run(CommandLine line, Host host)
    {
        line.Expect(0, 0, "no arguments");
        var validator = new Validator(Contract.Load(Encoding.UTF8.GetBytes(ContractText)));
        var output = new AsciiWriter(host.Output);
        bool isGood = RuleSet.Rules.All(rule => Cases.Any(item => item.Says.Contains(rule.Id)));
        foreach (Case item in Cases)
        {
            ValidationResult result = validator.Validate(Encoding.UTF8.GetBytes(item.Envelope));
            string[] says = result.Fault is Fault fault ? [fault.Code] : [.. result.Findings.Select(finding => finding.Rule)];
            bool isExpected = result.Ok == item.Passes && says.SequenceEqual(item.Says);
            isGood &= isExpected;
            string found = says.Length == 0 ? "" : $" ({string.Join(", ", says)})";
            output.Write($"{(isExpected ? "ok" : "WRONG")}  {(result.Ok ? "pass" : "fail")}  {item.About}{found}\n");
        }

        int passing = Cases.Count(item => item.Passes);
        output.Write(isGood
            ? $"selfcheck: {passing} pass and {Cases.Length - passing} fail, as expected; {RuleSet.Rules.Count} rules\n"
            : "selfcheck: FAILED\n");
        output.Flush();
        return isGood ? ExitCodes.Success : ExitCodes.Fault;
    }

    /// <summary>One envelope: whether it passes, and the rules or the code that speak of it.</summary>
    private sealed record Case(string About, string Envelope, bool Passes, params string[] Says);
}
