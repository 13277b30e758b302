using System.Text;

namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>A folder that is gone when the test is over.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("protocolarc-").FullName;

    public string Write(string name, byte[] content)
    {
        string path = System.IO.Path.Combine(Path, name);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        return path;
    }

    public string Write(string name, string content) => Write(name, Encoding.UTF8.GetBytes(content));

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
