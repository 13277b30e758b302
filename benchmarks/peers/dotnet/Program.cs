using System.Text.Json;
using Json.Schema;

// Peers reader LOG            every token of every line, with Utf8JsonReader
// Peers jsonschema LOG SCHEMA every line with JsonSchema.Net; prints how many it rejects
using var log = new FileStream(args[1], FileMode.Open, FileAccess.Read, FileShare.Read, 1 << 16);
using var lines = new BufferedStream(log, 1 << 16);
int rejected = 0;
JsonSchema? schema = args[0] == "jsonschema" ? JsonSchema.FromFile(args[2]) : null;
var options = new EvaluationOptions { OutputFormat = OutputFormat.List };

byte[] held = new byte[1 << 20];
int length = 0;
for (int read; (read = lines.Read(held, length, held.Length - length)) > 0;)
{
    length += read;
    int start = 0;
    for (int end; (end = Array.IndexOf(held, (byte)'\n', start, length - start)) >= 0; start = end + 1)
    {
        Visit(held.AsMemory(start, end - start));
    }

    Buffer.BlockCopy(held, start, held, 0, length - start);
    length -= start;
}

Console.WriteLine(rejected);

void Visit(ReadOnlyMemory<byte> line)
{
    if (schema is null)
    {
        var reader = new Utf8JsonReader(line.Span);
        while (reader.Read())
        {
        }

        return;
    }

    using JsonDocument document = JsonDocument.Parse(line);
    rejected += schema.Evaluate(document.RootElement, options).IsValid ? 0 : 1;
}
