using System.Globalization;
using System.Text.Json;
using ProtocolArc.Benchmark;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

// dotnet run -c Release [rounds] [percent of envelopes that fail]
int rounds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 9;
int failing = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 0;
byte[][] log = Workload.Lines(20_000, failing);
var validator = new Validator(Contract.Load(Workload.Contract));

(string Name, Func<int> Pass)[] candidates =
[
    ("Utf8JsonReader, every token", ReadTokens),
    ("Utf8JsonReader, every string and number decoded", ReadValues),
    ("JsonDocument", ParseDocuments),
    ("ProtocolArc, Validator.Validate", Validate),
    ("ProtocolArc, validate --jsonl", ValidateCommand),
];
var times = candidates.ToDictionary(candidate => candidate.Name, _ => new List<double>());
for (int round = -3; round < rounds; round++) // the first rounds warm up; candidates take turns, so that noise meets all of them
{
    foreach ((string name, Func<int> pass) in candidates)
    {
        TimeSpan start = Environment.CpuUsage.TotalTime;
        pass();
        if (round >= 0)
        {
            times[name].Add((Environment.CpuUsage.TotalTime - start).TotalMicroseconds / log.Length);
        }
    }
}

double bytes = log.Average(line => line.Length);
Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{log.Length} envelopes of {bytes:F0} bytes, {failing} % fail, {rounds} rounds, .NET {Environment.Version}"));
Console.WriteLine("| candidate | us of CPU an envelope (median) | MB/s | ratio to the reader (median of rounds) | bytes allocated an envelope |");
Console.WriteLine("|---|---|---|---|---|");
foreach ((string name, Func<int> pass) in candidates)
{
    double median = Median(times[name]);
    double ratio = Median(times[name].Zip(times[candidates[0].Name], (own, reader) => own / reader));
    long before = GC.GetAllocatedBytesForCurrentThread();
    pass();
    double allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)log.Length;
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {name} | {median:F2} | {bytes / median:F0} | {ratio:F2} | {allocated:F1} |"));
}

int ReadTokens()
{
    int count = 0;
    foreach (byte[] line in log)
    {
        var reader = new Utf8JsonReader(line);
        while (reader.Read())
        {
            count++;
        }
    }

    return count;
}

int ReadValues()
{
    int count = 0;
    foreach (byte[] line in log)
    {
        var reader = new Utf8JsonReader(line);
        while (reader.Read())
        {
            if (reader.TokenType is JsonTokenType.String or JsonTokenType.PropertyName)
            {
                count += reader.GetString()!.Length;
            }
        }
    }

    return count;
}

int ParseDocuments()
{
    int count = 0;
    foreach (byte[] line in log)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        count += document.RootElement.GetProperty("data").ValueKind == JsonValueKind.Object ? 1 : 0;
    }

    return count;
}

int Validate()
{
    int count = 0;
    foreach (byte[] line in log)
    {
        count += validator.Validate(line).Ok ? 1 : 0;
    }

    return count;
}

int ValidateCommand() => Workload.RunCommand(log);

static double Median(IEnumerable<double> values)
{
    double[] sorted = [.. values.Order()];
    return sorted[sorted.Length / 2];
}
