using ProtocolArc.Runtime.Loading;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Output;

namespace ProtocolArc.Runtime.Commands;

/// <summary>Loading the contract that the command line names.</summary>
internal static class ContractFile
{
    /// <summary>Load a contract file; say what is wrong with it where it gives no contract.</summary>
    public static Contract? Load(string path, Host host, out IReadOnlyList<ContractProblem> problems)
    {
        try
        {
            problems = [];
            return Contract.Load(Read(path));
        }
        catch (ContractException error)
        {
            problems = error.Problems;
        }

        foreach (ContractProblem problem in problems)
        {
            host.Say(TextResults.Problem(Source.BaseName(path), problem));
        }

        return null;
    }

    private static ReadOnlySpan<byte> Read(string path)
    {
        using Stream? stream = Source.Open(path, out string reason);
        try
        {
            return stream is not null ? BoundedReader.Read(stream) : throw Unreadable(reason);
        }
        catch (IOException error)
        {
            throw Unreadable(error.Message);
        }
    }

    private static ContractException Unreadable(string reason) => new([new(Source.Unreadable, "", null, reason)]);
}
