namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>The checkout that the tests run in, found by walking up from the assembly to the vectors.</summary>
internal static class Repository
{
    public static readonly string Root = Find();

    public static string Path(params string[] parts) => System.IO.Path.Combine([Root, .. parts]);

    private static string Find()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(System.IO.Path.Combine(folder.FullName, "tests", "vectors", "vectors.schema.json")))
            {
                return folder.FullName;
            }
        }

        throw new DirectoryNotFoundException($"no tests/vectors/vectors.schema.json above {AppContext.BaseDirectory}");
    }
}
