using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Output;

namespace ProtocolArc.Runtime.Commands;

/// <summary><c>describe</c>: the field table of a contract.</summary>
internal static class DescribeCommand
{
    public static int Run(CommandLine line, Host host)
    {
        line.Expect(1, 1, "CONTRACT");
        Contract? contract = ContractFile.Load(line.Words[0], host, out _);
        if (contract is null)
        {
            return ExitCodes.Input;
        }

        var output = new AsciiWriter(host.Output);
        ContractTable.Write(output, contract);
        output.Flush();
        return ExitCodes.Success;
    }
}
