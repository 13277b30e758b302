using System.Text;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>A contract and envelopes that several tests use.</summary>
internal static class Samples
{
    public const string ContractText = """
        {"name": "mcp.tool_call", "revision": "1.0.0", "kind": "mcp", "strict": true, "fields": [
          {"name": "jsonrpc", "type": "string", "enum": ["2.0"]},
          {"name": "id", "type": ["string", "integer"]},
          {"name": "params.name", "type": "string"},
          {"name": "params.arguments", "type": "object", "required": false},
          {"name": "params.parts", "type": "array", "required": false},
          {"name": "params.parts[*].text", "type": "string"},
          {"name": "params.meta", "type": "object", "required": false},
          {"name": "params.meta.*", "type": ["string", "number", "null"]},
          {"name": "params.meta.level", "type": "number", "enum": [1, 2.5, 1e2]}
        ]}
        """;

    public const string Passing = """
        {"contract": "mcp.tool_call", "revision": "1.0.0", "data": {"jsonrpc": "2.0", "id": 7, "params": {"name": "echo",
        "arguments": {"text": "caf\u00e9 \ud83d\ude00 \"quoted\"", "n": [1, 2.50, -3e-7, true, false, null], "deep": {"a": {"b": [[], {}]}}},
        "parts": [{"text": "x"}, {"text": "y", "more": 1}], "meta": {"level": 2.5, "a": null, "b": "c"}}}}
        """;

    public static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    /// <summary>An envelope that passes, on one line.</summary>
    public static byte[] PassingLine { get; } = Bytes(Passing.ReplaceLineEndings(" "));

    public static Validator Validator(string contract = ContractText) => new(Contract.Load(Bytes(contract)));
}
