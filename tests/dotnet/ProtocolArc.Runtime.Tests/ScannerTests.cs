using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Loading;
using ProtocolArc.Runtime.Tests.Support;
using ProtocolArc.Runtime.Validation;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

/// <summary>The fast path may only accept what the exact path accepts without a finding.</summary>
public sealed class ScannerTests
{
    private static readonly byte[][] Pieces =
    [
        .. ((string[])[
            "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\t", "\r", "\n", "\0", "\u007f", "null", "true", "tru", "NaN", "1", "0", "01",
            "-", "1.", "1e", "1e2", "1.0", "2.50", "1e9999999999", "\\u00e9", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\u12", "\\x", "\u00e9",
            "\U0001F600", "\"a\":1,", "\"a\":null,", "//", "{}", "[]", "\"\"", "\"level\":1,", "\"level\":1.0,", "\"level\":100,", "\"id\":7,",
        ]).Select(Samples.Bytes),
        [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xEF, 0xBB, 0xBF], [0xF4, 0x90, 0x80, 0x80],
        .. ((int[])[1, 61, 62, 63, 64, 65]).Select(depth => Samples.Bytes(new string('[', depth) + new string(']', depth))),
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void It_agrees_with_the_exact_path_on_mutated_envelopes(int seed)
    {
        var random = new Random(seed);
        Validator validator = Samples.Validator();
        int accepted = 0;
        for (int round = 0; round < 20_000; round++)
        {
            byte[] envelope = Mutate(random, Samples.PassingLine);
            ValidationResult quick = validator.Validate(envelope);
            ValidationResult exact = validator.JudgeExactly(envelope, isBody: false);
            accepted += exact.Ok ? 1 : 0;
            Assert.Equal(exact.Fault, quick.Fault);
            Assert.Equal(exact.Findings, quick.Findings);
        }

        Assert.InRange(accepted, 1_000, 19_000);
    }

    [Fact]
    public void It_agrees_with_the_reference_parser_on_the_items_of_arrays()
    {
        var random = new Random(5);
        byte[] array = [(byte)'[', .. Samples.PassingLine, (byte)',', (byte)' ', .. "1, \"x\" ,[],{}"u8, (byte)']'];
        int accepted = 0;
        for (int round = 0; round < 20_000; round++)
        {
            byte[] document = Mutate(random, array);
            List<Range>? items = null, exact = null;
            JsonFormatException? fault = null, exactFault = null;
            try
            {
                items = JsonItems.Find(document);
            }
            catch (JsonFormatException error)
            {
                fault = error;
            }

            try
            {
                JsonValue root = JsonParser.Parse(document);
                exact = root.Atom == Atoms.Array ? [.. root.Items.Select(item => item.Start..item.End)] : null;
            }
            catch (JsonFormatException error)
            {
                exactFault = error;
            }

            accepted += exact is null ? 0 : 1;
            if (items is not null || fault is not null) // else it is for the validator to say
            {
                Assert.Equal((exactFault?.Code, exactFault?.Offset), (fault?.Code, fault?.Offset));
                Assert.Equal(exact, items);
            }
        }

        Assert.InRange(accepted, 1_000, 19_000);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(33)]
    [InlineData(1000)]
    public void It_accepts_objects_of_any_size_and_finds_the_key_that_stands_twice(int count)
    {
        Validator validator = Samples.Validator("""{"name":"c","revision":"1.0.0","kind":"mcp","fields":[{"name":"m.*","type":"object"},{"name":"m.k0","type":"object"}]}""");
        string large = "{" + string.Join(',', Enumerable.Range(0, count).Select(index => $"\"k{index}\":1")) + "}";
        string members = string.Join(',', Enumerable.Range(0, count + 1).Select(index => $"\"k{index}\":{(index < 3 ? large : "{}")}"));
        byte[] body = Samples.Bytes($"{{\"m\":{{{members}}}}}");
        byte[] twice = Samples.Bytes($"{{\"m\":{{{members},\"k{count}\":{{}}}}}}");

        Assert.True(validator.ValidateBody(body).Ok);
        Assert.Equal(0, Allocations.Of(() => validator.ValidateBody(body)));
        Assert.Equal(JsonProfile.DuplicateKey, validator.ValidateBody(twice).Fault?.Code);
    }

    [Fact]
    public void Every_vector_gets_the_same_answer_from_both_paths()
    {
        foreach (Vector vector in Vector.All.Values.Where(vector => !vector.Expect.TryGetProperty("errors", out _)))
        {
            var validator = new Validator(Model.Contract.Load(vector.Contract));
            using var stream = new MemoryStream(vector.Input);
            var lines = new LineReader(stream);
            while (lines.TryRead(out ReadOnlySpan<byte> line, out _))
            {
                ValidationResult quick = validator.Judge(line, vector.IsRaw), exact = validator.JudgeExactly(line, vector.IsRaw);
                Assert.Equal(exact.Fault, quick.Fault);
                Assert.Equal(exact.Findings, quick.Findings);
            }
        }
    }

    private static byte[] Mutate(Random random, byte[] source)
    {
        List<byte> bytes = [.. source];
        for (int edits = random.Next(1, 3); edits > 0; edits--)
        {
            int at = random.Next(bytes.Count);
            byte[] piece = Pieces[random.Next(Pieces.Length)];
            switch (random.Next(6))
            {
                case 0:
                    bytes.RemoveAt(at);
                    break;
                case 1:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 2:
                    bytes.InsertRange(at, bytes.Skip(random.Next(bytes.Count)).Take(random.Next(20)).ToArray());
                    break;
                case 3 when random.Next(4) == 0:
                    bytes.RemoveRange(at, bytes.Count - at);
                    bytes.Add((byte)'}');
                    break;
                default:
                    bytes.InsertRange(at, piece);
                    break;
            }
        }

        return [.. bytes];
    }
}
