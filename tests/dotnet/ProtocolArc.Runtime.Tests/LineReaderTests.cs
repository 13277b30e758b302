using System.Text;
using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Loading;
using ProtocolArc.Runtime.Tests.Support;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

public sealed class LineReaderTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("\n", "1:")]
    [InlineData("a", "1:a")]
    [InlineData("a\r", "1:a")]
    [InlineData("a\nb", "1:a|2:b")]
    [InlineData("a\r\nb\n", "1:a|2:b")]
    [InlineData("a\r\r\n\n\u2028\u0085\v\f\n", "1:a\r|2:|3:\u2028\u0085\v\f")]
    public void A_line_ends_at_a_line_feed_and_nowhere_else(string text, string expected)
    {
        foreach (int step in (int[])[1, 2, 3, 1000])
        {
            Assert.Equal(expected, string.Join('|', Read(new SlowStream(Encoding.UTF8.GetBytes(text), step))));
        }
    }

    [Fact]
    public void Lines_longer_than_the_buffer_are_whole()
    {
        string text = string.Join('\n', Enumerable.Range(1, 6).Select(count => new string((char)('a' + count), count * 50_000)));

        Assert.Equal(
            text.Split('\n').Select((line, index) => $"{index + 1}:{line}"),
            Read(new SlowStream(Encoding.UTF8.GetBytes(text), 70_000)));
    }

    [Fact]
    public void The_limit_does_not_count_the_end_of_the_line()
    {
        byte[] limit = Enumerable.Repeat((byte)'x', JsonProfile.MaxDocumentBytes).ToArray();
        using var input = new MemoryStream(
            [.. limit, .. "\r\n"u8, .. limit, .. "x\n"u8, .. limit, .. "\r\r\n"u8, .. "a\n"u8, .. limit, .. limit, .. limit, .. "\nb\n"u8, .. limit, (byte)'\r']);

        Assert.Equal(
            [limit.Length, -1, -1, 1, -1, 1, limit.Length],
            Lengths(input));
    }

    private static List<int> Lengths(Stream input)
    {
        List<int> lengths = [];
        var reader = new LineReader(input);
        while (reader.TryRead(out ReadOnlySpan<byte> line, out bool isOversize))
        {
            lengths.Add(isOversize ? -1 : line.Length);
        }

        return lengths;
    }

    private static List<string> Read(Stream input)
    {
        List<string> lines = [];
        var reader = new LineReader(input);
        while (reader.TryRead(out ReadOnlySpan<byte> line, out _))
        {
            lines.Add($"{reader.Number}:{Encoding.UTF8.GetString(line)}");
        }

        return lines;
    }
}
