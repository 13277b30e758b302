using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Loading;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Output;
using ProtocolArc.Runtime.Rules;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Commands;

/// <summary>
/// <c>serve</c>: requests on standard input, answers on standard output, in order. Lengths and raw bytes, because the
/// payload is hostile and the framing must not rest on the parser under test.
/// </summary>
internal sealed class ServeCommand
{
    /// <summary>The longest report; the client of the Python package reads no longer one.</summary>
    private const long MaxReportBytes = 1 << 30;

    private const int MaxBodyBytes = JsonProfile.MaxDocumentBytes + JsonProfile.MaxEndingBytes;

    private readonly Host _host;
    private readonly Stream _input;
    private readonly AsciiWriter _output;
    private readonly Func<Contract, Validator> _compile;
    private readonly long _maxReportBytes;

    /// <summary>The contract of the last request, which is often that of the next one as well.</summary>
    private byte[] _contract = [];
    private Validator? _validator;

    private ServeCommand(Host host, Stream input, Func<Contract, Validator> compile, long maxReportBytes)
    {
        _host = host;
        _input = input;
        _output = new(host.Output);
        _compile = compile;
        _maxReportBytes = maxReportBytes;
    }

    public static int Run(CommandLine line, Host host)
    {
        line.Expect(0, 0, "no arguments");
        return Serve(host, contract => new(contract));
    }

    /// <summary>Answer the requests of a host, with contracts compiled as told.</summary>
    public static int Serve(Host host, Func<Contract, Validator> compile, long maxReportBytes = MaxReportBytes)
    {
        try
        {
            using var input = new BufferedStream(host.Input, 64 * 1024);
            return new ServeCommand(host, input, compile, maxReportBytes).Serve();
        }
        catch (Exception error) when (error is CutRequestException or IOException)
        {
            host.Note($"error: {error.Message}");
            return ExitCodes.Input;
        }
    }

    private int Serve()
    {
        byte[] header = new byte[ServeRequest.MaxHeaderBytes];
        while (ReadHeader(header) is int length)
        {
            if (ServeRequest.Parse(header.AsSpan(0, length)) is not ServeRequest request)
            {
                Answer("0", ExitCodes.Input, default);
                _host.Note("error: not a request; nothing can be framed behind it");
                return ExitCodes.Input;
            }

            if (request.Verb == "bye")
            {
                Answer(request.Sequence, ExitCodes.Success, default);
                return ExitCodes.Success;
            }

            Handle(request);
        }

        return ExitCodes.Success;
    }

    /// <summary>Read a header line; return its length without the line feed (0 when it is too long), or null at the end of the input.</summary>
    private int? ReadHeader(byte[] header)
    {
        for (int length = 0; length < header.Length; length++)
        {
            int value = _input.ReadByte();
            if (value < 0)
            {
                return length == 0 ? null : throw new CutRequestException();
            }

            if (value == '\n')
            {
                return length;
            }

            header[length] = (byte)value;
        }

        return 0;
    }

    /// <summary>Answer one request. Whatever happens in it, the next one can be read.</summary>
    private void Handle(ServeRequest request)
    {
        using var contract = new BodyStream(_input, request.ContractBytes);
        using var input = new BodyStream(_input, request.InputBytes);
        using var report = new ReportStream(_maxReportBytes);
        int exit;
        try
        {
            var writer = new AsciiWriter(report);
            exit = request.Verb == "hello" ? Hello(writer) : Validate(request, contract, input, writer);
            writer.Flush();
        }
        catch (Exception error) when (error is not (CutRequestException or IOException)) // without its input nothing can be framed
        {
            _host.Note(error is LongReportException ? $"error: {error.Message}" : FaultReport.Write(error));
            report.SetLength(0);
            exit = ExitCodes.Fault;
        }

        contract.Drain();
        input.Drain();
        Answer(request.Sequence, exit, report.GetBuffer().AsSpan(0, (int)report.Length));
    }

    private static int Hello(AsciiWriter report)
    {
        var json = new JsonWriter(report, isIndented: true);
        json.Open('{')
            .Name("name").Value(Application.Name)
            .Name("version").Value(Application.Version)
            .Name("profile").Value(JsonProfile.Version)
            .Name("rules").Open('[');
        foreach (RuleInfo rule in RuleSet.Rules)
        {
            json.Item().Value(rule.Id);
        }

        json.Close(']').Close('}').End();
        return ExitCodes.Success;
    }

    private int Validate(ServeRequest request, BodyStream contract, BodyStream input, AsciiWriter report)
    {
        var results = new JsonResults(report);
        Validator validator;
        try
        {
            validator = Compile(contract);
        }
        catch (ContractException error)
        {
            results.WriteUnloaded(error.Problems);
            return ExitCodes.Input;
        }

        var run = new ValidationRun(validator, results, request.IsRaw);
        run.Begin();
        if (request.IsLines)
        {
            run.Lines(request.Label, new(input));
        }
        else if (input.Length > MaxBodyBytes)
        {
            run.Fault(request.Label, new(JsonProfile.InputSize, 0));
        }
        else
        {
            run.Document(request.Label, BoundedReader.Read(input));
        }

        run.End();
        return run.ExitCode;
    }

    private Validator Compile(BodyStream body)
    {
        if (body.Length > MaxBodyBytes)
        {
            body.Drain();
            throw new ContractException([new(JsonProfile.InputSize, "", 0, "the contract is over the size limit")]);
        }

        ReadOnlySpan<byte> document = BoundedReader.Read(body);
        if (_validator is null || !document.SequenceEqual(_contract))
        {
            _validator = _compile(Contract.Load(document));
            _contract = document.ToArray();
        }

        return _validator;
    }

    private void Answer(string sequence, int exit, ReadOnlySpan<byte> body)
    {
        _output.Write("PA1 ").Write(sequence).Write(" ").Write(exit).Write(" ").Write(body.Length).Write("\n").Write(body);
        _output.Flush();
    }
}
