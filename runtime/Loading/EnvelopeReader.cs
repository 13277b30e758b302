using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>The shape of an envelope: a tree becomes an <see cref="Envelope"/>, or the first thing that is wrong with it.</summary>
internal static class EnvelopeReader
{
    private static readonly (string Key, Atoms Wanted)[] Types =
        [("contract", Atoms.String), ("revision", Atoms.String), ("data", Atoms.Object)];

    /// <summary>Read an envelope, or a bare body; a fault names its first byte.</summary>
    public static Envelope? Read(JsonValue document, bool isBody, out Fault? fault)
    {
        fault = document.Atom != Atoms.Object ? new("envelope.not_object", document.Start)
            : isBody ? null
            : FaultOf(document);
        if (fault is not null)
        {
            return null;
        }

        OrderedDictionary<string, JsonMember> members = document.Members;
        return isBody
            ? new(document)
            : new(members["data"].Value, members["contract"].Value.Text, members.GetValueOrDefault("revision").Value?.Text);
    }

    private static Fault? FaultOf(JsonValue envelope)
    {
        if (!envelope.Members.ContainsKey("contract") || !envelope.Members.ContainsKey("data"))
        {
            return new("envelope.key_missing", envelope.Start);
        }

        foreach ((string key, Atoms wanted) in Types)
        {
            if (envelope.Members.TryGetValue(key, out JsonMember member) && member.Value.Atom != wanted)
            {
                return new("envelope.key_type", member.Value.Start);
            }
        }

        return null;
    }
}
