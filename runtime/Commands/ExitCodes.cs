namespace ProtocolArc.Runtime.Commands;

/// <summary>The closed table of exit codes, shared with the Python commands.</summary>
internal static class ExitCodes
{
    public const int Success = 0;

    /// <summary>An envelope has an error finding.</summary>
    public const int Errors = 1;

    /// <summary>Usage, a contract that does not load, a malformed document, an input that cannot be read.</summary>
    public const int Input = 3;

    /// <summary>An internal fault.</summary>
    public const int Fault = 70;

    public const int Interrupted = 130;
}
