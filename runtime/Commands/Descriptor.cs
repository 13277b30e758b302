using System.Runtime.InteropServices;

namespace ProtocolArc.Runtime.Commands;

/// <summary>The descriptors of the standard streams on Unix, where any of them may be closed.</summary>
internal static class Descriptor
{
    public const int Input = 0;
    public const int Output = 1;
    public const int Error = 2;

    // The same on every Unix.
    private const int GetDescriptorFlags = 1;
    private const int GetStatusFlags = 3;
    private const int CloseOnExec = 1;
    private const int AccessMode = 3;
    private const int ReadOnly = 0;
    private const int WriteOnly = 1;

    /// <summary>
    /// Tell whether the process was started with a descriptor that can be used so. Where one was closed, the runtime may
    /// have opened a file or a pipe of its own under its number before any code of ours runs; that one is marked to be
    /// closed on exec, as no descriptor is that came through an exec.
    /// </summary>
    public static bool IsGiven(int descriptor, FileAccess access)
    {
        if (OperatingSystem.IsWindows())
        {
            return true;
        }

        int flags = Control(descriptor, GetDescriptorFlags);
        int refused = access == FileAccess.Read ? WriteOnly : ReadOnly;
        return flags >= 0 && (flags & CloseOnExec) == 0 && (Control(descriptor, GetStatusFlags) & AccessMode) != refused;
    }

    [DllImport("libc", EntryPoint = "fcntl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Control(int descriptor, int command);
}
