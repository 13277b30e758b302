using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>In a strict contract, an undeclared top-level key is worth a warning.</summary>
internal sealed class FieldUnknownRule() : EnvelopeRule(new(
    "field.unknown",
    Severity.Warning,
    "an undeclared top-level key in a strict contract",
    "The contract is `strict` and no declared path passes through this key of the data. Keys further down are not looked at."))
{
    public override EnvelopeCheck? Compile(Contract contract) => contract.Strict ? new Check() : null;

    private sealed class Check : EnvelopeCheck
    {
        public override IEnumerable<(string Field, string Message)> Findings(Envelope envelope) =>
            envelope.UndeclaredKeys.Select(key => (FieldPath.RenderKey(key), "undeclared top-level key"));

        public override bool Accepts(in EnvelopeSummary envelope) => envelope.UndeclaredKeys == 0;
    }
}
