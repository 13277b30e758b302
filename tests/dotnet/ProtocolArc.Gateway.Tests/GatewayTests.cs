using System.Net;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Xunit;

namespace ProtocolArc.Gateway.Tests;

/// <summary>Real requests through a real proxy to a real server, all on this machine.</summary>
public sealed class GatewayTests : IAsyncLifetime
{
    private const string Contract = """
        {"name":"c","revision":"1.0.0","kind":"mcp","fields":[{"name":"method","type":"string","enum":["tools/call"]}]}
        """;

    private readonly string _root = Directory.CreateTempSubdirectory("protocolarc-gateway-").FullName;
    private readonly List<string> _received = [];
    private readonly HttpClient _client = new() { DefaultRequestHeaders = { ExpectContinue = true } };
    private WebApplication? _server;
    private WebApplication? _gateway;

    public async ValueTask InitializeAsync()
    {
        await File.WriteAllTextAsync(Path.Combine(_root, "contract.json"), Contract);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(["--urls", "http://127.0.0.1:0"]);
        _server = builder.Build();
        _server.Run(async context =>
        {
            using var reader = new StreamReader(context.Request.Body, Encoding.UTF8);
            _received.Add(await reader.ReadToEndAsync());
            await context.Response.WriteAsync("served");
        });
        await _server.StartAsync();

        const string Routes = "--ReverseProxy:Routes";
        _gateway = GatewayApplication.Build(
        [
            "--contentRoot", _root,
            "--urls", "http://127.0.0.1:0",
            $"{Routes}:checked:ClusterId", "server",
            $"{Routes}:checked:Match:Path", "/mcp",
            $"{Routes}:checked:Metadata:Contract", "contract.json",
            $"{Routes}:open:ClusterId", "server",
            $"{Routes}:open:Match:Path", "/open",
            "--ReverseProxy:Clusters:server:Destinations:one:Address", _server.Urls.Single(),
        ]);
        await _gateway.StartAsync();
        _client.BaseAddress = new(_gateway.Urls.Single());
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _gateway!.DisposeAsync();
        await _server!.DisposeAsync();
        Directory.Delete(_root, recursive: true);
    }

    [Fact]
    public async Task A_body_that_keeps_the_contract_reaches_the_server_as_it_was_sent()
    {
        (HttpStatusCode status, string answer) = await Post("/mcp", """{ "method" : "tools\/call" }""");

        Assert.Equal((HttpStatusCode.OK, "served"), (status, answer));
        Assert.Equal(["""{ "method" : "tools\/call" }"""], _received);
    }

    [Theory]
    [InlineData(
        """{"method":"tools/list"}""",
        """{"ok":false,"findings":[{"rule":"field.enum","field":"method","severity":"error","message":"value 'tools/list' not in {'tools/call'}"}]}""")]
    [InlineData("""{"method":}""", """{"ok":false,"error":{"code":"json.syntax","offset":10}}""")]
    public async Task A_body_that_breaks_it_is_answered_with_what_is_wrong(string body, string expected)
    {
        (HttpStatusCode status, string answer) = await Post("/mcp", body);

        Assert.Equal((HttpStatusCode.UnprocessableEntity, expected), (status, answer));
        Assert.Empty(_received);
    }

    [Theory]
    [InlineData("GET", "", HttpStatusCode.OK)]
    [InlineData("DELETE", "", HttpStatusCode.OK)]
    [InlineData("POST", "", HttpStatusCode.UnprocessableEntity)]
    [InlineData("PUT", "{}", HttpStatusCode.UnprocessableEntity)]
    [InlineData("PATCH", "{}", HttpStatusCode.UnprocessableEntity)]
    [InlineData("DELETE", "{}", HttpStatusCode.UnprocessableEntity)]
    public async Task A_body_is_checked_whatever_the_method(string method, string body, HttpStatusCode expected)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), "/mcp");
        request.Content = body.Length > 0 ? new StringContent(body) : null;

        using HttpResponseMessage response = await _client.SendAsync(request, TestContext.Current.CancellationToken);

        Assert.Equal(expected, response.StatusCode);
    }

    [Fact]
    public async Task A_route_without_a_contract_is_open()
    {
        (HttpStatusCode status, string answer) = await Post("/open", "anything");

        Assert.Equal((HttpStatusCode.OK, "served"), (status, answer));
        Assert.Equal(["anything"], _received);
    }

    [Fact]
    public async Task A_body_over_the_limit_is_refused()
    {
        (HttpStatusCode status, _) = await Post("/mcp", new string(' ', (16 * 1024 * 1024) + 1));

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, status);
        Assert.Empty(_received);
    }

    private async Task<(HttpStatusCode Status, string Answer)> Post(string path, string body)
    {
        using var content = new StringContent(body, Encoding.UTF8, "application/json");
        using HttpResponseMessage response = await _client.PostAsync(new Uri(path, UriKind.Relative), content, TestContext.Current.CancellationToken);
        return (response.StatusCode, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
    }
}
