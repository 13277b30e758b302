using System.Text;
using Microsoft.Win32.SafeHandles;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Commands;

/// <summary>What a command reads and writes. Standard output carries results only; talk goes to standard error.</summary>
internal sealed class Host(Stream input, Stream output, Stream error)
{
    public Stream Input { get; } = input;

    public Stream Output { get; } = output;

    /// <summary>Return the streams of the process: raw bytes, so that no encoding or line ending comes between.</summary>
    public static Host OfProcess() =>
        new(
            Descriptor.IsGiven(Descriptor.Input, FileAccess.Read) ? Console.OpenStandardInput() : new ClosedStream(),
            Descriptor.IsGiven(Descriptor.Output, FileAccess.Write) ? StandardOutput() : new ClosedStream(),
            Descriptor.IsGiven(Descriptor.Error, FileAccess.Write) ? Console.OpenStandardError() : new ClosedStream());

    /// <summary>Say a line, already ASCII, to the person at the terminal.</summary>
    public void Say(string line)
    {
        try
        {
            error.Write(Encoding.ASCII.GetBytes(line + "\n"));
            error.Flush();
        }
        catch (IOException)
        {
            // Nobody listens; the results are not affected.
        }
    }

    /// <summary>Say something that may hold data, which stays ASCII.</summary>
    public void Note(string text) => Say(Literal.Label(text));

    /// <summary>The stream that the console gives is silent about a reader that has left; a pipe of our own tells.</summary>
    private static Stream StandardOutput()
    {
        if (!OperatingSystem.IsWindows())
        {
            try
            {
                var pipe = new FileStream(new SafeFileHandle(Descriptor.Output, ownsHandle: false), FileAccess.Write, bufferSize: 0);
                if (!pipe.CanSeek)
                {
                    return pipe;
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
            {
                // Nothing that a file stream can be made of: the console's stream takes everything.
            }
        }

        return Console.OpenStandardOutput();
    }
}
