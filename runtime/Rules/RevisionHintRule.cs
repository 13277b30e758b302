using System.Text;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>An envelope may say which revision it was written for; it is compared as a string.</summary>
internal sealed class RevisionHintRule() : EnvelopeRule(new(
    "revision.hint",
    Severity.Warning,
    "the envelope declares another revision",
    "The envelope's `revision` is not the revision of the contract it is checked against. It is a hint only: whether the "
    + "shapes fit is what the other rules say."))
{
    public override EnvelopeCheck Compile(Contract contract) => new Check(contract.Revision);

    private sealed class Check(string revision) : EnvelopeCheck
    {
        private readonly byte[] _revision = Encoding.UTF8.GetBytes(revision);

        public override IEnumerable<(string Field, string Message)> Findings(Envelope envelope)
        {
            if (envelope.Revision is string declared && declared != revision)
            {
                yield return ("@revision", $"envelope declares {Literal.Quote(declared)}, contract is {Literal.Quote(revision, cut: false)}");
            }
        }

        public override bool Accepts(in EnvelopeSummary envelope) =>
            !envelope.HasRevision || envelope.Revision.SequenceEqual(_revision);
    }
}
