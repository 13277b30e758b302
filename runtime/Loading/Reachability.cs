using ProtocolArc.Runtime.Json;
using ProtocolArc.Runtime.Model;

namespace ProtocolArc.Runtime.Loading;

/// <summary>What can never be met is an error of the contract, not a riddle for later.</summary>
internal static class Reachability
{
    /// <summary>Declared paths that may speak about one place (a member and the maps beside it), so that time stays bounded.</summary>
    private const int MaxSpeakers = 64;

    /// <summary>Record every field that no document can hold, at its name.</summary>
    public static void Report(List<ReadField> fields, Problems problems)
    {
        Dictionary<FieldSpec, Declaration> places = fields.ToDictionary(field => field.Spec, field => field.Place);
        FieldTree root = FieldTree.Build(places.Keys);
        Visit(root, new View([root], Atoms.Object), (field, code, hint) =>
            problems.Add(places[field].Offset, places[field].Pointer, code, hint));
    }

    private static void Visit(FieldTree place, View view, Action<FieldSpec, string, string> report)
    {
        foreach ((Step step, FieldTree child) in place.Children)
        {
            Atoms needed = step.Kind == StepKind.EachItem ? Atoms.Array : Atoms.Object;
            if ((view.Admitted & needed) == 0)
            {
                string hint = $"its path needs an {TypeNames.Of(needed)} where the contract admits only {view.Types}";
                ReportAll(child, field => report(field, "contract.unreachable", hint));
                continue;
            }

            View below = view.Below(step);
            if (below.Speakers.Count > MaxSpeakers)
            {
                string hint = $"more than {MaxSpeakers} declared paths speak about this place";
                ReportAll(child, field => report(field, "contract.path", hint));
                continue;
            }

            if (child.Field is not null && below.IsEmpty)
            {
                report(child.Field, "contract.unreachable", "no value satisfies both this field and the '.*' beside it");
            }

            Visit(child, below, report);
        }
    }

    private static void ReportAll(FieldTree place, Action<FieldSpec> report)
    {
        if (place.Field is not null)
        {
            report(place.Field);
        }

        foreach (FieldTree child in place.Children.Values)
        {
            ReportAll(child, report);
        }
    }
}
