"""Looking up revisions by name and precedence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from protocolarc.values.snapshot import Held, Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Revisions: TypeAlias = "list[Held]"
"""The revisions of one contract, ascending."""
Index: TypeAlias = Mapping[str, Revisions]


def index_by_name(snapshot: Snapshot) -> Index:
    """Group the contracts of a snapshot by name: names in order, revisions ascending."""
    found: dict[str, Revisions] = {}
    for held in snapshot.contracts:
        found.setdefault(held.contract.name, []).append(held)
    return {name: in_order(found[name]) for name in sorted(found)}


def in_order(revisions: Iterable[Held]) -> Revisions:
    """Sort revisions, ascending; those of equal precedence by their text, then path."""
    return sorted(
        revisions, key=lambda held: (held.contract.revision.precedence, held.contract.revision.text, held.path)
    )


def of_precedence(revisions: Iterable[Held], held: Held) -> Revisions:
    """Return those that are the same revision, build metadata aside."""
    wanted = held.contract.revision.precedence
    return [other for other in revisions if other.contract.revision.precedence == wanted]


def highest(revisions: Revisions) -> Held:
    """Return the highest of at least one revision."""
    return revisions[-1]
