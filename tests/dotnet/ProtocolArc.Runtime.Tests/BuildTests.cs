using System.Diagnostics;
using System.Runtime.InteropServices;
using ProtocolArc.Runtime.Tests.Support;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

/// <summary>Other ways to build the program, each held to the vectors; skipped where the machine does not offer them.</summary>
public sealed class BuildTests
{
    [Fact]
    public void It_runs_on_the_runtime_before()
    {
        Assert.SkipUnless(Run("dotnet", "--list-runtimes").Output.Contains("Microsoft.NETCore.App 9.", StringComparison.Ordinal), "no .NET 9 runtime");
        using var folder = new TemporaryFolder();
        (int exit, string output) = Run("dotnet", "build", Repository.Path("runtime"), "-p:Framework=net9.0", "--artifacts-path", folder.Path, "-m:1");
        Assert.True(exit == 0, output);
        string program = Directory.EnumerateFiles(Path.Combine(folder.Path, "bin"), "ProtocolArc.Runtime.dll", SearchOption.AllDirectories).Single();

        AnswersTheVectors("dotnet", "exec", "--roll-forward", "LatestPatch", program); // on 9 itself, not on a later one
    }

    [Fact]
    public void It_is_one_native_file_when_compiled_ahead_of_time()
    {
        using var folder = new TemporaryFolder();
        string line = File.ReadLines(Repository.Path("runtime", "README.md")).Single(text => text.Contains("-p:PublishAot=true", StringComparison.Ordinal));
        string[] words = [.. line.Trim().Split(' ').Select(word => word switch
        {
            "linux-x64" => RuntimeInformation.RuntimeIdentifier,
            "OUT" => Path.Combine(folder.Path, "publish"),
            _ => word,
        })];
        (int exit, string output) = Run(
            words[0], [words[1], Repository.Path("runtime"), .. words[2..], "--artifacts-path", Path.Combine(folder.Path, "work"), "-m:1"]);
        Assert.SkipWhen(exit != 0 && output.Contains("NU1101", StringComparison.Ordinal), "the ahead-of-time compiler is not in the package sources");
        Assert.SkipWhen(exit != 0 && output.Contains("Platform linker not found", StringComparison.Ordinal), "no linker on this machine");
        Assert.True(exit == 0, output);
        string name = OperatingSystem.IsWindows() ? "ProtocolArc.Runtime.exe" : "ProtocolArc.Runtime";
        string program = Path.Combine(folder.Path, "publish", name);

        Assert.Equal(0, Run(program, "selfcheck").Exit);
        AnswersTheVectors(program);
    }

    [Fact]
    public void A_version_that_cannot_be_read_fails_the_build()
    {
        using var folder = new TemporaryFolder();
        string source = folder.Write("__init__.py", "version = 1\n");

        (int exit, string output) = Run("dotnet", "build", Repository.Path("runtime"), $"-p:VersionSource={source}", "--artifacts-path", folder.Path, "-m:1");

        Assert.NotEqual(0, exit);
        Assert.Contains("No __version__", output, StringComparison.Ordinal);
    }

    private static void AnswersTheVectors(string program, params string[] arguments)
    {
        using var serve = new ServeProcess(program, arguments);
        foreach (Vector vector in Vector.All.Values)
        {
            Assert.Equal((vector.Exit, System.Text.Encoding.ASCII.GetString(vector.Report())), serve.Ask(vector));
        }
    }

    private static (int Exit, string Output) Run(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true };
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1"; // a worker that outlives the build would hold the pipe open
        start.Environment["UseSharedCompilation"] = "false";
        using Process process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output);
    }
}
