"""Enums compared with each other, without going through a large one for each small one beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice

from protocolarc.values.accepted import CONTAINERS, atom_of
from protocolarc.values.jsontype import Scalar, identity
from protocolarc.values.remembered import remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Enum: TypeAlias = "tuple[Scalar, ...]"


def in_all(first: Enum, others: Sequence[Enum]) -> Enum:
    """Return the members that several enums list, in the order of the first."""
    return _in_all(first, *others) if others else first


def beyond(members: Enum, others: Enum, atoms: frozenset[str], most: int) -> tuple[list[Scalar], int]:
    """Return the first members of an enum that another does not list and some atoms admit, and how many there are."""
    return _beyond(members, others, atoms=atoms - CONTAINERS, most=most)


@remembered
def _in_all(*enums: Enum) -> Enum:
    first, places = enums[0], [_places(enum) for enum in enums]
    members = (identity(member) for member in min(enums, key=len))
    return tuple(first[place] for place in sorted(places[0][one] for one in members if all(one in at for at in places)))


@remembered
def _beyond(members: Enum, others: Enum, *, atoms: frozenset[str], most: int) -> tuple[list[Scalar], int]:
    """Go through the shorter one, and of the longer one through no more than what both list."""
    known = _places(others)
    shorter, longer = (members, known) if len(members) <= len(others) else (others, _places(members))
    both = sum(1 for member in shorter if atom_of(member) in atoms and identity(member) in longer)
    admitted = [found for atom, found in _by_atom(members).items() if atom in atoms]
    rest = (islice((at for at in places if identity(members[at]) not in known), most) for places in admitted)
    return [members[at] for at in sorted(chain(*rest))[:most]], sum(map(len, admitted)) - both


@remembered
def _places(enum: Enum) -> Mapping[tuple[str, object], int]:
    return {identity(member): place for place, member in enumerate(enum)}


@remembered
def _by_atom(enum: Enum) -> Mapping[str, Sequence[int]]:
    """Return the places of the members of each atom."""
    found: dict[str, list[int]] = {}
    for place, member in enumerate(enum):
        found.setdefault(atom_of(member), []).append(place)
    return found
