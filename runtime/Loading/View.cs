using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>
/// What a contract says about one place. Several declared paths may speak of it (<c>p.k</c> and <c>p.*</c>);
/// <c>Admitted</c> and <c>Members</c> are their meet, and no members mean no enum.
/// </summary>
internal sealed record View(IReadOnlyList<FieldTree> Speakers, Atoms Admitted, IReadOnlyList<JsonValue>? Members = null)
{
    /// <summary>True when no value at all is accepted.</summary>
    public bool IsEmpty => Members is null
        ? Admitted == Atoms.None
        : (Admitted & Atoms.Containers) == 0 && !Members.Any(member => (member.Atom & Admitted) != 0);

    /// <summary>The types as shown: in declared order where one field speaks alone.</summary>
    public string Types
    {
        get
        {
            FieldSpec[] fields = [.. Speakers.Select(speaker => speaker.Field).OfType<FieldSpec>()];
            return fields is [FieldSpec alone] && alone.Admitted == Admitted ? alone.TypeText : TypeNames.Show(Admitted);
        }
    }

    /// <summary>Return what is said one step further down.</summary>
    public View Below(Step step)
    {
        List<FieldTree> reached = [];
        foreach (FieldTree speaker in Speakers)
        {
            if (speaker.Children.TryGetValue(step, out FieldTree? child))
            {
                reached.Add(child);
            }
        }

        foreach (FieldTree speaker in Speakers)
        {
            // A map speaks of its named members as well.
            if (step.Kind == StepKind.Member && speaker.Children.TryGetValue(Step.EachValue, out FieldTree? each))
            {
                reached.Add(each);
            }
        }

        return Meet(reached);
    }

    private static View Meet(List<FieldTree> speakers)
    {
        Atoms admitted = Atoms.Everything;
        IReadOnlyList<JsonValue>? members = null;
        foreach (FieldTree speaker in speakers)
        {
            if (speaker.Field is FieldSpec field)
            {
                admitted &= field.Admitted;
                members = field.Enum is null ? members : members is null ? field.Enum : Common(members, field.Enum);
            }
            else if (speaker.Members.Any(member => member.Child.IsDemanded))
            {
                admitted &= Atoms.Object;
            }
        }

        return new(speakers, admitted, members);
    }

    private static List<JsonValue> Common(IReadOnlyList<JsonValue> left, IReadOnlyList<JsonValue> right)
    {
        HashSet<ScalarIdentity> kept = [.. right.Select(member => member.Identity)];
        return [.. left.Where(member => kept.Contains(member.Identity))];
    }
}
