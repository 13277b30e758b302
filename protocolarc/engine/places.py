"""Every place that two revisions of a contract speak of, side by side."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.engine.trees import Changed, changed_below, tree_of
from protocolarc.rules.compatibility.kinds import PlacePair
from protocolarc.values.accepted import OBJECTS
from protocolarc.values.contract import Contract
from protocolarc.values.path import Path, Step, Wildcard
from protocolarc.values.place import Stance, View
from protocolarc.values.record import NamedTuple
from protocolarc.values.tree import Node, common_way

MAX_DERIVED = 20_000
"""Places spoken of through ``.*`` alone that one comparison looks at, so that time stays bounded."""

MAX_PASSED = 1_000_000
"""Places that one comparison passes over because both revisions say the same there. No document spells as many."""

_NOTHING: frozenset[Step] = frozenset()


class TooManyPlacesError(ValueError):
    """The maps and named members of two contracts combine to more places than a comparison looks at."""


class Compared(NamedTuple):
    """A place, and whether a field of either revision declares exactly its path; if not, others speak of it.

    Only then has the place a name: of the others there can be many, with long names, and few are told.
    """

    place: PlacePair
    path: Path
    is_spelled: bool


class _Pair(NamedTuple):
    """One path in both revisions, with the nodes at that very path, of which one is ``None`` in most derived places.

    ``leads`` is true when every object at the nearest place that both revisions know holds the parent of
    this place, as far as the revision that speaks of it is concerned. Only then is what is required here missed.
    """

    path: Path
    old: View
    new: View
    exact: tuple[Node | None, Node | None]
    leads: bool = True

    def below(self, step: Step) -> _Pair:
        old, new = self.old.below(step), self.new.below(step)
        leads = True
        if old.stance is Stance.ABSENT or new.stance is Stance.ABSENT:
            lacking, speaks = (self.old, self.new) if old.stance is Stance.ABSENT else (self.new, self.old)
            leads = lacking.admits(step) if lacking.known else self.leads and speaks.required
        one, other = self.exact
        exact = (None if one is None else one.child(step), None if other is None else other.child(step))
        return _Pair((*self.path, step), old, new, exact, leads)

    def beyond(self) -> _Pair | None:
        """Return the next place of which there is something new to say, where none but passages lead to it, all alike.

        Between the two, the places of a revision are demanded as the end is, down to the last wildcard not at all.
        So all are the same in both revisions, or differ as this one does from the last wildcard on, for the same
        fields behind them; and of those the first is told.
        """
        known = self.exact[0] or self.exact[1]  # there is none in derived places, which are counted
        if known is None or not known.is_passage or not self.path:  # the data is not told
            return None
        nodes = [node for node, _ in (*self.old.nodes, *self.new.nodes)]
        way = common_way([*nodes, *(node for node in self.exact if node is not None)])
        if len(way) <= 1:
            return None
        if self.old.known and self.new.known and self.old.demands(way) is not self.new.demands(way):
            way = way[: max((at for at, step in enumerate(way, 1) if isinstance(step, Wildcard)), default=len(way))]
        leads = True
        if Stance.ABSENT in (self.old.stance, self.new.stance):
            leads = self.leads and (self.old.required or self.new.required)
        one, other = (None if node is None else node.on_way(len(way)) for node in self.exact)
        return _Pair((*self.path, *way), self.old.on_way(way), self.new.on_way(way), (one, other), leads)

    def steps(self) -> list[Step]:
        found: dict[Step, object] = {}
        for node, _ in (*self.old.nodes, *self.new.nodes):
            found.update(node.below)
        return list(found)

    def differing(self, changed: Changed) -> tuple[list[Step], int]:
        """Return the steps down to which the revisions may differ there or anywhere below, in order.

        They cannot where both revisions know this place and admit the step at all, and where the very same fields
        stand at and below that step and below the maps beside it. The number counts those that were passed over.
        """
        old, new = self.old, self.new
        if not (old.known and new.known):
            return self.steps(), 0
        kept: set[Step] = set()
        names_items = False
        for node, _ in old.nodes + new.nodes:
            if node.is_passage:
                if id(node.end) in changed:
                    kept.update(node.below)
            else:
                kept |= changed.get(id(node), _NOTHING)
            names_items |= Wildcard.ITEM in node.below
        if Wildcard.VALUE in kept:
            return self.steps(), 0
        both = old.atoms & new.atoms
        if names_items and "array" not in both:
            kept.add(Wildcard.ITEM)
        if "object" not in both:
            kept.update(step for step in self.steps() if step is not Wildcard.ITEM)
        if len(kept) <= 1:
            return list(kept), 0
        steps = self.steps()
        return [step for step in steps if step in kept], len(steps) - len(kept)

    def without_values(self) -> _Pair:
        """Return the pair without what it was compared by, which can be large and is not asked for again."""
        if not (self.old.values.members or self.new.values.members):
            return self
        return self._replace(old=self.old._replace(values=OBJECTS), new=self.new._replace(values=OBJECTS))

    @property
    def leads_on(self) -> bool:
        """True when a path that speaks of this place goes on below it."""
        for node, _ in self.old.nodes + self.new.nodes:  # noqa: SIM110  # asked of every place, where it shows
            if node.below:
                return True
        return False

    @property
    def says_the_same(self) -> bool:
        """True when no rule can find anything here: a changed field stands further down, or by the side."""
        old, new = self.old, self.new
        return (
            old.stance is new.stance
            and old.required is new.required
            and old.values == new.values
            and old.atoms == new.atoms
            and [id(node.field) for node, _ in old.nodes] == [id(node.field) for node, _ in new.nodes]
        )

    def compared(self) -> Compared:
        names = [node.field.name for node in self.exact if node is not None and node.field is not None]
        speaks = self.old if self.old.stance is Stance.DECLARED else self.new
        place = PlacePair(
            name=names[0] if names else "",
            is_wildcard=isinstance(self.path[-1], Wildcard),
            old=self.old,
            new=self.new,
            demanded=self.leads and speaks.required,
        )
        return Compared(place, self.path, bool(names))


def compare_places(old: Contract, new: Contract) -> Iterator[Compared]:
    """Yield every place that a declared path of either revision ends at, passes through or covers by a map.

    Those are left out of which both say the same.

    Below what one revision lacks, only the topmost declared paths of the other count.

    Raises:
        TooManyPlacesError: more than ``MAX_DERIVED`` places are spoken of through maps alone, or more than
            ``MAX_PASSED`` are the same.
    """
    one, other = tree_of(old), tree_of(new)  # held here: what is known of their nodes goes by identity
    changed = changed_below(one, other)
    derived = passed = 0
    pending = [_Pair((), one.view, other.view, (one.root, other.root))]
    while pending:
        parent = pending.pop()
        differing, same = parent.differing(changed)
        passed += same
        if passed > MAX_PASSED:
            raise _too_many(old, new, MAX_PASSED)
        far = parent.beyond() if len(differing) == 1 else None
        for step in differing:
            pair = far or parent.below(step)
            if pair.exact == (None, None):
                derived += len(pair.old.nodes) + len(pair.new.nodes)
                if derived > MAX_DERIVED:
                    raise _too_many(old, new, MAX_DERIVED)
            if not pair.says_the_same:
                yield pair.compared()
            stances = (pair.old.stance, pair.new.stance)
            if not (Stance.DECLARED in stances and Stance.ABSENT in stances) and pair.leads_on:
                pending.append(pair.without_values())


def _too_many(old: Contract, new: Contract, limit: int) -> TooManyPlacesError:
    return TooManyPlacesError(
        f"{old.label} and {new.label} speak of more than {limit} places through '.*' alone, "
        "which is too much to compare; declare fewer members beside '.*'"
    )
