using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Loading;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Rules;

namespace ProtocolArc.Runtime.Validation;

/// <summary>A contract, compiled once and used for any number of envelopes, from any number of threads.</summary>
public sealed class Validator
{
    private readonly Place _root;
    private readonly (EnvelopeRule Rule, EnvelopeCheck Check)[] _checks;
    private readonly EnvelopeCheck[] _quick;

    /// <summary>Compile a contract.</summary>
    public Validator(Contract contract)
    {
        ArgumentNullException.ThrowIfNull(contract);
        Contract = contract;
        _root = Place.Compile(contract);
        _checks = [.. RuleSet.All.OfType<EnvelopeRule>()
            .Select(rule => (Rule: rule, Check: rule.Compile(contract)))
            .Where(pair => pair.Check is not null)
            .Select(pair => (pair.Rule, pair.Check!))];
        _quick = [.. _checks.Select(pair => pair.Check)];
    }

    /// <summary>The contract that envelopes are checked against.</summary>
    public Contract Contract { get; }

    /// <summary>Check one envelope. An envelope that passes costs no allocation.</summary>
    /// <param name="envelope">The UTF-8 bytes of one document.</param>
    public ValidationResult Validate(ReadOnlySpan<byte> envelope) => Judge(envelope, isBody: false);

    /// <summary>Check one bare body, which is taken to target the contract.</summary>
    /// <param name="body">The UTF-8 bytes of one document.</param>
    public ValidationResult ValidateBody(ReadOnlySpan<byte> body) => Judge(body, isBody: true);

    internal ValidationResult Judge(ReadOnlySpan<byte> document, bool isBody)
    {
        if (!JsonProfile.IsOversize(document))
        {
            if (Scanner.Accepts(document, _root, _quick, isBody))
            {
                return default;
            }

            if (Tracer.Trace(document, _root, _checks, isBody, isKnownGood: false) is IReadOnlyList<Finding> findings)
            {
                return new(findings);
            }
        }

        return JudgeExactly(document, isBody);
    }

    /// <summary>The slow path, which decides: the reference parser looks first, then every rule.</summary>
    internal ValidationResult JudgeExactly(ReadOnlySpan<byte> document, bool isBody)
    {
        Fault? fault;
        try
        {
            fault = EnvelopeReader.FaultOf(JsonParser.Parse(document), isBody);
        }
        catch (JsonFormatException error)
        {
            fault = new(error.Code, error.Offset);
        }

        return fault is not null ? new(fault)
            : new(Tracer.Trace(document, _root, _checks, isBody, isKnownGood: true)
                ?? throw new InvalidOperationException("the cursor doubts what the reference parser accepts"));
    }
}
