using ProtocolArc.Gateway;

await GatewayApplication.Build(args).RunAsync();
