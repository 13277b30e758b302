using System.Text;
using ProtocolArc.Runtime.Tests.Support;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

public sealed class VectorTests
{
    public static TheoryData<string> Ids => [.. Vector.All.Keys];

    [Fact]
    public void There_are_vectors() => Assert.NotEmpty(Vector.All);

    [Theory]
    [MemberData(nameof(Ids))]
    public void The_command_gives_what_a_vector_expects(string id)
    {
        Vector vector = Vector.All[id];
        using var folder = new TemporaryFolder();
        string contract = folder.Write("contract.json", vector.Contract);
        string input = folder.Write($"in.{vector.Format}", vector.Input);
        string[] words = ["validate", contract, input, .. vector.IsRaw ? ["--raw"] : Array.Empty<string>()];

        CommandRun report = CommandRun.Of([.. words, "--json"]);

        Assert.Equal(Encoding.ASCII.GetString(vector.Report()), report.Text);
        Assert.Equal(vector.Exit, report.Exit);
        if (vector.Expect.TryGetProperty("stdout", out var expected))
        {
            CommandRun text = CommandRun.Of(words);
            Assert.Equal(expected.GetString(), text.Text);
            Assert.Equal(vector.Exit, text.Exit);
        }
    }

    [Fact]
    public void Serve_gives_what_the_vectors_expect_in_one_process()
    {
        var requests = new MemoryStream();
        var expected = new MemoryStream();
        int sequence = 0;
        foreach (Vector vector in Vector.All.Values)
        {
            sequence++;
            string raw = vector.IsRaw ? " raw" : "";
            requests.Write(Encoding.ASCII.GetBytes(
                $"PA1 {sequence} validate {vector.Format} in.{vector.Format} {vector.Contract.Length} {vector.Input.Length}{raw}\n"));
            requests.Write(vector.Contract);
            requests.Write(vector.Input);
            byte[] report = vector.Report();
            expected.Write(Encoding.ASCII.GetBytes($"PA1 {sequence} {vector.Exit} {report.Length}\n"));
            expected.Write(report);
        }

        requests.Position = 0;
        CommandRun run = CommandRun.Of(requests, "serve");

        Assert.Equal(0, run.Exit);
        Assert.Equal(Encoding.ASCII.GetString(expected.ToArray()), run.Text);
    }
}
