"""Every place that two revisions of a contract speak of, side by side."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import PlacePair
from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.path import Path, Step, Wildcard, render_path
from protocolarc.values.place import Stance, View, data_view
from protocolarc.values.record import NamedTuple
from protocolarc.values.tree import Node, build_tree

MAX_DERIVED = 20_000
"""Places spoken of through ``.*`` alone that one comparison looks at, so that time stays bounded."""


_KEPT, _SMALL = 1024, 100
"""How many trees are kept, and of how many fields at most."""
_trees: dict[int, tuple[tuple[FieldSpec, ...], Node]] = {}


class TooManyPlacesError(ValueError):
    """The maps and named members of two contracts combine to more places than a comparison looks at."""


class Compared(NamedTuple):
    """A place, and whether a field of either revision declares exactly its path; if not, others speak of it."""

    place: PlacePair
    is_spelled: bool


class _Pair(NamedTuple):
    """One path in both revisions.

    ``leads`` is true when every object at the nearest place that both revisions know holds the parent of
    this place, as far as the revision that speaks of it is concerned. Only then is what is required here missed.
    """

    path: Path
    old: View
    new: View
    leads: bool = True

    def below(self, step: Step) -> _Pair:
        old, new = self.old.below(step), self.new.below(step)
        leads = True
        if Stance.ABSENT in (old.stance, new.stance):
            lacking, speaks = (self.old, self.new) if old.stance is Stance.ABSENT else (self.new, self.old)
            leads = lacking.admits(step) if lacking.known else self.leads and speaks.required
        return _Pair((*self.path, step), old, new, leads)

    def steps(self) -> dict[Step, None]:
        return {step: None for view in (self.old, self.new) for node, _ in view.nodes for step in node.children}

    def is_same_below(self, step: Step) -> bool:
        """Tell whether both revisions say the same one step down and everywhere below it, in the very same fields.

        Then there is nothing to compare there. A loader gives fields that are spelled alike as one object.
        """
        olds, news = self.old.nodes, self.new.nodes
        if len(olds) != len(news) or not (self.old.admits(step) and self.new.admits(step)):
            return False
        for (old, old_leads), (new, new_leads) in zip(olds, news, strict=True):
            if old_leads is not new_leads or not _same_child(old, new, step):
                return False
            if not _same_child(old, new, Wildcard.VALUE):
                return False
        return True

    def as_place(self) -> PlacePair:
        speaks = self.old if self.old.stance is Stance.DECLARED else self.new
        return PlacePair(
            name=render_path(self.path),
            is_wildcard=isinstance(self.path[-1], Wildcard),
            old=self.old,
            new=self.new,
            demanded=self.leads and speaks.required,
        )


def compare_places(old: Contract, new: Contract) -> Iterator[Compared]:
    """Yield every place that a declared path of either revision ends at, passes through or covers by a map.

    Below what one revision lacks, only the topmost declared paths of the other count.

    Raises:
        TooManyPlacesError: more than ``MAX_DERIVED`` places are spoken of through maps alone.
    """
    declared = {field.path for field in (*old.fields, *new.fields)}
    spelled = _prefixes((*old.fields, *new.fields))
    derived = 0
    pending = [_Pair((), data_view(_tree_of(old)), data_view(_tree_of(new)))]
    while pending:
        parent = pending.pop()
        for pair in (parent.below(step) for step in parent.steps() if not parent.is_same_below(step)):
            if pair.path not in spelled:
                derived += len(pair.old.nodes) + len(pair.new.nodes)
                if derived > MAX_DERIVED:
                    raise TooManyPlacesError(
                        f"{old.label} and {new.label} speak of more than {MAX_DERIVED} places through '.*' alone, "
                        "which is too much to compare; declare fewer members beside '.*'"
                    )
            yield Compared(pair.as_place(), pair.path in declared)
            stances = (pair.old.stance, pair.new.stance)
            if not (Stance.DECLARED in stances and Stance.ABSENT in stances):
                pending.append(pair)


def _tree_of(contract: Contract) -> Node:
    """Return the tree of a contract. The last ones are kept: a revision is compared with both its neighbours."""
    fields = contract.fields
    kept = _trees.get(id(fields))
    if kept is None or kept[0] is not fields:
        kept = fields, build_tree(fields)
        if len(fields) <= _SMALL:
            if len(_trees) == _KEPT:
                del _trees[next(iter(_trees))]
            _trees[id(fields)] = kept
    return kept[1]


def _same_child(old: Node, new: Node, step: Step) -> bool:
    one, other = old.children.get(step), new.children.get(step)
    return one is other is None or (one is not None and other is not None and _same(one, other))


def _same(old: Node, new: Node) -> bool:
    """Tell whether two trees hold the very same fields. The recursion is bounded by the steps of a path."""
    if old.field is not new.field or len(old.children) != len(new.children):
        return False
    for step, child in old.children.items():
        other = new.children.get(step)
        if other is None or not _same(child, other):
            return False
    return True


def _prefixes(fields: tuple[FieldSpec, ...]) -> set[Path]:
    return {field.path[:length] for field in fields for length in range(1, len(field.path) + 1)}
