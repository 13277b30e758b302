namespace ProtocolArc.Runtime.Commands;

/// <summary>A report that is longer than an answer may be.</summary>
internal sealed class LongReportException(long limit) : Exception($"the report is over {limit} bytes; ask about fewer lines at once");

/// <summary>The report of one request. Its length has to be known before it is sent, so it is held, up to a limit.</summary>
internal sealed class ReportStream(long limit) : MemoryStream
{
    public override void Write(byte[] buffer, int offset, int count)
    {
        if (Length + count > limit)
        {
            throw new LongReportException(limit);
        }

        base.Write(buffer, offset, count);
    }
}
