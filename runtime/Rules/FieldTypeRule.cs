using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>A value has one of the declared types.</summary>
internal sealed class FieldTypeRule() : ValueRule(new(
    "field.type",
    Severity.Error,
    "a value has none of the declared types",
    "Types are those of JSON. `integer` is a matter of value: 1.0 and 1e2 are integers, 1.5 is not; a boolean is never a "
    + "number, and null must be declared."))
{
    public override bool IsDecisive => true;

    public override ValueCheck? Compile(FieldSpec field) =>
        field.Admitted == Atoms.Everything ? null : new Check(field.Admitted, field.TypeText);

    private sealed class Check(Atoms admitted, string expected) : ValueCheck
    {
        public override string? Message(JsonValue value) =>
            (admitted & value.Atom) != 0 ? null : $"expected {expected}, got {TypeNames.Of(value.Atom)}";

        public override bool Accepts(in Token token) => (admitted & token.Atom) != 0;
    }
}
