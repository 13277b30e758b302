namespace ProtocolArc.Runtime.Commands;

/// <summary>A command line that makes no sense.</summary>
internal sealed class UsageException(string message) : Exception(message);

/// <summary>The words and the flags that follow a command.</summary>
internal sealed record CommandLine(IReadOnlyList<string> Words, IReadOnlySet<string> Flags)
{
    /// <summary>Tell flags from words: a flag begins with <c>-</c>, is not <c>-</c> alone, and stands before any <c>--</c>.</summary>
    public static CommandLine Parse(string[] arguments, params string[] known)
    {
        List<string> words = [];
        HashSet<string> flags = new(StringComparer.Ordinal);
        bool areWords = false;
        foreach (string argument in arguments)
        {
            if (areWords || argument == "-" || !argument.StartsWith('-'))
            {
                words.Add(argument);
            }
            else if (argument == "--")
            {
                areWords = true;
            }
            else if (known.Contains(argument))
            {
                flags.Add(argument);
            }
            else
            {
                throw new UsageException($"no such option: {argument}");
            }
        }

        return new(words, flags);
    }

    /// <summary>Refuse a number of words that the command does not take.</summary>
    public void Expect(int least, int most, string what)
    {
        if (Words.Count < least || Words.Count > most)
        {
            throw new UsageException($"expected {what}");
        }
    }
}
