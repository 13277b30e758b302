"""Places: what one revision of a contract says about one path, declared or not.

Compatibility compares places, not fields. A path may be spoken of by several declared paths at once
(``p.k`` and ``p.*``), by none but the ones below it, or by nobody; a ``View`` tells which.
"""

from __future__ import annotations

from enum import Enum

from protocolarc.values.accepted import EVERYTHING, OBJECTS, Accepted, atoms_of, types_of
from protocolarc.values.contract import FieldSpec
from protocolarc.values.enums import in_all
from protocolarc.values.jsontype import Scalar
from protocolarc.values.path import Path, Step, Wildcard
from protocolarc.values.record import NamedTuple
from protocolarc.values.tree import Node

_ANYTHING = Accepted(EVERYTHING)


class Stance(Enum):
    """What kind of statement a revision makes about a place."""

    DECLARED = "declared"
    IMPLIED = "implied"
    FREE = "free"
    ABSENT = "absent"


_KNOWN = (Stance.DECLARED, Stance.IMPLIED)


class View(NamedTuple):
    """What one revision says about one place.

    ``nodes`` are the tree nodes that speak of it, each with whether its last step is a member (a wildcard
    step never makes anything required). ``atoms`` are what their types admit together, ``values`` what their
    enums leave of it.
    """

    stance: Stance
    nodes: tuple[tuple[Node, bool], ...] = ()
    atoms: frozenset[str] = EVERYTHING
    values: Accepted = _ANYTHING
    required: bool = False

    @property
    def known(self) -> bool:
        """True when a declared path ends here or passes through."""
        return self.stance in _KNOWN

    @property
    def fields(self) -> tuple[FieldSpec, ...]:
        """The fields that are declared here, the most specific path first."""
        return tuple(node.field for node, _ in self.nodes if node.field is not None)

    @property
    def types(self) -> str:
        """The types as shown: in declared order where one field speaks alone."""
        fields = self.fields
        if len(fields) == 1 and atoms_of(fields[0].types) == self.atoms:
            return fields[0].type_text
        return types_of(self.atoms)

    @property
    def enum(self) -> tuple[Scalar, ...] | None:
        """The members that every enum here lists; ``None`` where no enum limits what the types admit."""
        if self.values == Accepted(self.atoms):
            return None
        first, *others = (field.enum for field in self.fields if field.enum is not None)
        return in_all(first, others)

    def admits(self, step: Step) -> bool:
        """Tell whether the container that a step needs may stand here."""
        return ("array" if step is Wildcard.ITEM else "object") in self.atoms

    def below(self, step: Step) -> View:
        """Return what the revision says one step further down."""
        if not self.known:
            return self
        if not self.admits(step):
            return ABSENT
        reached: list[tuple[Node, bool]] = []
        # A map speaks of its named members as well.
        for way in (step, Wildcard.VALUE) if isinstance(step, str) else (step,):
            for node, _ in self.nodes:
                if way in node.below and (child := node.child(way)) is not None:
                    reached.append((child, isinstance(way, str)))
        if reached:
            return _meet(tuple(reached))
        named = any(node.names_items if step is Wildcard.ITEM else node.names_keys for node, _ in self.nodes)
        return ABSENT if named else FREE

    def on_way(self, way: Path) -> View:
        """Return what the revision says where steps lead that all its nodes, which are passages, have in common."""
        if not self.nodes:
            return self
        is_member = isinstance(way[-1], str)
        return _meet(tuple((node.on_way(len(way)), is_member) for node, _ in self.nodes))

    def demands(self, way: Path) -> bool:
        """Tell whether a node where such steps lead may not be missing."""
        return any(node.on_way(len(way)).demanded for node, _ in self.nodes)


FREE = View(Stance.FREE)
ABSENT = View(Stance.ABSENT)


def data_view(root: Node) -> View:
    """Return the view of the data itself: a required object, always there."""
    return View(Stance.IMPLIED, ((root, True),), OBJECTS.atoms, OBJECTS, required=True)


def _meet(nodes: tuple[tuple[Node, bool], ...]) -> View:
    if len(nodes) == 1:  # nearly always
        ((node, is_member),) = nodes
        stance = Stance.IMPLIED if node.field is None else Stance.DECLARED
        return View(stance, nodes, node.atoms, node.accepted, is_member and node.demanded)
    atoms, values = EVERYTHING, None
    required = declared = False
    for node, is_member in reversed(nodes):  # the maps first, which meet in the same way beside all members
        required |= is_member and node.demanded
        declared |= node.field is not None
        atoms &= node.atoms
        values = node.accepted if values is None else values.meet(node.accepted)
    return View(Stance.DECLARED if declared else Stance.IMPLIED, nodes, atoms, values or _ANYTHING, required)
