using System.Text;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>One file to read, <c>-</c> for standard input, or the fault that stands for an argument without any.</summary>
/// <param name="Path">The path as given; below a directory, joined with <c>/</c>.</param>
/// <param name="Label">What reports call it.</param>
/// <param name="Fault">Why there is nothing to read.</param>
/// <param name="Reason">The same in words; it is no part of a report.</param>
internal sealed record Source(string Path, string Label, Fault? Fault = null, string Reason = "")
{
    public const string StandardInput = "-";
    public const string Unreadable = "input.unreadable";
    public const string Empty = "input.empty";

    /// <summary>What the library puts in place of bytes of a name that are no UTF-8.</summary>
    private const char Replacement = '\uFFFD';

    private static readonly string[] Suffixes = [".json", ".jsonl", ".ndjson"];
    private static readonly char[] Separators = ['/', System.IO.Path.DirectorySeparatorChar];

    /// <summary>
    /// Expand directories into the files below them, and label each input by its base name; inputs that share a base
    /// name are labelled by their path as given.
    /// </summary>
    public static IReadOnlyList<Source> Find(IEnumerable<string> arguments)
    {
        Source[] found = [.. arguments.SelectMany(Expand)];
        Dictionary<string, int> counts = found.CountBy(source => source.Label, StringComparer.Ordinal).ToDictionary(StringComparer.Ordinal);
        return [.. found.Select(source => counts[source.Label] > 1 ? source with { Label = source.Path } : source)];
    }

    /// <summary>Return the last part of a path, or the path where there is none.</summary>
    public static string BaseName(string path)
    {
        string trimmed = path.TrimEnd(Separators);
        string name = trimmed[(trimmed.LastIndexOfAny(Separators) + 1)..];
        return name.Length > 0 ? name : path;
    }

    /// <summary>Open a file for one pass from its start to its end; null with a reason when that cannot be done.</summary>
    public static Stream? Open(string path, out string reason)
    {
        reason = "";
        try
        {
            return new FileStream(path, new FileStreamOptions { Share = FileShare.ReadWrite | FileShare.Delete, BufferSize = 0 });
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            reason = ReasonOf(error, path);
            return null;
        }
    }

    private static IEnumerable<Source> Expand(string argument)
    {
        if (argument == StandardInput)
        {
            return [new(StandardInput, StandardInput)];
        }

        if (!Directory.Exists(argument))
        {
            return [new(argument, BaseName(argument))];
        }

        string top = argument.TrimEnd(Separators);
        List<Source> found = [.. Walk(top.Length > 0 ? top : argument)];
        found.Sort((left, right) => Bytes(left).AsSpan().SequenceCompareTo(Bytes(right)));
        string reason = $"no {string.Join(' ', Suffixes.Select(suffix => $"*{suffix}"))} below";
        return found.Count > 0 ? found : [new(argument, BaseName(argument), new(Empty, null), reason)];
    }

    /// <summary>Yield the files below a directory, hidden ones and symbolic links left out.</summary>
    private static IEnumerable<Source> Walk(string folder)
    {
        List<FileSystemInfo> entries = [];
        Source? failed = null;
        try
        {
            entries.AddRange(new DirectoryInfo(folder).EnumerateFileSystemInfos());
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            failed = new(folder, BaseName(folder), new(Unreadable, null), ReasonOf(error, folder));
        }

        if (failed is not null)
        {
            return [failed];
        }

        return entries
            .Where(entry => !entry.Name.StartsWith('.') && (IsLost(entry) || !entry.Attributes.HasFlag(FileAttributes.ReparsePoint)))
            .SelectMany(entry =>
            {
                string path = $"{folder.TrimEnd('/')}/{entry.Name}";
                return entry is DirectoryInfo ? Walk(path)
                    : Suffixes.Any(suffix => entry.Name.EndsWith(suffix, StringComparison.Ordinal)) ? [new(path, entry.Name)]
                    : Enumerable.Empty<Source>();
            });
    }

    /// <summary>Tell whether an entry cannot be found by the name that was listed; to open it will say why.</summary>
    private static bool IsLost(FileSystemInfo entry) => entry.Attributes == (FileAttributes)(-1);

    /// <summary>Say in a few words why a file cannot be read; the words of the framework repeat its path.</summary>
    private static string ReasonOf(Exception error, string path) => error switch
    {
        FileNotFoundException or DirectoryNotFoundException when path.Contains(Replacement) =>
            "no such file or directory; a name that is not UTF-8 cannot be opened",
        FileNotFoundException or DirectoryNotFoundException or ArgumentException => "no such file or directory",
        UnauthorizedAccessException when Directory.Exists(path) => "is a directory",
        UnauthorizedAccessException => "permission denied",
        _ => error.Message,
    };

    private static byte[] Bytes(Source source) => Encoding.UTF8.GetBytes(source.Path);
}
