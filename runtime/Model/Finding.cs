namespace ProtocolArc.Runtime.Model;

/// <summary>How much a finding weighs. Only an error makes an envelope fail.</summary>
public enum Severity
{
    /// <summary>The envelope fails.</summary>
    Error,

    /// <summary>Worth a look.</summary>
    Warning,
}

/// <summary>What a rule says about one place of one envelope.</summary>
/// <param name="Rule">The id of the rule.</param>
/// <param name="Field">A concrete canonical path, or <c>@contract</c> and its like.</param>
/// <param name="Severity">How much it weighs.</param>
/// <param name="Message">One line of ASCII.</param>
public sealed record Finding(string Rule, string Field, Severity Severity, string Message);

/// <summary>A structural error: a document that could not be read as an envelope.</summary>
/// <param name="Code">What is wrong, such as <c>json.syntax</c>.</param>
/// <param name="Offset">At which byte; null where there is no document.</param>
public sealed record Fault(string Code, long? Offset);

/// <summary>The words for severities.</summary>
internal static class SeverityNames
{
    public static string Name(this Severity severity) => severity == Severity.Error ? "error" : "warning";
}
