using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>The shape of an envelope.</summary>
internal static class EnvelopeReader
{
    private static readonly (string Key, Atoms Wanted)[] Types =
        [("contract", Atoms.String), ("revision", Atoms.String), ("data", Atoms.Object)];

    /// <summary>Return the first thing that keeps a document from being an envelope, or a bare body; null where nothing does.</summary>
    public static Fault? FaultOf(JsonValue document, bool isBody)
    {
        if (document.Atom != Atoms.Object)
        {
            return new("envelope.not_object", document.Start);
        }

        if (isBody)
        {
            return null;
        }

        if (!document.Members.ContainsKey("contract") || !document.Members.ContainsKey("data"))
        {
            return new("envelope.key_missing", document.Start);
        }

        foreach ((string key, Atoms wanted) in Types)
        {
            if (document.Members.TryGetValue(key, out JsonMember member) && member.Value.Atom != wanted)
            {
                return new("envelope.key_type", member.Value.Start);
            }
        }

        return null;
    }
}
