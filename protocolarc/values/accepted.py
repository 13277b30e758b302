"""Sets of accepted values: what types and an enum admit together, with exact inclusion.

A value is one of eight atoms: any string, any integral number, any other number, ``true``, ``false``,
``null``, any object, any array. Types admit whole atoms; an enum thins the scalar ones to its members.
What stands inside a container is the business of the places below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from protocolarc.values.jsontype import Scalar, identity, json_type

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


class Accepted(NamedTuple):
    """A set of values: whole atoms, and single scalars (by identity, with their atom) beside them."""

    atoms: frozenset[str]
    members: frozenset[tuple[str, tuple[str, object]]] = frozenset()

    def contains(self, other: Accepted) -> bool:
        """Tell whether every value of ``other`` is one of these."""
        return other.atoms <= self.atoms and all(
            member in self.members or member[0] in self.atoms for member in other.members
        )

    @property
    def is_empty(self) -> bool:
        """True when no value at all is accepted."""
        return not self.atoms and not self.members


def accepted(atoms: frozenset[str], enum: Iterable[Scalar] | None) -> Accepted:
    """Return what a set of types accepts under an enum, which speaks of scalars only.

    Members that fill an atom (``true``, ``false``, ``null``) count as that atom, so that an enum
    which covers its types makes no difference.
    """
    if enum is None:
        return Accepted(atoms)
    admitted = [(atom, identity(member)) for member in enum if (atom := atom_of(member)) in atoms]
    whole = frozenset(atom for atom, _ in admitted if atom in _SINGLE)
    return Accepted(
        (atoms & _CONTAINERS) | whole,
        frozenset(member for member in admitted if member[0] not in _SINGLE),
    )
