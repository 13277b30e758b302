namespace ProtocolArc.Runtime.Model;

/// <summary>One place that some declared path passes through; <c>Field</c> is null where none ends.</summary>
internal sealed class FieldTree
{
    private bool? _isDemanded;

    public FieldSpec? Field { get; private set; }

    /// <summary>The places below, in the order of the contract.</summary>
    public OrderedDictionary<Step, FieldTree> Children { get; } = [];

    /// <summary>The children that are named members.</summary>
    public IEnumerable<(string Key, FieldTree Child)> Members =>
        Children.Where(pair => pair.Key.Kind == StepKind.Member).Select(pair => (pair.Key.Key, pair.Value));

    /// <summary>
    /// True when the member that this place stands for may not be missing. That is its own field's word where one
    /// is declared; an undeclared container counts as required when a required field stands below it with only
    /// undeclared member steps between. Asked once the tree is built.
    /// </summary>
    public bool IsDemanded => _isDemanded ??= Field?.Required ?? Members.Any(member => member.Child.IsDemanded);

    /// <summary>Arrange fields, each with a path of its own, as a tree under the data object.</summary>
    public static FieldTree Build(IEnumerable<FieldSpec> fields)
    {
        var root = new FieldTree();
        foreach (FieldSpec field in fields)
        {
            FieldTree place = root;
            foreach (Step step in field.Path)
            {
                if (!place.Children.TryGetValue(step, out FieldTree? child))
                {
                    place.Children.Add(step, child = new());
                }

                place = child;
            }

            place.Field = field;
        }

        return root;
    }
}
