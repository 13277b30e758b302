using System.Text;
using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Rules;

namespace ProtocolArc.Runtime.Validation;

/// <summary>A place of a contract with its rules compiled.</summary>
internal sealed class Place
{
    private readonly ValueCheck[] _quick;
    private readonly Utf8Table<Place> _byKey;

    private Place(FieldTree tree, bool isDeclared, bool isSingle, string key = "", int index = 0)
    {
        FieldSpec? field = tree.Field;
        (IsDeclared, IsSingle, Key, Index) = (isDeclared, isSingle, key, index);
        Name = field?.Name ?? "";
        if (field is not null)
        {
            Checks = [.. RuleSet.All.OfType<ValueRule>()
                .Select(rule => (Rule: rule, Check: rule.Compile(field)))
                .Where(pair => pair.Check is not null)
                .Select(pair => (pair.Rule, pair.Check!))];
            Absences = [.. RuleSet.All.OfType<MissingRule>()
                .Select(rule => (Rule: rule, Message: rule.Compile(field)))
                .Where(pair => pair.Message is not null)
                .Select(pair => (pair.Rule, pair.Message!))];
        }

        Members = [.. tree.Members.Select((member, place) => Compile(member.Child, isSingle, member.Key, place))];
        EachItem = tree.Children.TryGetValue(Step.EachItem, out FieldTree? item) ? Compile(item, isSingle: false) : null;
        EachValue = tree.Children.TryGetValue(Step.EachValue, out FieldTree? value) ? Compile(value, isSingle: false) : null;
        DemandedMembers = Members.Count(member => member.IsDemanded);
        IsDemanded = isDeclared ? Absences.Length > 0 : DemandedMembers > 0;
        _quick = [.. Checks.Select(pair => pair.Check)];
        _byKey = new(Members.Select(member => (Encoding.UTF8.GetBytes(member.Key), member)));
    }

    /// <summary>The declared path, or nothing where none ends here.</summary>
    public string Name { get; }

    /// <summary>The key of a named member, and its index among the <see cref="Members"/> of the place above.</summary>
    public string Key { get; }

    public int Index { get; }

    /// <summary>True when a document has at most one value here: the declared path is the concrete one.</summary>
    public bool IsSingle { get; }

    /// <summary>True when a declared path ends here; an undeclared container counts as an object.</summary>
    public bool IsDeclared { get; }

    public (ValueRule Rule, ValueCheck Check)[] Checks { get; } = [];

    public (MissingRule Rule, string Message)[] Absences { get; } = [];

    /// <summary>The places of named members, in the order of the contract.</summary>
    public Place[] Members { get; }

    /// <summary>The place of every item of an array.</summary>
    public Place? EachItem { get; }

    /// <summary>The place of every value of a map.</summary>
    public Place? EachValue { get; }

    /// <summary>True where absence is a finding.</summary>
    public bool IsDemanded { get; }

    /// <summary>How many of the named members may not be missing.</summary>
    public int DemandedMembers { get; }

    /// <summary>Compile the places of a contract; the data object itself counts as declared.</summary>
    public static Place Compile(Contract contract) => new(FieldTree.Build(contract.Fields), isDeclared: true, isSingle: true);

    /// <summary>Find the place of a member by its key, whose hash the caller knows.</summary>
    public Place? Find(ReadOnlySpan<byte> key, ulong hash) => _byKey.TryGet(key, hash, out Place? member) ? member : null;

    /// <summary>Tell whether a value is certainly without a finding of its own; what stands inside is asked elsewhere.</summary>
    public bool Accepts(in Token token)
    {
        foreach (ValueCheck check in _quick)
        {
            if (!check.Accepts(token))
            {
                return false;
            }
        }

        // An undeclared container counts as an object: what is none lacks its members.
        return token.Atom == Atoms.Object || IsDeclared || DemandedMembers == 0;
    }

    private static Place Compile(FieldTree tree, bool isSingle, string key = "", int index = 0) =>
        new(tree, tree.Field is not null, isSingle, key, index);
}
