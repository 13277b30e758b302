using System.Runtime.InteropServices;
using ProtocolArc.Runtime.Commands;

Host host = Host.OfProcess();
using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context =>
{
    context.Cancel = true;
    host.Say("interrupted");
    Environment.Exit(ExitCodes.Interrupted);
});
return Application.Run(args, host);
