using System.Text;
using System.Text.Json;

namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>One conformance vector, its parts as bytes.</summary>
internal sealed record Vector(string Id, byte[] Contract, string Format, bool IsRaw, byte[] Input, JsonElement Expect)
{
    public static readonly IReadOnlyDictionary<string, Vector> All = Load().ToDictionary(vector => vector.Id);

    public int Exit => Expect.GetProperty("exit").GetInt32();

    /// <summary>The report that <c>--json</c> must give.</summary>
    public byte[] Report()
    {
        using JsonDocument contract = JsonDocument.Parse(Expect.TryGetProperty("errors", out JsonElement errors) ? "{}"u8.ToArray() : Contract);
        bool isLoaded = errors.ValueKind == JsonValueKind.Undefined;
        var report = new List<(string Name, object? Value)>
        {
            ("schema", "protocolarc/validation/1"),
            ("contract", isLoaded ? contract.RootElement.GetProperty("name").GetString() : null),
            ("revision", isLoaded ? contract.RootElement.GetProperty("revision").GetString() : null),
        };
        if (isLoaded)
        {
            JsonElement results = Expect.GetProperty("results");
            report.Add(("results", results));
            report.Add(("ok", results.EnumerateArray().All(result => result.GetProperty("ok").GetBoolean())));
        }
        else
        {
            report.Add(("errors", errors));
            report.Add(("results", Array.Empty<object>()));
            report.Add(("ok", false));
        }

        return Encoding.ASCII.GetBytes(PythonJson.Dump(report) + "\n");
    }

    private static IEnumerable<Vector> Load()
    {
        foreach (string file in Directory.EnumerateFiles(Repository.Path("tests", "vectors"), "*.json").Order(StringComparer.Ordinal))
        {
            if (Path.GetFileName(file) == "vectors.schema.json")
            {
                continue;
            }

            JsonElement topic = JsonDocument.Parse(File.ReadAllBytes(file)).RootElement;
            foreach (JsonElement item in topic.GetProperty("cases").EnumerateArray())
            {
                JsonElement contract = item.GetProperty("contract");
                if (contract.ValueKind == JsonValueKind.String)
                {
                    contract = topic.GetProperty("contracts").GetProperty(contract.GetString()!);
                }

                yield return new(
                    item.GetProperty("id").GetString()!,
                    Bytes(contract),
                    item.GetProperty("format").GetString()!,
                    item.TryGetProperty("raw", out _),
                    Bytes(item.GetProperty("input")),
                    item.GetProperty("expect"));
            }
        }
    }

    private static byte[] Bytes(JsonElement source)
    {
        JsonProperty part = source.EnumerateObject().Single();
        return part.Name switch
        {
            "json" => Encoding.UTF8.GetBytes(part.Value.GetRawText()),
            "hex" => Convert.FromHexString(part.Value.GetString()!),
            "repeat" => Encoding.UTF8.GetBytes(string.Concat(part.Value.EnumerateArray()
                .Select(pair => string.Concat(Enumerable.Repeat(pair[0].GetString()!, pair[1].GetInt32()))))),
            _ => Encoding.UTF8.GetBytes(part.Value.GetString()!),
        };
    }
}
