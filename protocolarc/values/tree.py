"""The declared paths of a contract as one tree: what stands where, declared or merely implied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocolarc.values.accepted import EVERYTHING, OBJECTS, Accepted, accepted, atoms_of
from protocolarc.values.contract import FieldSpec
from protocolarc.values.path import Step, Wildcard

_ANYTHING = Accepted(EVERYTHING)


class Node:
    """One place that some declared path passes through; ``field`` is ``None`` where none ends.

    ``demanded`` is true when the member that this node stands for may not be missing. That is its own field's
    word where one is declared; an undeclared container counts as required when a required field stands below it
    with only undeclared member steps between. ``atoms`` is what its types admit,
    ``accepted`` what its enum leaves of it.
    """

    __slots__ = ("accepted", "atoms", "children", "demanded", "field")

    def __init__(self) -> None:
        self.field: FieldSpec | None = None
        self.children: dict[Step, Node] = {}
        self.atoms = EVERYTHING
        self.accepted = _ANYTHING
        self.demanded = False

    def settle(self) -> None:
        """Work out, once the tree is whole, what does not depend on the place from which it is looked at."""
        for child in self.children.values():
            child.settle()
        if self.field is not None:
            self.demanded = self.field.required
            self.atoms = atoms_of(self.field.types)
            self.accepted = accepted(self.atoms, self.field.enum)
        elif any(child.demanded for _, child in self.members()):
            self.demanded = True
            self.atoms, self.accepted = OBJECTS.atoms, OBJECTS

    def members(self) -> Iterator[tuple[str, Node]]:
        """Yield the children that are named members, in the order of the contract."""
        for step, child in self.children.items():
            if isinstance(step, str):
                yield step, child

    @property
    def names_keys(self) -> bool:
        """True when a member or ``.*`` path is declared below, so that the keys of an object are known."""
        return any(step is not Wildcard.ITEM for step in self.children)

    @property
    def names_items(self) -> bool:
        """True when a ``[*]`` path is declared below, so that the items of an array are known."""
        return Wildcard.ITEM in self.children


def build_tree(fields: Sequence[FieldSpec]) -> Node:
    """Arrange fields, each with a path of its own, as a tree under the data object."""
    root = Node()
    for field in fields:
        node = root
        for step in field.path:
            node = node.children.setdefault(step, Node())
        node.field = field
    root.settle()
    return root
