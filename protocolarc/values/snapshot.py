"""Snapshots: all contracts of one tree, of the index, or of the disk."""

from __future__ import annotations

from collections.abc import Iterable

from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.jsontype import Value, equal
from protocolarc.values.record import NamedTuple

UNMERGED = "contract.unmerged"
"""What is wrong with a path that is in conflict. It has not lost what it held: nobody has decided yet."""


class Held(NamedTuple):
    """A contract and where its snapshot holds it. ``path`` is escaped for reports; ``oid`` names the blob."""

    contract: Contract
    path: str
    oid: str

    def same_content(self, other: Held) -> bool:
        """Tell whether two documents are equal as JSON: blanks, member order and spelling of numbers aside."""
        return self.oid == other.oid or equal(_document(self), _document(other))


class Unread(NamedTuple):
    """A file below the registry's paths that gave no contract, and why: every problem, or one reason."""

    path: str
    problems: tuple[Problem, ...]


def by_path(unread: Iterable[Unread]) -> tuple[Unread, ...]:
    """Sort files by path. One path may be there twice, and what is wrong with it cannot always be ordered."""
    return tuple(sorted(unread, key=lambda one: one.path))


class Snapshot(NamedTuple):
    """All contracts of one tree, in order of path. ``label`` says what it is a snapshot of."""

    label: str
    contracts: tuple[Held, ...] = ()
    unread: tuple[Unread, ...] = ()


def _document(held: Held) -> Value:
    return dict(held.contract.document)
