using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>A path of the document with the place where it is written: a byte and a JSON pointer.</summary>
internal readonly record struct Declaration(Step[] Path, int Offset, string Pointer);

/// <summary>A field that could be read, with the place of its name.</summary>
internal sealed record ReadField(FieldSpec Spec, Declaration Place);

/// <summary>The fields of a contract document: each read on its own, so that one problem does not hide the next.</summary>
internal static class FieldReader
{
    private static readonly KeyTable Keys = new(
        new(StringComparer.Ordinal)
        {
            ["name"] = Atoms.String,
            ["type"] = Atoms.String | Atoms.Array,
            ["required"] = Atoms.Boolean,
            ["enum"] = Atoms.Array,
            ["doc"] = Atoms.String,
        },
        Required: ["name", "type"],
        IsKept: _ => false);

    /// <summary>Read the <c>fields</c> array; a field whose name is no path, or is taken, is recorded and left out.</summary>
    public static List<ReadField> ReadFields(List<JsonValue> items, Problems problems)
    {
        List<ReadField> fields = [];
        Dictionary<string, string> taken = new(StringComparer.Ordinal);
        for (int index = 0; index < items.Count; index++)
        {
            string pointer = $"/fields/{index}";
            if (items[index].Atom != Atoms.Object)
            {
                problems.Add(items[index].Start, pointer, "contract.key_type", "a field is an object with a name and a type");
                continue;
            }

            if (ReadField(items[index], pointer, problems) is not ReadField field)
            {
                continue;
            }

            if (!taken.TryAdd(field.Spec.Name, pointer))
            {
                string hint = $"{field.Spec.Name} is declared already, at {taken[field.Spec.Name]}";
                problems.Add(field.Place.Offset, field.Place.Pointer, "contract.duplicate_field", hint);
                continue;
            }

            fields.Add(field);
        }

        return fields;
    }

    /// <summary>Read one path; what is none is recorded.</summary>
    public static Declaration? ReadPath(JsonValue item, string pointer, Problems problems)
    {
        try
        {
            return new(PathParser.Parse(item.Text), item.Start, pointer);
        }
        catch (PathFormatException error)
        {
            problems.Add(item.Start, pointer, "contract.path", error.Message);
            return null;
        }
    }

    private static ReadField? ReadField(JsonValue item, string pointer, Problems problems)
    {
        Dictionary<string, JsonValue> keys = problems.ReadKeys(item, pointer, Keys);
        List<string> types = keys.TryGetValue("type", out JsonValue? type) ? ReadTypes(type, $"{pointer}/type", problems) : [];
        IReadOnlyList<JsonValue>? members = keys.TryGetValue("enum", out JsonValue? listed)
            ? ReadEnum(listed, $"{pointer}/enum", TypeNames.Admitted(types), problems)
            : null;
        if (!keys.TryGetValue("name", out JsonValue? name) || ReadPath(name, $"{pointer}/name", problems) is not Declaration place)
        {
            return null;
        }

        var spec = new FieldSpec(place.Path, members)
        {
            Name = FieldPath.Render(place.Path),
            Types = types.Count > 0 ? types : ["any"],
            Required = keys.GetValueOrDefault("required")?.Atom != Atoms.False,
            Doc = keys.GetValueOrDefault("doc")?.Text,
        };
        return new(spec, place);
    }

    /// <summary>Return the well-formed type names; empty when there is none.</summary>
    private static List<string> ReadTypes(JsonValue item, string pointer, Problems problems)
    {
        bool isList = item.Atom == Atoms.Array;
        List<JsonValue> entries = isList ? item.Items : [item];
        if (entries.Count == 0)
        {
            problems.Add(item.Start, pointer, "contract.type", "a list of types needs at least one");
        }

        List<string> types = [];
        for (int index = 0; index < entries.Count; index++)
        {
            JsonValue entry = entries[index];
            string place = isList ? $"{pointer}/{index}" : pointer;
            if (entry.Atom != Atoms.String || TypeNames.Admitted(entry.Text) == Atoms.None)
            {
                problems.Add(entry.Start, place, "contract.type", $"a type is one of {string.Join(' ', TypeNames.All)}");
            }
            else if (types.Contains(entry.Text))
            {
                problems.Add(entry.Start, place, "contract.type", $"'{entry.Text}' is listed already");
            }
            else
            {
                types.Add(entry.Text);
            }
        }

        return types;
    }

    private static List<JsonValue>? ReadEnum(JsonValue item, string pointer, Atoms types, Problems problems)
    {
        List<JsonValue> members = [];
        HashSet<ScalarIdentity> seen = [];
        for (int index = 0; index < item.Items.Count; index++)
        {
            JsonValue member = item.Items[index];
            if ((member.Atom & Atoms.Containers) != 0)
            {
                problems.Add(member.Start, $"{pointer}/{index}", "contract.enum", $"members are scalars, not {TypeNames.Of(member.Atom)}");
            }
            else if (!seen.Add(member.Identity))
            {
                problems.Add(member.Start, $"{pointer}/{index}", "contract.enum", $"{Literal.Show(member)} is a member already");
            }
            else
            {
                members.Add(member);
            }
        }

        if (item.Items.Count == 0)
        {
            problems.Add(item.Start, pointer, "contract.enum", "an enum needs at least one member");
        }
        else if (members.Count > 0 && types != Atoms.None && !members.Exists(member => (member.Atom & types) != 0))
        {
            problems.Add(item.Start, pointer, "contract.enum", "no member is of a listed type, so no value could pass");
            return null; // said once; to the checks that follow the field is as good as its types
        }

        return members.Count > 0 ? members : null;
    }
}
