using ProtocolArc.Runtime.Commands;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Rules;
using ProtocolArc.Runtime.Tests.Support;
using ProtocolArc.Runtime.Validation;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

public sealed class ValidatorTests
{
    [Fact]
    public void An_envelope_that_passes_costs_no_allocation()
    {
        Validator validator = Samples.Validator();
        byte[] envelope = Samples.PassingLine;
        bool ok = true;

        long allocated = Allocations.Of(() =>
        {
            for (int round = 0; round < 1_000; round++)
            {
                ok &= validator.Validate(envelope).Ok;
            }
        });

        Assert.True(ok);
        Assert.Equal(0, allocated);
    }

    [Fact]
    public void A_run_over_lines_that_pass_allocates_no_more_when_it_is_longer()
    {
        Validator validator = Samples.Validator();
        long Allocated(int lines)
        {
            byte[] line = [.. Samples.PassingLine, (byte)'\n'];
            using var input = new MemoryStream([.. Enumerable.Repeat(line, lines).SelectMany(bytes => bytes)]);
            return Allocations.Of(() =>
            {
                input.Position = 0;
                var run = new ValidationRun(validator, new Output.JsonResults(new(Stream.Null)), isRaw: false);
                run.Begin();
                run.Lines("in.jsonl", new(input));
                run.End();
                Assert.Equal(0, run.ExitCode);
            });
        }

        Assert.Equal(Allocated(100), Allocated(10_000));
    }

    [Fact]
    public void One_validator_serves_many_threads()
    {
        Validator validator = Samples.Validator();
        byte[] bad = Samples.Bytes("""{"contract":"x","data":{"jsonrpc":"1","id":null}}""");
        string expected = Show(validator.Validate(bad));

        Parallel.For(0, 2_000, _ =>
        {
            Assert.True(validator.Validate(Samples.PassingLine).Ok);
            Assert.Equal(expected, Show(validator.Validate(bad)));
        });
    }

    [Fact]
    public void Findings_and_faults_are_data()
    {
        Validator validator = Samples.Validator();

        ValidationResult failed = validator.Validate(Samples.Bytes("""{"contract":"x","data":{"jsonrpc":"2.0","id":true,"params":{"name":"e"}}}"""));
        ValidationResult broken = validator.Validate("{"u8);
        ValidationResult body = validator.ValidateBody(Samples.Bytes("""{"jsonrpc":"2.0","id":1,"params":{"name":"e"}}"""));

        Assert.False(failed.Ok);
        Assert.Null(failed.Fault);
        Assert.Equal(
            [
                new Finding("contract.match", "@contract", Severity.Error, "envelope targets 'x', contract is 'mcp.tool_call'"),
                new Finding("field.type", "id", Severity.Error, "expected string|integer, got boolean"),
            ],
            failed.Findings);
        Assert.Equal(new Fault("json.syntax", 1), broken.Fault);
        Assert.Empty(broken.Findings);
        Assert.True(body.Ok);
    }

    [Fact]
    public void A_contract_that_does_not_load_tells_every_problem()
    {
        ContractException error = Assert.Throws<ContractException>(() => Contract.Load("""{"name":"","kind":"mcp","fields":[{}]}"""u8));

        Assert.Equal(
            [("contract.key_missing", "", 0L), ("contract.name", "/name", 8L), ("contract.key_missing", "/fields/0", 34L), ("contract.key_missing", "/fields/0", 34L)],
            error.Problems.Select(problem => (problem.Code, problem.Pointer, problem.Offset!.Value)));
    }

    [Theory]
    [InlineData("a", "string|integer", "a.b", "its path needs an object where the contract admits only string|integer")]
    [InlineData("a", "number|boolean", "a[*]", "its path needs an array where the contract admits only number|boolean")]
    [InlineData("a.b", "string", "a[*]", "its path needs an array where the contract admits only object")]
    public void An_unreachable_field_is_told_what_is_admitted_instead(string above, string types, string field, string hint)
    {
        string listed = string.Join("\",\"", types.Split('|'));
        string contract = $$"""
            {"name":"c","revision":"1.0.0","kind":"mcp","fields":[{"name":"{{above}}","type":["{{listed}}"]},{"name":"{{field}}","type":"any"}]}
            """;

        ContractException error = Assert.Throws<ContractException>(() => Contract.Load(Samples.Bytes(contract)));

        Assert.Contains(hint, error.Problems.Select(problem => problem.Hint));
    }

    [Fact]
    public void Every_rule_is_registered()
    {
        IEnumerable<string> classes = typeof(Rule).Assembly.GetTypes()
            .Where(type => type.IsSubclassOf(typeof(Rule)) && !type.IsAbstract).Select(type => type.Name);

        Assert.Equal(classes.Order(), RuleSet.All.Select(rule => rule.GetType().Name).Order());
        Assert.All(RuleSet.All, rule => Assert.Equal(
            string.Concat(rule.Info.Id.Split('.').Select(word => char.ToUpperInvariant(word[0]) + word[1..])) + "Rule",
            rule.GetType().Name));
    }

    [Fact]
    public void The_rules_are_those_of_the_python_package_in_the_same_order()
    {
        string[] names = [.. File.ReadLines(Repository.Path("protocolarc", "rules", "validation", "__init__.py"))
            .Where(line => line.EndsWith(".RULE,", StringComparison.Ordinal))
            .Select(line => line.Trim().Split('.')[0])];

        Assert.Equal(names.Select(name => name.Replace('_', '.')), RuleSet.Rules.Select(rule => rule.Id));
        Assert.All(names.Zip(RuleSet.Rules), pair =>
        {
            string source = File.ReadAllText(Repository.Path("protocolarc", "rules", "validation", $"{pair.First}.py"));
            Assert.Contains($"id=\"{pair.Second.Id}\"", source, StringComparison.Ordinal);
            Assert.Contains($"summary=\"{pair.Second.Summary}\"", source, StringComparison.Ordinal);
            Assert.Contains($"Severity.{pair.Second.Severity.ToString().ToUpperInvariant()}", source, StringComparison.Ordinal);
        });
    }

    private static string Show(ValidationResult result) => string.Join('\n', result.Findings);
}
