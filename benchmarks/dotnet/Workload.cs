using System.Globalization;
using System.Text;
using ProtocolArc.Runtime.Commands;

namespace ProtocolArc.Benchmark;

/// <summary>A log of tool calls, and the contract that they are checked against.</summary>
internal static class Workload
{
    public static ReadOnlySpan<byte> Contract => """
        {"name": "mcp.tool_call", "revision": "1.0.0", "kind": "mcp", "fields": [
          {"name": "jsonrpc", "type": "string", "enum": ["2.0"]},
          {"name": "id", "type": ["string", "integer"]},
          {"name": "method", "type": "string", "enum": ["tools/call"]},
          {"name": "params.name", "type": "string"},
          {"name": "params.arguments", "type": "object", "required": false},
          {"name": "params._meta", "type": "object", "required": false},
          {"name": "params._meta.progressToken", "type": ["string", "integer"], "required": false}
        ]}
        """u8;

    private static readonly string Folder = Directory.CreateTempSubdirectory("protocolarc-benchmark-").FullName;

    /// <summary>Draw the lines of the log; so many percent of them lack a required field.</summary>
    public static byte[][] Lines(int count, int failingPercent)
    {
        var random = new Random(1);
        return [.. Enumerable.Range(1, count).Select(id => Encoding.UTF8.GetBytes(Line(random, id, random.Next(100) < failingPercent)))];
    }

    /// <summary>Run <c>validate --jsonl</c> in this process, over the log as a file.</summary>
    public static int RunCommand(byte[][] log)
    {
        string contract = Path.Combine(Folder, "contract.json"), input = Path.Combine(Folder, "log.jsonl");
        if (!File.Exists(input))
        {
            File.WriteAllBytes(contract, Contract);
            using FileStream file = File.Create(input);
            foreach (byte[] line in log)
            {
                file.Write(line);
                file.WriteByte((byte)'\n');
            }

            AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(Folder, recursive: true);
        }

        return Application.Run(["validate", contract, input, "--jsonl"], new(Stream.Null, Stream.Null, Stream.Null));
    }

    private static string Line(Random random, int id, bool isFailing)
    {
        string query = string.Join(' ', Enumerable.Range(0, random.Next(3, 12)).Select(_ => $"word{random.Next(1000)}"));
        string name = isFailing ? "\"nam\"" : "\"name\"";
        string price = random.NextDouble().ToString("F4", CultureInfo.InvariantCulture);
        return $$"""
            {"contract":"mcp.tool_call","revision":"1.0.0","data":{"jsonrpc":"2.0","id":{{id}},"method":"tools/call","params":{{{name}}:"search","arguments":{"query":"{{query}}","limit":{{random.Next(100)}},"price":{{price}},"exact":true,"tags":["a","b","caf\u00e9"],"nested":{"from":null,"path":"/srv/data/{{id}}"} },"_meta":{"progressToken":"t-{{id}}"
            """ + "}}}}";
    }
}
