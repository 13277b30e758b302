using Microsoft.AspNetCore.Http.Features;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Gateway;

/// <summary>Middleware of the proxy: checks the body of a request against the contract that its route names.</summary>
internal sealed class ContractGate(string root, IEnumerable<string> contracts)
{
    /// <summary>The key of a route's metadata that holds the path of a contract, seen from the content root.</summary>
    public const string MetadataKey = "Contract";

    /// <summary>Larger bodies are answered 413: no document of the JSON profile is larger.</summary>
    public const int MaxBodyBytes = 16 * 1024 * 1024;

    private readonly Dictionary<string, Validator> _validators =
        contracts.Distinct().ToDictionary(path => path, path => new Validator(Contract.Load(File.ReadAllBytes(Path.Combine(root, path)))));

    /// <summary>Pass a good request on; answer a bad one with 422 and what is wrong with it.</summary>
    public async Task CheckAsync(HttpContext context, RequestDelegate next)
    {
        IReadOnlyDictionary<string, string>? metadata = context.GetReverseProxyFeature().Route.Config.Metadata;
        if (metadata?.GetValueOrDefault(MetadataKey) is not string contract || !MayHaveBody(context))
        {
            await next(context);
            return;
        }

        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body, context.RequestAborted);
        ValidationResult result = _validators[contract].ValidateBody(body.GetBuffer().AsSpan(0, (int)body.Length));
        if (result.Ok)
        {
            body.Position = 0;
            context.Request.Body = body;
            await next(context);
            return;
        }

        context.Response.StatusCode = StatusCodes.Status422UnprocessableEntity;
        await context.Response.WriteAsJsonAsync(Answer(result), context.RequestAborted);
    }

    /// <summary>Only what cannot carry a body passes unread; a POST without one lacks what the contract asks for.</summary>
    private static bool MayHaveBody(HttpContext context) =>
        HttpMethods.IsPost(context.Request.Method) || context.Features.Get<IHttpRequestBodyDetectionFeature>()?.CanHaveBody != false;

    private static Dictionary<string, object> Answer(ValidationResult result) => result.Fault is Fault fault
        ? new() { ["ok"] = false, ["error"] = new { fault.Code, fault.Offset } }
        : new()
        {
            ["ok"] = false,
            ["findings"] = result.Findings.Select(finding => new
            {
                finding.Rule,
                finding.Field,
                Severity = finding.Severity == Severity.Error ? "error" : "warning",
                finding.Message,
            }),
        };
}
