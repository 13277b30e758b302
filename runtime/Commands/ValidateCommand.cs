using ProtocolArc.Runtime.Loading;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Output;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Commands;

/// <summary><c>validate</c>: envelopes against one contract.</summary>
internal static class ValidateCommand
{
    public static int Run(CommandLine line, Host host)
    {
        line.Expect(2, int.MaxValue, "CONTRACT ENVELOPES...");
        bool isJson = line.Flags.Contains("--json"), isJsonLines = line.Flags.Contains("--jsonl");
        if (isJson && isJsonLines)
        {
            throw new UsageException("--json and --jsonl exclude each other");
        }

        var output = new AsciiWriter(host.Output);
        ResultWriter results = ResultWriter.Formats[isJson ? "json" : isJsonLines ? "jsonl" : "text"](output);
        Contract? contract = ContractFile.Load(line.Words[0], host, out IReadOnlyList<ContractProblem> problems);
        if (contract is null)
        {
            results.WriteUnloaded(problems);
            output.Flush();
            return ExitCodes.Input;
        }

        var run = new ValidationRun(new Validator(contract), results, line.Flags.Contains("--raw"));
        try
        {
            run.Begin();
            foreach (Source source in Source.Find(line.Words.Skip(1)))
            {
                Read(source, run, output, host);
            }

            run.End();
            output.Flush();
        }
        catch (OutputException error) when (error.IsClosedPipe)
        {
            // The reader has left: the code is that of the work done so far.
        }

        return run.ExitCode;
    }

    private static void Read(Source source, ValidationRun run, AsciiWriter output, Host host)
    {
        if (source.Fault is not null)
        {
            host.Note($"{source.Label}: {source.Reason}");
            run.Fault(source.Label, source.Fault);
            return;
        }

        try
        {
            if (source.Path == Source.StandardInput)
            {
                run.Lines(source.Label, new(host.Input) { BeforeRead = output.Flush });
                return;
            }

            using Stream? stream = Source.Open(source.Path, out string reason);
            if (stream is null)
            {
                Fail(reason);
            }
            else if (source.Path.EndsWith(".json", StringComparison.Ordinal))
            {
                run.Document(source.Label, BoundedReader.Read(stream));
            }
            else
            {
                run.Lines(source.Label, new(stream) { BeforeRead = stream.CanSeek ? null : output.Flush });
            }
        }
        catch (IOException error)
        {
            Fail(error.Message);
        }

        void Fail(string reason)
        {
            host.Note($"{source.Label}: {reason}");
            run.Fault(source.Label, new(Source.Unreadable, null));
        }
    }
}
