"""Every place that two revisions of a contract speak of, side by side."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import PlacePair
from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.path import Path, Step, Wildcard, render_path
from protocolarc.values.place import Stance, View, data_view
from protocolarc.values.record import NamedTuple
from protocolarc.values.tree import Node, build_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

MAX_DERIVED = 20_000
"""Places spoken of through ``.*`` alone that one comparison looks at, so that time stays bounded."""

MAX_PASSED = 1_000_000
"""Places that one comparison passes over because both revisions say the same there. No document spells as many."""

_KEPT, _SMALL = 1024, 100
"""How many trees are kept, and of how many fields at most."""
_trees: dict[int, tuple[tuple[FieldSpec, ...], Node]] = {}


_Known: TypeAlias = "dict[tuple[int, int], bool]"
"""Which nodes of two trees were found to hold the same, so that a map is looked through once for all its members."""


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

    def is_same_below(self, step: Step, known: _Known) -> bool:
        """Tell whether both revisions say the same one step down and everywhere below it, in the very same fields.

        Then there is nothing to compare there. A loader gives fields that are spelled alike as one object.
        """
        olds, news = self.old.nodes, self.new.nodes
        if len(olds) != len(news) or not (self.old.admits(step) and self.new.admits(step)):
            return False
        for (old, old_leads), (new, new_leads) in zip(olds, news, strict=True):
            if old_leads is not new_leads or not _same_child(old, new, step, known):
                return False
            if not _same_child(old, new, Wildcard.VALUE, known):
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
        TooManyPlacesError: more than ``MAX_DERIVED`` places are spoken of through maps alone, or more than
            ``MAX_PASSED`` are the same.
    """
    trees = (_tree_of(old), _tree_of(new))  # held here: what is known of their nodes goes by identity
    known: _Known = {}
    declared = {field.path for field in (*old.fields, *new.fields)}
    spelled = _prefixes((*old.fields, *new.fields))
    derived = passed = 0
    pending = [_Pair((), data_view(trees[0]), data_view(trees[1]))]
    while pending:
        parent = pending.pop()
        for step in parent.steps():
            if parent.is_same_below(step, known):
                passed += 1
                if passed > MAX_PASSED:
                    raise _too_many(old, new, MAX_PASSED)
                continue
            pair = parent.below(step)
            if pair.path not in spelled:
                derived += len(pair.old.nodes) + len(pair.new.nodes)
                if derived > MAX_DERIVED:
                    raise _too_many(old, new, MAX_DERIVED)
            yield Compared(pair.as_place(), pair.path in declared)
            stances = (pair.old.stance, pair.new.stance)
            if not (Stance.DECLARED in stances and Stance.ABSENT in stances):
                pending.append(pair)


def _too_many(old: Contract, new: Contract, limit: int) -> TooManyPlacesError:
    return TooManyPlacesError(
        f"{old.label} and {new.label} speak of more than {limit} places through '.*' alone, "
        "which is too much to compare; declare fewer members beside '.*'"
    )


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


def _same_child(old: Node, new: Node, step: Step, known: _Known) -> bool:
    one, other = old.children.get(step), new.children.get(step)
    if one is None or other is None:
        return one is other
    pair = (id(one), id(other))
    found = known.get(pair)
    if found is None:
        found = known[pair] = _same(one, other)
    return found


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
