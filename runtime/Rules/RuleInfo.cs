using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Rules;

/// <summary>What a rule tells about itself.</summary>
/// <param name="Id">The id that findings carry.</param>
/// <param name="Severity">How much a finding of the rule weighs.</param>
/// <param name="Summary">One line.</param>
/// <param name="Explanation">What is compared, and why.</param>
public sealed record RuleInfo(string Id, Severity Severity, string Summary, string Explanation)
{
    /// <summary>The first version that knows the rule.</summary>
    public string Since { get; init; } = "0.1.0";
}
