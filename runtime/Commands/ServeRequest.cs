using System.Globalization;
using System.Text;

namespace ProtocolArc.Runtime.Commands;

/// <summary>The header line of a request.</summary>
/// <param name="Sequence">The sequence number, as it is echoed.</param>
/// <param name="Verb">What is asked: <c>validate</c>, <c>hello</c> or <c>bye</c>.</param>
internal sealed record ServeRequest(string Sequence, string Verb)
{
    /// <summary>The longest header line, its line feed included.</summary>
    public const int MaxHeaderBytes = 4096;

    private const string Magic = "PA1";
    private const int MaxDigits = 18;

    /// <summary>True when the input holds one envelope per line.</summary>
    public bool IsLines { get; private init; }

    /// <summary>True when documents are bare bodies.</summary>
    public bool IsRaw { get; private init; }

    /// <summary>The file name that results are labelled with.</summary>
    public string Label { get; private init; } = "";

    public long ContractBytes { get; private init; }

    public long InputBytes { get; private init; }

    /// <summary>Read a header line without its line feed; null when it is none.</summary>
    public static ServeRequest? Parse(ReadOnlySpan<byte> line)
    {
        if (line.ContainsAnyExceptInRange((byte)' ', (byte)'~'))
        {
            return null;
        }

        string[] words = Encoding.ASCII.GetString(line).Split(' ');
        return words switch
        {
            [Magic, string sequence, "hello" or "bye"] when TryNumber(sequence, out _) => new(sequence, words[2]),
            [Magic, string sequence, "validate", "json" or "jsonl", string label, string contract, string input, .. string[] last]
                when last is [] or ["raw"]
                && TryNumber(sequence, out _)
                && TryNumber(contract, out long contractBytes)
                && TryNumber(input, out long inputBytes)
                && DecodeLabel(label) is string decoded => new(sequence, words[2])
                {
                    IsLines = words[3] == "jsonl",
                    IsRaw = last.Length > 0,
                    Label = decoded,
                    ContractBytes = contractBytes,
                    InputBytes = inputBytes,
                },
            _ => null,
        };
    }

    private static bool TryNumber(string word, out long number) =>
        long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out number) && word.Length <= MaxDigits;

    /// <summary>Undo the percent-encoding; null when it is none. Bytes that are no UTF-8 become U+DC80-DCFF, as in Python.</summary>
    private static string? DecodeLabel(string word)
    {
        List<byte> bytes = [];
        for (int at = 0; at < word.Length; at++)
        {
            if (word[at] != '%')
            {
                bytes.Add((byte)word[at]);
                continue;
            }

            if (at + 2 >= word.Length
                || !byte.TryParse(word.AsSpan(at + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte value))
            {
                return null;
            }

            bytes.Add(value);
            at += 2;
        }

        var label = new StringBuilder();
        ReadOnlySpan<byte> rest = bytes.ToArray();
        while (!rest.IsEmpty)
        {
            if (Rune.DecodeFromUtf8(rest, out Rune rune, out int length) == System.Buffers.OperationStatus.Done)
            {
                label.Append(rune);
            }
            else
            {
                foreach (byte value in rest[..length])
                {
                    label.Append((char)(0xDC00 + value));
                }
            }

            rest = rest[length..];
        }

        return label.Length > 0 ? label.ToString() : null;
    }
}
