using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>Drives <c>serve</c> in a process of its own.</summary>
internal sealed class ServeProcess : IDisposable
{
    private readonly Process _process;
    private int _sequence;

    public ServeProcess(string program, params string[] arguments) => _process = Process.Start(
        new ProcessStartInfo(program, [.. arguments, "serve"]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;

    /// <summary>Send one vector; return the exit code and the report.</summary>
    public (int Exit, string Report) Ask(Vector vector)
    {
        _sequence++;
        string raw = vector.IsRaw ? " raw" : "";
        Stream input = _process.StandardInput.BaseStream;
        input.Write(Encoding.ASCII.GetBytes(
            $"PA1 {_sequence} validate {vector.Format} in.{vector.Format} {vector.Contract.Length} {vector.Input.Length}{raw}\n"));
        input.Write(vector.Contract);
        input.Write(vector.Input);
        input.Flush();

        var header = new StringBuilder();
        for (int value; (value = _process.StandardOutput.BaseStream.ReadByte()) is not '\n' and >= 0;)
        {
            header.Append((char)value);
        }

        string[] words = header.ToString().Split(' ');
        byte[] report = new byte[int.Parse(words[3], CultureInfo.InvariantCulture)];
        _process.StandardOutput.BaseStream.ReadExactly(report);
        return (int.Parse(words[2], CultureInfo.InvariantCulture), Encoding.ASCII.GetString(report));
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }
}
