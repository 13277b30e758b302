namespace ProtocolArc.Runtime.Output;

/// <summary>Results could not be written.</summary>
internal sealed class OutputException(Exception cause) : Exception(cause.Message, cause)
{
    /// <summary>True when the reader has left, which is no error.</summary>
    public bool IsClosedPipe { get; } = cause.HResult is 32 // EPIPE
        or unchecked((int)0x8007006D) or unchecked((int)0x800700E8); // ERROR_BROKEN_PIPE, ERROR_NO_DATA
}
