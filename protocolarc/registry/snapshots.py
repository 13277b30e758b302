"""Snapshots of a commit and of the index, as contracts."""

from __future__ import annotations

from collections.abc import Sequence

from protocolarc.gitstore.entries import TreeEntry, index_entries, tree_entries
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.snapshot import build_snapshot
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.snapshot import Snapshot


def parse(data: bytes) -> Contract | tuple[Problem, ...]:
    """Read one document: a contract, or every problem of it."""
    try:
        return load_contract(data)
    except ContractError as error:
        return error.problems


def of_tree(git: Git, label: str, commit: str | None, paths: Sequence[bytes]) -> Snapshot:
    """Return the contracts of a commit; of none at all, an empty snapshot.

    Raises:
        GitError: the tree or an object in it cannot be read.
    """
    if commit is None:
        return Snapshot(label)
    return build_snapshot(git, label, tree_entries(git, commit, paths), parse)


def of_entries(git: Git, label: str, entries: Sequence[TreeEntry]) -> Snapshot:
    """Return the contracts among entries that were listed before.

    Raises:
        GitError: an object cannot be read.
    """
    return build_snapshot(git, label, entries, parse)


def of_index(git: Git, label: str, paths: Sequence[bytes]) -> Snapshot:
    """Return the contracts that are staged for this commit.

    Raises:
        GitError: the index or an object in it cannot be read.
    """
    return build_snapshot(git, label, index_entries(git, paths), parse)
