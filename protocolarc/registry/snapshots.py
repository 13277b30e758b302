"""Snapshots of a commit and of the index, as contracts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from protocolarc.engine.revisions import Index, Revisions, highest, index_by_name
from protocolarc.gitstore.entries import TreeEntry, list_index, list_tree, read_entry, tree_of
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.search import STAGED
from protocolarc.gitstore.snapshot import build_snapshot
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.registry.names import holders, select
from protocolarc.registry.refs import Point
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.record import NamedTuple
from protocolarc.values.snapshot import Held, Snapshot, by_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Bases(NamedTuple):
    """``base`` says what changed since, ``anchor`` what others can already have; they differ where several count."""

    base: Snapshot
    anchor: Snapshot


def parse(data: bytes) -> Contract | tuple[Problem, ...]:
    """Read one document: a contract, or every problem of it."""
    try:
        return load_contract(data)
    except ContractError as error:
        return error.problems


def of_tree(
    git: Git, label: str, commit: str | None, paths: Sequence[bytes], names: Collection[str] | None = None
) -> Snapshot:
    """Return the contracts of a commit; of none at all, an empty snapshot.

    With names, those contracts and a few others; most of what is no contract of theirs is left out.

    Raises:
        GitError: the tree or an object in it cannot be read.
    """
    if commit is None:
        return Snapshot(label)
    records = list_tree(git, commit, paths)
    if names is not None:
        records = select(records, holders(git, names, paths, tree_of(git, commit)))
    return of_entries(git, label, sorted(map(read_entry, records)))


def of_bases(git: Git, point: Point, paths: Sequence[bytes], names: Collection[str] | None = None) -> Bases:
    """Return what a comparison starts from. For ``names`` see ``of_tree``.

    Raises:
        GitError: a tree or an object in one cannot be read.
    """
    return at_bases(point, lambda label, oid: of_tree(git, label, oid, paths, names))


def at_bases(point: Point, read: Callable[[str, str | None], Snapshot]) -> Bases:
    """Return what a comparison starts from, given what reads one commit under a label."""
    found = [read(point.label, oid) for oid in (point.oid, *point.also)]
    return unite(found) if point.also else Bases(*found, *found)


def unite(bases: Sequence[Snapshot]) -> Bases:
    """Unite the snapshots of several merge bases.

    Whoever took a revision from any of them holds it: a name has all its revisions. What a name was is what it was
    where it stands highest; in one that is behind, its revisions have not left.
    """
    indices = [index_by_name(base) for base in bases]
    tops: dict[str, list[Index]] = {}
    for name in {name: None for index in indices for name in index}:
        holding = [index for index in indices if name in index]
        top = max(_precedence(index[name]) for index in holding)
        tops[name] = [index for index in holding if _precedence(index[name]) == top]
    highest_of_all = (held for name, found in tops.items() for index in found for held in index[name])
    unread = by_path(dict.fromkeys(unread for base in bases for unread in base.unread))
    label = bases[0].label
    return Bases(
        Snapshot(label, _distinct(highest_of_all), unread),
        Snapshot(label, _distinct(held for base in bases for held in base.contracts), unread),
    )


def join(*parts: Snapshot) -> Snapshot:
    """Return one snapshot of what several hold, under the label of the first."""
    contracts = tuple(held for part in parts for held in part.contracts)
    return Snapshot(parts[0].label, contracts, by_path(one for part in parts for one in part.unread))


def _precedence(revisions: Revisions) -> Any:  # noqa: ANN401  # a sort key
    return highest(revisions).contract.revision.precedence


def _distinct(contracts: Iterable[Held]) -> tuple[Held, ...]:
    return tuple({(held.path, held.oid): held for held in contracts}.values())


def of_entries(git: Git, label: str, entries: Sequence[TreeEntry]) -> Snapshot:
    """Return the contracts among entries that were listed before.

    Raises:
        GitError: an object cannot be read.
    """
    return build_snapshot(git, label, entries, parse)


def of_index(git: Git, label: str, paths: Sequence[bytes], names: Collection[str] | None = None) -> Snapshot:
    """Return the contracts that are staged for this commit. For ``names`` see ``of_tree``.

    Raises:
        GitError: the index or an object in it cannot be read.
    """
    records = list_index(git, paths)
    if names is not None:
        records = select(records, holders(git, names, paths, STAGED))
    return of_entries(git, label, sorted(map(read_entry, records)))
