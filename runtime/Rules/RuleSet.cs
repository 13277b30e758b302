namespace ProtocolArc.Runtime.Rules;

/// <summary>The validation rules, in order of evaluation. A new rule is one file here and one line below.</summary>
public static class RuleSet
{
    internal static readonly IReadOnlyList<Rule> All =
    [
        new ContractMatchRule(),
        new RevisionHintRule(),
        new FieldRequiredRule(),
        new FieldTypeRule(),
        new FieldEnumRule(),
        new FieldUnknownRule(),
    ];

    /// <summary>What each rule tells about itself, in order of evaluation.</summary>
    public static IReadOnlyList<RuleInfo> Rules { get; } = [.. All.Select(rule => rule.Info)];
}
