using System.Text.RegularExpressions;
using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>Contracts: bytes become a <see cref="Contract"/>, or every problem of the document with its place and a hint.</summary>
internal static partial class ContractReader
{
    private const int MaxNameLength = 200;
    private const int MaxRevisionLength = 256;

    private static readonly KeyTable Keys = new(
        new(StringComparer.Ordinal)
        {
            ["name"] = Atoms.String,
            ["revision"] = Atoms.String,
            ["kind"] = Atoms.String,
            ["fields"] = Atoms.Array,
            ["title"] = Atoms.String,
            ["doc"] = Atoms.String,
            ["side"] = Atoms.String,
            ["strict"] = Atoms.Boolean,
            ["reserved"] = Atoms.Array,
        },
        Required: ["name", "revision", "kind", "fields"],
        IsKept: key => key == "$schema" || key.StartsWith("x-", StringComparison.Ordinal));

    private static readonly string[] Sides = ["request", "response", "both"];

    public static Contract Read(ReadOnlySpan<byte> document)
    {
        JsonValue root;
        try
        {
            root = JsonParser.Parse(document);
        }
        catch (JsonFormatException error)
        {
            throw new ContractException([new(error.Code, "", error.Offset, "not a JSON document")]);
        }

        var problems = new Problems();
        Contract? contract = Read(root, problems);
        return contract is not null && !problems.Any ? contract : throw new ContractException(problems.InOrder());
    }

    private static Contract? Read(JsonValue document, Problems problems)
    {
        if (document.Atom != Atoms.Object)
        {
            problems.Add(document.Start, "", "contract.not_object", "a contract is a JSON object");
            return null;
        }

        Dictionary<string, JsonValue> keys = problems.ReadKeys(document, "", Keys);

        // Pass the string under a key through its check; what that refuses is a problem at the value.
        string? Text(string key, Func<string, bool> isGood, string code, string hint)
        {
            if (!keys.TryGetValue(key, out JsonValue? value))
            {
                return null;
            }

            if (!isGood(value.Text))
            {
                problems.Add(value.Start, $"/{key}", code, hint);
            }

            return value.Text;
        }

        string name = Text("name", IsName, "contract.name", $"a name is at most {MaxNameLength} of A-Z a-z 0-9 _ - in segments joined by '.' or '/'") ?? "";
        List<ReadField> fields = FieldReader.ReadFields(Items(keys, "fields"), problems);
        var contract = new Contract
        {
            Name = name,
            Revision = Text("revision", IsRevision, "contract.revision", "not a semantic version such as 1.0.0") ?? "",
            Kind = Text("kind", Kind().IsMatch, "contract.value", "a kind is a word of a-z 0-9 _ - that begins with a letter") ?? "",
            Title = keys.GetValueOrDefault("title")?.Text ?? name,
            Doc = keys.GetValueOrDefault("doc")?.Text,
            Side = Text("side", Sides.Contains, "contract.value", $"a side is one of {string.Join(' ', Sides)}") ?? Sides[0],
            Strict = keys.GetValueOrDefault("strict")?.Atom == Atoms.True,
            Fields = [.. fields.Select(field => field.Spec)],
            Reserved = ReadReserved(Items(keys, "reserved"), fields, problems),
        };
        Reachability.Report(fields, problems);
        return contract;
    }

    private static List<JsonValue> Items(Dictionary<string, JsonValue> keys, string key) =>
        keys.GetValueOrDefault(key)?.Items ?? [];

    /// <summary>Read the tombstones; a path that is there twice, or is declared too, is recorded at the later place.</summary>
    private static string[] ReadReserved(List<JsonValue> items, List<ReadField> fields, Problems problems)
    {
        Dictionary<string, Declaration> declared = fields.ToDictionary(field => field.Spec.Name, field => field.Place, StringComparer.Ordinal);
        OrderedDictionary<string, Declaration> seen = new(StringComparer.Ordinal);
        for (int index = 0; index < items.Count; index++)
        {
            string pointer = $"/reserved/{index}";
            if (items[index].Atom != Atoms.String)
            {
                problems.Add(items[index].Start, pointer, "contract.path", "a reserved path is a string");
                continue;
            }

            if (FieldReader.ReadPath(items[index], pointer, problems) is not Declaration entry)
            {
                continue;
            }

            string shown = FieldPath.Render(entry.Path);
            if (!seen.TryAdd(shown, entry))
            {
                problems.Add(entry.Offset, pointer, "contract.reserved", $"{shown} is reserved already");
            }

            if (declared.TryGetValue(shown, out Declaration field))
            {
                Declaration later = field.Offset > entry.Offset ? field : entry;
                problems.Add(later.Offset, later.Pointer, "contract.reserved", $"{shown} is reserved and may not be declared again");
            }
        }

        return [.. seen.Keys];
    }

    private static bool IsName(string text) => text.Length <= MaxNameLength && Name().IsMatch(text);

    private static bool IsRevision(string text) => text.Length <= MaxRevisionLength && SemVer().IsMatch(text);

    [GeneratedRegex(@"\A[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*\z", RegexOptions.CultureInvariant)]
    private static partial Regex Name();

    [GeneratedRegex(@"\A[a-z][a-z0-9_-]*\z", RegexOptions.CultureInvariant)]
    private static partial Regex Kind();

    [GeneratedRegex(
        @"\A(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)" +
        @"(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?" +
        @"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\z",
        RegexOptions.CultureInvariant)]
    private static partial Regex SemVer();
}
