using System.Text;
using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>A scalar is one of the members that a field lists.</summary>
internal sealed class FieldEnumRule() : ValueRule(new(
    "field.enum",
    Severity.Error,
    "a value is not among the listed members",
    "Only scalars are compared, and only when their type passed: by kind and exact value, so `1` is `1.0` and `true` is "
    + "not `1`. Strings compare by code points without normalisation."))
{
    public override ValueCheck? Compile(FieldSpec field) => field.Enum is null ? null : new Check(field.Enum);

    private sealed class Check(IReadOnlyList<JsonValue> members) : ValueCheck
    {
        private readonly HashSet<ScalarIdentity> _members = [.. members.Select(member => member.Identity)];
        private readonly Utf8Table<bool> _strings = new(Sources(members, Atoms.String));
        private readonly Utf8Table<bool> _numbers = new(Sources(members, Atoms.Number));
        private readonly Atoms _words = members.Aggregate(Atoms.Containers, (atoms, member) => atoms | member.Atom)
            & ~(Atoms.String | Atoms.Number);

        private readonly string _listed = Literal.ShowMembers(members);

        public override string? Message(JsonValue value) =>
            (value.Atom & Atoms.Containers) != 0 || _members.Contains(value.Identity)
                ? null
                : $"value {Literal.Show(value)} not in {_listed}";

        /// <summary>A string in another spelling, with escapes, is left to the exact comparison; so is a number.</summary>
        public override bool Accepts(in Token token) => token.Atom switch
        {
            Atoms.String => token.IsPlain && _strings.TryGet(token.Text, Utf8Hash.Of(token.Text), out _),
            Atoms.Integer or Atoms.Fraction => _numbers.TryGet(token.Text, Utf8Hash.Of(token.Text), out _),
            _ => (_words & token.Atom) != 0,
        };

        private static IEnumerable<(byte[] Key, bool Value)> Sources(IReadOnlyList<JsonValue> members, Atoms atoms) =>
            members.Where(member => (member.Atom & atoms) != 0).Select(member => (Encoding.UTF8.GetBytes(member.Text), true));
    }
}
