using System.Text;
using ProtocolArc.Runtime.Commands;
using ProtocolArc.Runtime.Rules;
using ProtocolArc.Runtime.Tests.Support;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

public sealed class ServeTests
{
    private const string Contract = """{"name":"c","revision":"1.0.0","kind":"mcp","fields":[{"name":"a","type":"string"}]}""";
    private const string Good = """{"contract":"c","data":{"a":"x"}}""";

    [Fact]
    public void Hello_names_the_program_and_its_rules()
    {
        CommandRun run = Serve("PA1 7 hello\nPA1 8 bye\nnever read");

        Assert.Equal(0, run.Exit);
        Assert.StartsWith("PA1 7 0 ", run.Text, StringComparison.Ordinal);
        Assert.EndsWith("}\nPA1 8 0 0\n", run.Text, StringComparison.Ordinal);
        Assert.All(RuleSet.Rules, rule => Assert.Contains($"\"{rule.Id}\"", run.Text, StringComparison.Ordinal));
    }

    [Fact]
    public void Requests_are_answered_in_order_and_a_bad_one_never_kills_the_next()
    {
        CommandRun run = Serve(
            Request(1, "json", "a.json", Contract, Good),
            Request(2, "json", "b.json", "{}", Good),
            Request(3, "jsonl", "c.jsonl", Contract, $"{Good}\n{{\n"),
            Request(4, "json", "d.json", Contract, """{"contract":"c","data":{}}"""),
            Request(5, "json", "e.json", Contract, """{"a":"x"}""", " raw"));

        Assert.Equal(0, run.Exit);
        Assert.Equal(["PA1 1 0", "PA1 2 3", "PA1 3 3", "PA1 4 1", "PA1 5 0"], Answers(run));
        Assert.Contains("\"contract.key_missing\"", run.Text, StringComparison.Ordinal);
        Assert.Contains("\"envelope\": \"c.jsonl:2\"", run.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("%41%2f b", "")]
    [InlineData("a%20%c3%a9.json", "a \\u00e9.json")]
    [InlineData("%ff%22", "\\udcff\\\"")]
    public void A_label_is_percent_encoded(string label, string shown)
    {
        CommandRun run = Serve(Request(1, "json", label, Contract, Good));

        if (shown.Length == 0)
        {
            Assert.Equal("PA1 0 3 0\n", run.Text);
        }
        else
        {
            Assert.Contains($"\"envelope\": \"{shown}\"", run.Text, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("GET / HTTP/1.1")]
    [InlineData("PA2 1 hello")]
    [InlineData("PA1 1 hello ")]
    [InlineData("PA1  1 hello")]
    [InlineData("PA1 -1 hello")]
    [InlineData("PA1 1 Hello")]
    [InlineData("PA1 1 hello\r")]
    [InlineData("PA1 1234567890123456789 hello")]
    [InlineData("PA1 1 validate json a 1")]
    [InlineData("PA1 1 validate xml a 1 1")]
    [InlineData("PA1 1 validate json a -1 1")]
    [InlineData("PA1 1 validate json a 1 99999999999999999999")]
    [InlineData("PA1 1 validate json a +1 1")]
    [InlineData("PA1 1 validate json %4 1 1")]
    [InlineData("PA1 1 validate json %zz 1 1")]
    [InlineData("PA1 1 validate json a 1 1 Raw")]
    [InlineData("PA1 1 validate json a 1 1 raw raw")]
    [InlineData("PA1 1 validate json \u00e9 1 1")]
    public void A_header_that_is_none_ends_the_process(string header)
    {
        CommandRun run = Serve("PA1 5 hello\n", header + "\n", "PA1 6 hello\n");

        Assert.Equal(3, run.Exit);
        Assert.Equal(["PA1 5 0", "PA1 0 3"], Answers(run));
        Assert.NotEmpty(run.Error);
    }

    [Fact]
    public void A_header_is_bounded()
    {
        string label = new('a', 4096 - "PA1 1 validate json  0 0\n".Length);

        Assert.Equal(["PA1 1 3"], Answers(Serve($"PA1 1 validate json {label} 0 0\n")));
        Assert.Equal(["PA1 0 3"], Answers(Serve($"PA1 1 validate json {label}a 0 0\n")));
        Assert.Equal(["PA1 0 3"], Answers(Serve(new string('x', 100_000))));
    }

    [Fact]
    public void Every_byte_of_the_longest_file_name_may_be_encoded()
    {
        string name = string.Concat(Enumerable.Repeat("%22", 255));

        Assert.Equal(["PA1 1 0"], Answers(Serve(Request(1, "json", name, Contract, Good))));
    }

    [Theory]
    [InlineData("PA1 1 hel")]
    [InlineData("PA1 1 validate json a 10 10\n")]
    [InlineData("PA1 1 validate json a 2 10\n{}")]
    [InlineData("PA1 1 validate jsonl a 2 10\n{}123")]
    public void A_request_that_is_cut_ends_the_process(string text)
    {
        CommandRun run = Serve(text);

        Assert.Equal(3, run.Exit);
        Assert.Empty(run.Output);
        Assert.Equal("error: the input ends in the middle of a request\n", run.Error);
    }

    [Fact]
    public void A_body_over_the_limit_is_passed_over()
    {
        const int Over = (16 * 1024 * 1024) + 3;
        string big = new(' ', Over);
        CommandRun run = Serve(
            Request(1, "json", "a", Contract, big),
            Request(2, "json", "a", big, Good),
            Request(3, "jsonl", "a", Contract, $"{Good}\n{big}\n{Good}\n"),
            Request(4, "json", "a", Contract, Good));

        Assert.Equal(["PA1 1 3", "PA1 2 3", "PA1 3 3", "PA1 4 0"], Answers(run));
        Assert.Equal(3, run.Text.Split("\"input.size\"").Length - 1);
        Assert.Contains("\"envelope\": \"a:3\",\n      \"ok\": true", run.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_input_may_come_byte_by_byte()
    {
        byte[] bytes = Encoding.UTF8.GetBytes(Request(1, "jsonl", "a", Contract, $"{Good}\n{Good}") + "PA1 2 bye\n");

        CommandRun run = CommandRun.Of(new SlowStream(bytes, 1), "serve");

        Assert.Equal(["PA1 1 0", "PA1 2 0"], Answers(run));
    }

    [Fact]
    public void A_contract_that_follows_itself_is_not_mistaken_for_another()
    {
        string other = Contract.Replace("\"string\"", "\"null\"", StringComparison.Ordinal);

        CommandRun run = Serve(
            Request(1, "json", "a", Contract, Good),
            Request(2, "json", "a", Contract, Good),
            Request(3, "json", "a", other, Good),
            Request(4, "json", "a", Contract, Good));

        Assert.Equal(["PA1 1 0", "PA1 2 0", "PA1 3 1", "PA1 4 0"], Answers(run));
    }

    [Fact]
    public void A_fault_in_one_request_answers_70_and_the_next_one_is_served()
    {
        string requests = Request(1, "json", "a", Contract, Good) + Request(2, "json", "a", Contract, Good) + "PA1 3 bye\n";
        using var input = new MemoryStream(Encoding.UTF8.GetBytes(requests));
        using var output = new MemoryStream();
        using var error = new MemoryStream();
        int calls = 0;

        int exit = ServeCommand.Serve(
            new(input, output, error),
            contract => ++calls == 1 ? throw new InvalidOperationException() : new(contract));

        var run = new CommandRun(exit, output.ToArray(), Encoding.ASCII.GetString(error.ToArray()));
        Assert.Equal(["PA1 1 70", "PA1 2 0", "PA1 3 0"], Answers(run));
        Assert.Equal(0, run.Exit);
        Assert.StartsWith("internal fault: InvalidOperationException; please report it with ", run.Error, StringComparison.Ordinal);
        File.Delete(run.Error.TrimEnd('\n').Split(' ')[^1]);
    }

    [Fact]
    public void A_report_that_grows_beyond_the_limit_answers_70_and_the_next_one_is_served()
    {
        string lines = string.Concat(Enumerable.Repeat("1\n", 10_000));
        string requests = Request(1, "jsonl", "a", Contract, lines) + Request(2, "json", "a", Contract, Good) + "PA1 3 bye\n";
        using var input = new MemoryStream(Encoding.UTF8.GetBytes(requests));
        using var output = new MemoryStream();
        using var error = new MemoryStream();

        int exit = ServeCommand.Serve(new(input, output, error), contract => new(contract), maxReportBytes: 500_000);

        var run = new CommandRun(exit, output.ToArray(), Encoding.ASCII.GetString(error.ToArray()));
        Assert.Equal(["PA1 1 70", "PA1 2 0", "PA1 3 0"], Answers(run));
        Assert.Equal("error: the report is over 500000 bytes; ask about fewer lines at once\n", run.Error);
    }

    [Fact]
    public void An_input_that_fails_ends_the_process()
    {
        CommandRun run = CommandRun.Of(new BrokenStream(), "serve");

        Assert.Equal(3, run.Exit);
        Assert.Empty(run.Output);
        Assert.Equal("error: broken\n", run.Error);
    }

    private sealed class BrokenStream : MemoryStream
    {
        public override int Read(byte[] buffer, int offset, int count) => throw new IOException("broken");
    }

    private static string Request(int sequence, string format, string label, string contract, string input, string end = "") =>
        $"PA1 {sequence} validate {format} {label} {Encoding.UTF8.GetByteCount(contract)} {Encoding.UTF8.GetByteCount(input)}{end}\n{contract}{input}";

    private static CommandRun Serve(params string[] input)
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(string.Concat(input)));
        return CommandRun.Of(stream, "serve");
    }

    /// <summary>The answers without their bodies, whose lengths are checked on the way.</summary>
    private static List<string> Answers(CommandRun run)
    {
        List<string> answers = [];
        string rest = run.Text;
        while (rest.Length > 0)
        {
            int end = rest.IndexOf('\n', StringComparison.Ordinal);
            string[] words = rest[..end].Split(' ');
            answers.Add(string.Join(' ', words[..3]));
            rest = rest[(end + 1 + int.Parse(words[3], System.Globalization.CultureInfo.InvariantCulture))..];
        }

        return answers;
    }
}
