using System.Diagnostics;
using System.Text;
using ProtocolArc.Runtime.Commands;
using ProtocolArc.Runtime.Tests.Support;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

/// <summary>The program as a process of its own.</summary>
public sealed class ProgramTests
{
    [Fact]
    public void Selfcheck_passes()
    {
        using Process process = Start("selfcheck");
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();

        Assert.Equal(0, process.ExitCode);
        Assert.EndsWith("as expected; 6 rules\n", text, StringComparison.Ordinal);
        Assert.DoesNotContain("WRONG", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_version_is_the_one_of_the_python_package()
    {
        string source = File.ReadAllText(Repository.Path("protocolarc", "__init__.py"));

        Assert.Contains($"\n__version__ = \"{Application.Version}\"\n", source, StringComparison.Ordinal);
        Assert.Equal($"ProtocolArc.Runtime {Application.Version}\n", CommandRun.Of("--version").Text);
    }

    [Fact]
    public void A_reader_that_leaves_is_no_error()
    {
        using var folder = new TemporaryFolder();
        string contract = folder.Write("c.json", Samples.ContractText);
        byte[] line = [.. Samples.PassingLine, (byte)'\n'];
        string input = folder.Write("in.jsonl", Enumerable.Repeat(line, 50_000).SelectMany(bytes => bytes).ToArray());

        using Process process = Start("validate", contract, input);
        process.StandardOutput.ReadLine();
        process.StandardOutput.Close();
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();

        Assert.Equal("", error);
        Assert.Equal(0, process.ExitCode);
    }

    [Fact]
    public void Results_are_written_before_the_next_input_is_waited_for()
    {
        using var folder = new TemporaryFolder();
        string contract = folder.Write("c.json", Samples.ContractText);
        using Process process = Start("validate", contract, "-");
        Stream input = process.StandardInput.BaseStream;

        input.Write([.. Samples.PassingLine, (byte)'\n']);
        input.Flush();
        string? first = process.StandardOutput.ReadLine();
        input.Close();
        process.WaitForExit();

        Assert.Equal("[PASS] mcp.tool_call@1.0.0 <- -:1", first);
        Assert.Equal(0, process.ExitCode);
    }

    [Fact]
    public void Lines_that_fail_leave_no_memory_behind()
    {
        using var folder = new TemporaryFolder();
        string contract = folder.Write("c.json", Samples.ContractText);
        using Process process = Start("validate", contract, "-", "--jsonl");
        byte[] failing = Samples.Bytes("""{"contract":"x","data":{"jsonrpc":"1","id":[],"params":{"arguments":{"a":[1,2,3]}}}}""" + "\n");

        long Peak(int lines)
        {
            for (int line = 0; line < lines; line++)
            {
                process.StandardInput.BaseStream.Write(failing);
                process.StandardInput.BaseStream.Flush();
                process.StandardOutput.ReadLine();
            }

            process.Refresh();
            return process.PeakWorkingSet64;
        }

        long early = Peak(2_000), late = Peak(40_000);
        process.StandardInput.Close();
        process.WaitForExit();

        Assert.Equal(1, process.ExitCode);
        Assert.InRange(late, early, early * 5 / 4);
    }

    [Fact]
    public void An_interrupt_ends_with_130()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("a signal cannot be sent to one process there");
        }

        using var folder = new TemporaryFolder();
        string contract = folder.Write("c.json", Samples.ContractText);
        using Process process = Start("validate", contract, "-");
        process.StandardInput.BaseStream.Write([.. Samples.PassingLine, (byte)'\n']);
        process.StandardInput.BaseStream.Flush();
        process.StandardOutput.ReadLine();
        using Process kill = Process.Start("kill", ["-INT", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();

        Assert.Equal("interrupted\n", error);
        Assert.Equal(130, process.ExitCode);
    }

    [Theory]
    [InlineData("validate CONTRACT - <&-", 3, "[ERROR] - input.unreadable\n", "-: it is closed\n")]
    [InlineData("validate CONTRACT - 0>/dev/null", 3, "[ERROR] - input.unreadable\n", "-: it is closed\n")]
    [InlineData("validate CONTRACT LINE <&-", 0, "[PASS] mcp.tool_call@1.0.0 <- line.jsonl:1\n", "")]
    [InlineData("validate CONTRACT LINE >&-", 3, "", "error: cannot write standard output: it is closed\n")]
    [InlineData("validate CONTRACT - <&- >&-", 3, "", "error: cannot write standard output: it is closed\n")]
    [InlineData("validate CONTRACT LINE 2>&-", 0, "[PASS] mcp.tool_call@1.0.0 <- line.jsonl:1\n", "")]
    [InlineData("validate CONTRACT missing.json 2>&-", 3, "[ERROR] missing.json input.unreadable\n", "")]
    [InlineData("validate CONTRACT LINE <&- >&- 2>&-", 3, "", "")]
    [InlineData("nonsense 2>&-", 3, "", "")]
    [InlineData("serve <&-", 3, "", "error: it is closed\n")]
    [InlineData("--version >&-", 3, "", "error: cannot write standard output: it is closed\n")]
    public async Task A_closed_stream_is_answered_at_once(string command, int exit, string output, string error)
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("streams are closed by a shell of Unix");
        }

        using var folder = new TemporaryFolder();
        string contract = folder.Write("c.json", Samples.ContractText), line = folder.Write("line.jsonl", Samples.PassingLine);
        string words = command.Replace("CONTRACT", contract, StringComparison.Ordinal).Replace("LINE", line, StringComparison.Ordinal);
        using Process process = Process.Start(new ProcessStartInfo("sh", ["-c", $"dotnet exec {Program} {words}"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> talk = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        string results = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        Assert.Equal((exit, output, error), (process.ExitCode, results, await talk));
    }

    private static string Program => Path.Combine(AppContext.BaseDirectory, "ProtocolArc.Runtime.dll");

    private static Process Start(params string[] arguments)
    {
        return Process.Start(new ProcessStartInfo("dotnet", ["exec", Program, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.ASCII,
        })!;
    }
}
