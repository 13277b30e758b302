using System.Text;
using ProtocolArc.Runtime.Commands;

namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>A command that ran in this process: what it wrote, and its exit code.</summary>
internal sealed record CommandRun(int Exit, byte[] Output, string Error)
{
    public string Text => Encoding.ASCII.GetString(Output);

    public static CommandRun Of(params string[] arguments) => Of(Stream.Null, arguments);

    public static CommandRun Of(Stream input, params string[] arguments)
    {
        using var output = new MemoryStream();
        using var error = new MemoryStream();
        int exit = Application.Run(arguments, new Host(input, output, error));
        return new(exit, output.ToArray(), Encoding.ASCII.GetString(error.ToArray()));
    }
}
