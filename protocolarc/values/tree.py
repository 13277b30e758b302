"""The declared paths of a contract as one tree: what stands where, declared or merely implied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocolarc.values.accepted import EVERYTHING, OBJECTS, Accepted, accepted, atoms_of
from protocolarc.values.contract import FieldSpec
from protocolarc.values.path import Path, Step, Wildcard

_ANYTHING = Accepted(EVERYTHING)


class Node:
    """One place that some declared path passes through; ``field`` is ``None`` where none ends.

    ``below`` holds the steps that lead further down, in the order of the contract. The places there are made when
    they are asked for, of the fields that are declared there or deeper: two revisions mostly agree, and nobody looks
    below where they do. Where none ends and one step alone leads on, the place ``is_passage``: all that can be known
    of it is known of its ``end``, so that a long path need not be gone step by step.
    """

    __slots__ = ("_accepted", "_demanded", "_end", "_fields", "below", "depth", "field", "is_passage")

    def __init__(self, depth: int, fields: Sequence[FieldSpec]) -> None:
        self.field: FieldSpec | None = None
        self.depth = depth
        self._demanded: bool | None = None
        self._accepted: Accepted | None = None
        self._end: Node | None = None
        groups: dict[Step, list[FieldSpec]] = {}
        for field in fields:
            path = field.path
            if len(path) == depth:
                self.field = field
            elif (step := path[depth]) in groups:
                groups[step].append(field)
            else:
                groups[step] = [field]
        self.below: dict[Step, list[FieldSpec] | Node] = groups  # type: ignore[assignment]  # a copy would cost more
        self.is_passage = self.field is None and len(groups) == 1
        self._fields = fields if self.is_passage else ()

    def child(self, step: Step) -> Node | None:
        """Return the place one step further down; ``None`` where no declared path passes through."""
        found = self.below.get(step)
        if isinstance(found, list):
            found = Node(self.depth + 1, found) if self._end is None else self.on_way(1)
            self.below[step] = found
        return found

    def children(self) -> Iterator[tuple[Step, Node]]:
        """Yield the places one step further down, in the order of the contract."""
        for step in self.below:
            child = self.child(step)
            if child is not None:
                yield step, child

    @property
    def end(self) -> Node:
        """The nearest place from here on where a field ends or the ways part; always the same object."""
        if not self.is_passage:
            return self
        if self._end is None:
            (found,) = self.below.values()
            self._end = found.end if isinstance(found, Node) else Node(_parting(found), found)
        return self._end

    @property
    def way(self) -> Path:
        """The steps from a passage to its end."""
        return self._fields[0].path[self.depth : self.end.depth]

    def on_way(self, steps: int) -> Node:
        """Return the place some steps further down from a passage, at its end or before."""
        end, depth = self.end, self.depth + steps
        if depth == end.depth:
            return end
        node = Node(depth, self._fields)
        node._end = end
        return node

    @property
    def demanded(self) -> bool:
        """True when the member that this node stands for may not be missing.

        That is its own field's word where one is declared; an undeclared container counts as required when a
        required field stands below it with only undeclared member steps between.
        """
        if self._demanded is None:
            if self.field is not None:
                self._demanded = self.field.required
            elif self.is_passage:
                self._demanded = all(isinstance(step, str) for step in self.way) and self.end.demanded
            else:
                self._demanded = any(child.demanded for _, child in self.members())
        return self._demanded

    @property
    def atoms(self) -> frozenset[str]:
        """What the types of this place admit."""
        if self.field is not None:
            return atoms_of(self.field.types)
        return OBJECTS.atoms if self.demanded else EVERYTHING

    @property
    def accepted(self) -> Accepted:
        """What the enum of this place leaves of its types."""
        if self._accepted is None:
            if self.field is not None:
                self._accepted = accepted(self.atoms, self.field.enum)
            else:
                self._accepted = OBJECTS if self.demanded else _ANYTHING
        return self._accepted

    def members(self) -> Iterator[tuple[str, Node]]:
        """Yield the children that are named members, in the order of the contract."""
        for step, child in self.children():
            if isinstance(step, str):
                yield step, child

    @property
    def names_keys(self) -> bool:
        """True when a member or ``.*`` path is declared below, so that the keys of an object are known."""
        return any(step is not Wildcard.ITEM for step in self.below)

    @property
    def names_items(self) -> bool:
        """True when a ``[*]`` path is declared below, so that the items of an array are known."""
        return Wildcard.ITEM in self.below


def common_way(nodes: Sequence[Node]) -> Path:
    """Return the steps that lead on from all of some nodes where they are passages; none where one is not."""
    if not all(node.is_passage for node in nodes):
        return ()
    way = nodes[0].way
    for node in nodes[1:]:
        own = node.way
        while own[: len(way)] != way:
            way = way[:-1]
    return way


def build_tree(fields: Sequence[FieldSpec]) -> Node:
    """Arrange fields, each with a path of its own, as a tree under the data object."""
    return Node(0, fields)


def _parting(fields: Sequence[FieldSpec]) -> int:
    """Return how many steps all paths have in common."""
    first = fields[0].path
    depth = len(first)
    for field in fields:
        while field.path[:depth] != first[:depth]:
            depth -= 1
    return depth
