using System.Text;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>An envelope is checked against the contract that it names; a bare body targets any.</summary>
internal sealed class ContractMatchRule() : EnvelopeRule(new(
    "contract.match",
    Severity.Error,
    "the envelope targets another contract",
    "The envelope's `contract` differs from the name of the contract it is checked against. The other rules still run, "
    + "so that a misspelled name does not hide the rest."))
{
    public override EnvelopeCheck Compile(Contract contract) => new Check(contract.Name);

    private sealed class Check(string name) : EnvelopeCheck
    {
        private readonly byte[] _name = Encoding.UTF8.GetBytes(name);

        public override IEnumerable<(string Field, string Message)> Findings(Envelope envelope)
        {
            if (envelope.Contract is string target && target != name)
            {
                yield return ("@contract", $"envelope targets {Literal.Quote(target)}, contract is {Literal.Quote(name, cut: false)}");
            }
        }

        public override bool Accepts(in EnvelopeSummary envelope) =>
            !envelope.HasContract || envelope.Contract.SequenceEqual(_name);
    }
}
