namespace ProtocolArc.Runtime.Tests.Support;

/// <summary>Counts what some work allocates on this thread.</summary>
internal static class Allocations
{
    /// <summary>Return the least of several runs: the runtime itself allocates now and then, while it compiles what runs.</summary>
    public static long Of(Action work)
    {
        work();
        long least = long.MaxValue;
        for (int run = 0; run < 5; run++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            work();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
