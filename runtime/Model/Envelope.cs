using ProtocolArc.Runtime.Json;

namespace ProtocolArc.Runtime.Model;

/// <summary>One message. <c>Contract</c> is absent for a bare body, which targets whatever it is checked against.</summary>
internal sealed record Envelope(JsonValue Data, string? Contract = null, string? Revision = null);
