using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>A required field is present wherever the container that holds it is.</summary>
internal sealed class FieldRequiredRule() : MissingRule(new(
    "field.required",
    Severity.Error,
    "a required field is missing",
    "The container that should hold the field is there, the field is not. Where the nearest declared ancestor is absent, "
    + "only that ancestor's own rule speaks. `null` is a present value."))
{
    public override string? Compile(FieldSpec field) => field.Required ? "required field is missing" : null;
}
