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
from protocolarc.values.remembered import LETTING_GO, remembered

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
CONTAINERS = frozenset({"object", "array"})
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

_ONES = 256
"""Sets that are known again. The maps of both revisions meet within as many."""


class Accepted(NamedTuple):
    """A set of values: whole atoms, and single scalars beside them. ``thinned`` are the atoms of those scalars."""

    atoms: frozenset[str]
    members: frozenset[Member] = frozenset()
    thinned: frozenset[str] = frozenset()

    def contains(self, other: Accepted) -> bool:
        """Tell whether every value of ``other`` is one of these."""
        rest = other.thinned - self.atoms
        return other.atoms <= self.atoms and (not rest or _is_within(_only(other.members, atoms=rest), self.members))

    def meet(self, other: Accepted) -> Accepted:
        """Return the values that are in both."""
        parts = (
            _common(self.members, other.members),
            _only(self.members, atoms=self.thinned & other.atoms),
            _only(other.members, atoms=other.thinned & self.atoms),
        )
        first, *others = [part for part in parts if part] or [_NONE]
        members = first.union(*others) if others else first
        return Accepted(self.atoms & other.atoms, members, _thinned(members))

    @property
    def is_empty(self) -> bool:
        """True when no value at all is accepted."""
        return not self.atoms and not self.members


_NONE: frozenset[Member] = frozenset()
OBJECTS = Accepted(frozenset({"object"}))


@lru_cache(maxsize=_ONES)
def _one(members: frozenset[Member]) -> frozenset[Member]:
    """Return the set that was met first of those that are equal: an object is equal to itself at once."""
    return members


LETTING_GO.append(_one.cache_clear)


@remembered
def _is_within(part: frozenset[Member], whole: frozenset[Member]) -> bool:
    return part <= whole


@remembered
def _common(one: frozenset[Member], other: frozenset[Member]) -> frozenset[Member]:
    return _one(one & other)


@remembered
def _only(members: frozenset[Member], *, atoms: frozenset[str]) -> frozenset[Member]:
    return _one(frozenset(member for member in members if member[0] in atoms))


@remembered
def _thinned(members: frozenset[Member]) -> frozenset[str]:
    return frozenset(atom for atom, _ in members)


def accepted(atoms: frozenset[str], enum: Iterable[Scalar] | None) -> Accepted:
    """Return what a set of types accepts under an enum, which speaks of scalars only.

    Members that fill an atom (``true``, ``false``, ``null``) count as that atom, so that an enum
    which covers its types makes no difference.
    """
    if enum is None:
        return Accepted(atoms)
    admitted = [(atom, identity(member)) for member in enum if (atom := atom_of(member)) in atoms]
    listed = frozenset(atom for atom, _ in admitted)
    members = _one(frozenset(member for member in admitted if member[0] not in _SINGLE))
    return Accepted((atoms & CONTAINERS) | (listed & _SINGLE), members, listed - _SINGLE)
