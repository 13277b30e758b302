using System.Reflection;
using ProtocolArc.Runtime.Output;

namespace ProtocolArc.Runtime.Commands;

/// <summary>The command line: runs a command and maps everything that can happen to an exit code.</summary>
internal static class Application
{
    public const string Name = "ProtocolArc.Runtime";

    private const string Usage = """
        usage: ProtocolArc.Runtime COMMAND

          selfcheck                                                   check the validator itself, without a file
          validate CONTRACT ENVELOPES... [--raw] [--json|--jsonl]     check envelopes against a contract
          describe CONTRACT                                           show the fields of a contract as a table
          serve                                                       answer requests on standard input
          --version                                                   print the version
          --help                                                      print this help

        ENVELOPES are files, directories, or - for JSONL on standard input. A .json file holds one envelope or an
        array of them, any other file one per line; with --raw they are bare bodies.

        Exit codes: 0 success; 1 an envelope has an error finding; 3 usage, a contract that does not load, a malformed
        document, an input that cannot be read; 70 an internal fault; 130 interrupted.
        """;

    /// <summary>The version, which is the Python package's.</summary>
    public static string Version { get; } =
        typeof(Application).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    /// <summary>Run the command line. Nothing is thrown.</summary>
    public static int Run(string[] arguments, Host host)
    {
        try
        {
            return Dispatch(arguments, host);
        }
        catch (UsageException error)
        {
            host.Note($"error: {error.Message}; see --help");
            return ExitCodes.Input;
        }
        catch (OutputException error)
        {
            if (error.IsClosedPipe)
            {
                return ExitCodes.Success;
            }

            host.Note($"error: cannot write standard output: {error.Message}");
            return ExitCodes.Input;
        }
#pragma warning disable CA1031 // the last resort: people get a pointer, never a trace
        catch (Exception error)
#pragma warning restore CA1031
        {
            host.Note(FaultReport.Write(error));
            return ExitCodes.Fault;
        }
    }

    private static int Dispatch(string[] arguments, Host host)
    {
        if (arguments.Length == 0)
        {
            throw new UsageException("a command is missing");
        }

        if (arguments.TakeWhile(word => word != "--").Any(word => word is "--help" or "-h"))
        {
            return Print(Usage, host);
        }

        string[] rest = arguments[1..];
        return arguments[0] switch
        {
            "selfcheck" => SelfcheckCommand.Run(CommandLine.Parse(rest), host),
            "validate" => ValidateCommand.Run(CommandLine.Parse(rest, "--raw", "--json", "--jsonl"), host),
            "describe" => DescribeCommand.Run(CommandLine.Parse(rest), host),
            "serve" => ServeCommand.Run(CommandLine.Parse(rest), host),
            "--version" => Print($"{Name} {Version}", host),
            string unknown => throw new UsageException($"no such command: {unknown}"),
        };
    }

    private static int Print(string text, Host host)
    {
        new AsciiWriter(host.Output).Write(text.ReplaceLineEndings("\n")).Write("\n").Flush();
        return ExitCodes.Success;
    }
}
