using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>The problems of one contract document, collected while it is read.</summary>
internal sealed class Problems
{
    private readonly List<ContractProblem> _found = [];

    public bool Any => _found.Count > 0;

    public void Add(int offset, string pointer, string code, string hint) =>
        _found.Add(new(code, pointer, offset, hint));

    /// <summary>Return the problems in order of offset, then pointer, then code.</summary>
    public IReadOnlyList<ContractProblem> InOrder() =>
        [.. _found.OrderBy(problem => problem.Offset)
            .ThenBy(problem => problem.Pointer, StringComparer.Ordinal)
            .ThenBy(problem => problem.Code, StringComparer.Ordinal)];

    /// <summary>
    /// Return the members of an object that have a type their key takes; record what is wrong with the rest. A missing
    /// key is recorded at the object, an unknown one at its own quote.
    /// </summary>
    public Dictionary<string, JsonValue> ReadKeys(JsonValue owner, string pointer, KeyTable table)
    {
        foreach (string key in table.Required.Where(key => !owner.Members.ContainsKey(key)))
        {
            Add(owner.Start, pointer, "contract.key_missing", $"the key '{key}' is required here");
        }

        Dictionary<string, JsonValue> good = new(StringComparer.Ordinal);
        foreach ((string key, (int keyStart, JsonValue value)) in owner.Members)
        {
            string place = $"{pointer}/{key.Replace("~", "~0", StringComparison.Ordinal).Replace("/", "~1", StringComparison.Ordinal)}";
            if (!table.Types.TryGetValue(key, out Atoms types))
            {
                if (!table.IsKept(key))
                {
                    Add(keyStart, place, "contract.key_unknown", table.HintFor(key));
                }
            }
            else if ((types & value.Atom) == 0)
            {
                Add(value.Start, place, "contract.key_type", $"'{key}' does not take {TypeNames.Of(value.Atom)}");
            }
            else
            {
                good.Add(key, value);
            }
        }

        return good;
    }
}
