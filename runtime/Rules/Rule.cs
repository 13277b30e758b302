using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>A validation rule. It is compiled once per contract or field, into a check that is asked for every envelope.</summary>
internal abstract class Rule(RuleInfo info)
{
    public RuleInfo Info { get; } = info;
}

/// <summary>A rule about the envelope as a whole.</summary>
internal abstract class EnvelopeRule(RuleInfo info) : Rule(info)
{
    /// <summary>Return the check, or null where the contract gives no cause.</summary>
    public abstract EnvelopeCheck? Compile(Contract contract);
}

/// <summary>A rule about a field that is not there.</summary>
internal abstract class MissingRule(RuleInfo info) : Rule(info)
{
    /// <summary>Return what to say when the field is missing, or null if it may be.</summary>
    public abstract string? Compile(FieldSpec field);
}

/// <summary>A rule about a value that is there.</summary>
internal abstract class ValueRule(RuleInfo info) : Rule(info)
{
    /// <summary>True when a finding keeps the later rules from speaking about the same value.</summary>
    public virtual bool IsDecisive => false;

    /// <summary>Return the check, or null where the field gives no cause.</summary>
    public abstract ValueCheck? Compile(FieldSpec field);
}

/// <summary>A compiled rule about envelopes.</summary>
internal abstract class EnvelopeCheck
{
    /// <summary>Give the field and message of each finding, in document order.</summary>
    public abstract IEnumerable<(string Field, string Message)> Findings(Envelope envelope);

    /// <summary>Tell whether there is certainly no finding; false when not sure.</summary>
    public virtual bool Accepts(in EnvelopeSummary envelope) => false;
}

/// <summary>A compiled rule about values.</summary>
internal abstract class ValueCheck
{
    /// <summary>Return the message of a finding, or null when there is nothing to say.</summary>
    public abstract string? Message(JsonValue value);

    /// <summary>Tell whether there is certainly no finding; false when not sure.</summary>
    public virtual bool Accepts(in Token token) => false;
}
