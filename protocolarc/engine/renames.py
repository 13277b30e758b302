"""Pairs of a removed and an added field that may be one field under two names."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.values.change import Diff
from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.jsontype import identity


def possible_renames(old: Contract, new: Contract, diff: Diff) -> Iterator[tuple[str, str]]:
    """Yield the names of a removed and an added field of one shape, in one container, with no other candidate."""
    gone = _by_shape(old, {change.field for change in diff.changes if change.kind.startswith("field.removed.")})
    come = _by_shape(new, {change.field for change in diff.changes if change.kind.startswith("field.added.")})
    for shape, names in gone.items():
        if len(names) == 1 and len(come.get(shape, ())) == 1:
            yield names[0], come[shape][0]


def _by_shape(contract: Contract, names: set[str]) -> dict[object, list[str]]:
    found: dict[object, list[str]] = {}
    for field in contract.fields:
        if field.name in names:
            found.setdefault(_shape(field), []).append(field.name)
    return found


def _shape(field: FieldSpec) -> object:
    members = None if field.enum is None else frozenset(map(identity, field.enum))
    return field.path[:-1], frozenset(field.types), field.required, members
