namespace ProtocolArc.Gateway;

/// <summary>A reverse proxy that lets a request through only when its body keeps to the contract of its route.</summary>
internal static class GatewayApplication
{
    /// <summary>Build the gateway from <c>appsettings.json</c>, the environment and the command line.</summary>
    public static WebApplication Build(string[] arguments)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(arguments);
        IConfigurationSection proxy = builder.Configuration.GetSection("ReverseProxy");
        builder.WebHost.ConfigureKestrel(server => server.Limits.MaxRequestBodySize = ContractGate.MaxBodyBytes);
        builder.Services.AddReverseProxy().LoadFromConfig(proxy);
        WebApplication application = builder.Build();

        // Contracts are compiled once, and a contract that does not load stops the gateway before it takes a request.
        var gate = new ContractGate(builder.Environment.ContentRootPath, proxy.GetSection("Routes").GetChildren()
            .Select(route => route[$"Metadata:{ContractGate.MetadataKey}"])
            .OfType<string>());
        application.MapReverseProxy(pipeline => pipeline.Use(gate.CheckAsync));
        return application;
    }
}
