"""Sets of accepted values: what types and an enum admit together, with exact inclusion.

A value is one of eight atoms: any string, any integral number, any other number, ``true``, ``false``,
``null``, any object, any array. Types admit whole atoms; an enum thins the scalar ones to its members.
What stands inside a container is the business of the places below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from protocolarc.values.jsontype import Scalar, identity, json_type
from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

_ATOMS: dict[str, frozenset[str]] = {
    "string": frozenset({"string"}),
    "integer": frozenset({"integer"}),
    "number": frozenset({"integer", "fraction"}),
    "boolean": frozenset({"true", "false"}),
    "object": frozenset({"object"}),
    "array": frozenset({"array"}),
    "null": frozenset({"null"}),
}
_SINGLE = frozenset({"true", "false", "null"})
_CONTAINERS = frozenset({"object", "array"})
EVERYTHING = frozenset().union(*_ATOMS.values())
"""The atoms of the type ``any``."""


def atoms_of(types: Iterable[str]) -> frozenset[str]:
    """Return the atoms that a list of type names admits."""
    return _atoms_of(tuple(types))


@lru_cache(maxsize=256)  # there are few lists of types, and every field has one
def _atoms_of(types: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(_ATOMS.get(name, EVERYTHING) for name in types))


def types_of(atoms: frozenset[str]) -> str:
    """Name a set of atoms by the fewest types, as reports show them."""
    if atoms == EVERYTHING:
        return "any"
    whole = [name for name, admitted in _ATOMS.items() if admitted <= atoms]
    return "|".join(name for name in whole if not (name == "integer" and "number" in whole))


def atom_of(scalar: Scalar) -> str:
    """Return the atom that a scalar belongs to."""
    if scalar is True or scalar is False:
        return "true" if scalar else "false"
    name = json_type(scalar)
    return "fraction" if name == "number" else name


Member: TypeAlias = tuple[str, tuple[str, object]]
"""A scalar beside whole atoms: its atom, and its identity."""

_REMEMBERED = 64
"""Comparisons that are kept: the same large enum meets every named member beside its map."""


class Accepted(NamedTuple):
    """A set of values: whole atoms, and single scalars beside them. ``thinned`` are the atoms of those scalars."""

    atoms: frozenset[str]
    members: frozenset[Member] = frozenset()
    thinned: frozenset[str] = frozenset()

    def contains(self, other: Accepted) -> bool:
        """Tell whether every value of ``other`` is one of these."""
        return other.atoms <= self.atoms and _covers(self, other)

    def meet(self, other: Accepted) -> Accepted:
        """Return the values that are in both."""
        return _meet(self, other)

    @property
    def is_empty(self) -> bool:
        """True when no value at all is accepted."""
        return not self.atoms and not self.members


OBJECTS = Accepted(frozenset({"object"}))


@lru_cache(maxsize=_REMEMBERED)
def _covers(whole: Accepted, part: Accepted) -> bool:
    return part.members <= whole.members or all(
        member in whole.members or member[0] in whole.atoms for member in part.members
    )


@lru_cache(maxsize=_REMEMBERED)
def _meet(left: Accepted, right: Accepted) -> Accepted:
    members = _within(left, right) | _within(right, left)
    return Accepted(left.atoms & right.atoms, members, frozenset(atom for atom, _ in members))


def _within(part: Accepted, whole: Accepted) -> frozenset[Member]:
    """Return the single scalars of one set that are in another."""
    in_atoms = part.thinned & whole.atoms
    if in_atoms == part.thinned:
        return part.members
    common = part.members & whole.members
    return common | {member for member in part.members if member[0] in in_atoms} if in_atoms else common


def accepted(atoms: frozenset[str], enum: Iterable[Scalar] | None) -> Accepted:
    """Return what a set of types accepts under an enum, which speaks of scalars only.

    Members that fill an atom (``true``, ``false``, ``null``) count as that atom, so that an enum
    which covers its types makes no difference.
    """
    if enum is None:
        return Accepted(atoms)
    admitted = [(atom, identity(member)) for member in enum if (atom := atom_of(member)) in atoms]
    listed = frozenset(atom for atom, _ in admitted)
    members = frozenset(member for member in admitted if member[0] not in _SINGLE)
    return Accepted((atoms & _CONTAINERS) | (listed & _SINGLE), members, listed - _SINGLE)
