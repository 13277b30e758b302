namespace ProtocolArc.Runtime.Commands;

/// <summary>What is said of an internal fault: one line, with a pointer to the rest.</summary>
internal static class FaultReport
{
    /// <summary>Write the trace to a file of its own and return one line that points there.</summary>
    public static string Write(Exception error)
    {
        string line = $"internal fault: {error.GetType().Name}; please report it";
        try
        {
            string path = Path.Combine(Path.GetTempPath(), $"protocolarc-fault-{Path.GetRandomFileName()}.txt");
            File.WriteAllText(path, $"{Application.Name} {Application.Version}, .NET {Environment.Version}\n{error}\n");
            return $"{line} with {path}";
        }
        catch (Exception failed) when (failed is IOException or UnauthorizedAccessException)
        {
            return line;
        }
    }
}
