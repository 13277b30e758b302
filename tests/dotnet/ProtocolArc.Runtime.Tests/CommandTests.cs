using System.Text;
using ProtocolArc.Runtime.Tests.Support;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

public sealed class CommandTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly string _contract;
    private readonly string _good;

    public CommandTests()
    {
        _contract = _folder.Write("contract.json", Samples.ContractText);
        _good = _folder.Write("good.json", Samples.Passing);
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Describe_shows_the_fields_as_a_table()
    {
        CommandRun run = CommandRun.Of("describe", _contract);

        Assert.Equal(0, run.Exit);
        Assert.Equal(
            """
            mcp.tool_call@1.0.0  mcp.tool_call
            kind mcp, side request, strict, 9 fields
              field                 type                required  enum
              jsonrpc               string              yes       {'2.0'}
              id                    string|integer      yes       -
              params.name           string              yes       -
              params.arguments      object              no        -
              params.parts          array               no        -
              params.parts[*].text  string              yes       -
              params.meta           object              no        -
              params.meta.*         string|number|null  yes       -
              params.meta.level     number              yes       {1, 2.5, 1e2}

            """.ReplaceLineEndings("\n"),
            run.Text);
    }

    [Fact]
    public void Json_lines_are_compact()
    {
        string input = _folder.Write("in.jsonl", "{}\n\n" + Samples.Passing.ReplaceLineEndings(" "));

        CommandRun run = CommandRun.Of("validate", _contract, input, "--jsonl");

        Assert.Equal(3, run.Exit);
        Assert.Equal(
            "{\"envelope\":\"in.jsonl:1\",\"ok\":false,\"error\":{\"code\":\"envelope.key_missing\",\"offset\":0}}\n"
            + "{\"envelope\":\"in.jsonl:3\",\"ok\":true,\"findings\":[]}\n",
            run.Text);
    }

    [Fact]
    public void A_directory_stands_for_its_files_in_byte_order()
    {
        foreach (string name in (string[])["d/b.json", "d/B.json", "d/a/z.ndjson", "d/.hidden.json", "d/x.txt", "d/a-b.jsonl", "d/b/b.json"])
        {
            _folder.Write(name, Samples.PassingLine);
        }

        CommandRun run = CommandRun.Of("validate", _contract, $"{_folder.Path}/d/");

        string top = $"[PASS] mcp.tool_call@1.0.0 <- {_folder.Path}/d";
        Assert.Equal(
            [
                "[PASS] mcp.tool_call@1.0.0 <- B.json",
                "[PASS] mcp.tool_call@1.0.0 <- a-b.jsonl:1",
                "[PASS] mcp.tool_call@1.0.0 <- z.ndjson:1",
                $"{top}/b.json",
                $"{top}/b/b.json",
            ],
            run.Text.TrimEnd('\n').Split('\n'));
    }

    [Fact]
    public void What_cannot_be_read_is_a_result_and_the_rest_is_still_checked()
    {
        Directory.CreateDirectory(Path.Combine(_folder.Path, "empty"));

        CommandRun run = CommandRun.Of("validate", _contract, $"{_folder.Path}/none.json", $"{_folder.Path}/empty", "", _good);

        Assert.Equal(3, run.Exit);
        Assert.Equal(
            "[ERROR] none.json input.unreadable\n[ERROR] empty input.empty\n[ERROR]  input.unreadable\n"
            + "[PASS] mcp.tool_call@1.0.0 <- good.json\n",
            run.Text);
        Assert.Contains("empty: no *.json *.jsonl *.ndjson below\n", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_contract_that_does_not_load_is_told_on_standard_error()
    {
        string contract = _folder.Write("bad.json", """{"name":"c","revision":"1","kind":"mcp","fields":[{"name":"a","requird":true}]}""");

        CommandRun run = CommandRun.Of("validate", contract, _good);

        Assert.Equal(3, run.Exit);
        Assert.Empty(run.Output);
        Assert.Contains("[ERROR] bad.json contract.revision at byte 23 /revision: ", run.Error, StringComparison.Ordinal);
        Assert.Contains("/fields/0/requird: unknown key 'requird', did you mean 'required'?\n", run.Error, StringComparison.Ordinal);
        Assert.Equal(3, CommandRun.Of("describe", contract).Exit);
    }

    [Fact]
    public void A_contract_that_cannot_be_read_has_no_offset()
    {
        CommandRun run = CommandRun.Of("validate", $"{_folder.Path}/none.json", _good, "--json");

        Assert.Equal(3, run.Exit);
        Assert.Contains("\"code\": \"input.unreadable\",\n      \"pointer\": \"\",\n      \"offset\": null\n", run.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Standard_input_holds_lines()
    {
        using var input = new MemoryStream([.. Samples.PassingLine, (byte)'\r', (byte)'\n']);

        CommandRun run = CommandRun.Of(input, "validate", _contract, "-");

        Assert.Equal("[PASS] mcp.tool_call@1.0.0 <- -:1\n", run.Text);
    }

    [Theory]
    [InlineData]
    [InlineData("nonsense")]
    [InlineData("validate")]
    [InlineData("validate", "contract.json")]
    [InlineData("validate", "c", "e", "--yaml")]
    [InlineData("validate", "c", "e", "--json", "--jsonl")]
    [InlineData("describe")]
    [InlineData("describe", "a", "b")]
    [InlineData("selfcheck", "x")]
    [InlineData("serve", "x")]
    public void Usage_errors_are_3(params string[] arguments)
    {
        CommandRun run = CommandRun.Of(arguments);

        Assert.Equal(3, run.Exit);
        Assert.Empty(run.Output);
        Assert.StartsWith("error: ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Help_and_labels_are_ascii()
    {
        string input = _folder.Write("caf\u00e9 'x'.json", Samples.Passing);

        Assert.True(Ascii.IsValid(CommandRun.Of("--help").Output));
        Assert.Equal(CommandRun.Of("--help").Text, CommandRun.Of("validate", "--help").Text);
        Assert.Equal("[PASS] mcp.tool_call@1.0.0 <- caf\\u00e9 'x'.json\n", CommandRun.Of("validate", _contract, "--", input).Text);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 3)]
    public void An_array_over_the_size_limit_is_one_fault(int over, int exit)
    {
        string array = "[" + Samples.Passing + "]";
        string input = _folder.Write("big.json", array.PadRight((16 * 1024 * 1024) + over) + "\r\n");

        CommandRun run = CommandRun.Of("validate", _contract, input);

        Assert.Equal(exit, run.Exit);
        Assert.Equal(exit == 0 ? "[PASS] mcp.tool_call@1.0.0 <- big.json[0]\n" : "[ERROR] big.json input.size at byte 0\n", run.Text);
    }

    [Fact]
    public void A_disk_that_is_full_is_an_error()
    {
        using var error = new MemoryStream();

        int exit = Commands.Application.Run(["validate", _contract, _good], new(Stream.Null, new FullStream(), error));

        Assert.Equal(3, exit);
        Assert.Equal("error: cannot write standard output: full\n", Encoding.ASCII.GetString(error.ToArray()));
    }

    private sealed class FullStream : MemoryStream
    {
        public override void Write(byte[] buffer, int offset, int count) => throw new IOException("full");
    }
}
