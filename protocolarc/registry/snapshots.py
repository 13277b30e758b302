"""Snapshots of a commit, of the index and of the disk, as contracts."""

from __future__ import annotations

import os
from collections.abc import Sequence

from protocolarc.gitstore.entries import TreeEntry, above, index_entries, pathspecs, tree_entries
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.snapshot import LINK, SUBMODULE, build_snapshot, read_document, show_path
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.inputs import read_file, reason_of
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.snapshot import Held, Snapshot, Unread


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


def of_disk(git: Git, label: str, paths: Sequence[bytes]) -> Snapshot:
    """Return the contracts that are on the disk: tracked or not, but not ignored. One process.

    Raises:
        GitError: git cannot list the files.
    """
    words = ("ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard")
    listed = git.run(*words, "--", *pathspecs(paths)).split(b"\0")[:-1]
    contracts: list[Held] = []
    top = os.fsencode(git.top or ".")
    links = (path for path in above(paths) if os.path.islink(os.path.join(top, path)))
    unread = [Unread(show_path(path), (LINK,)) for path in links]
    for path in sorted(set(listed)):
        found = _read_disk(os.path.join(top, path))
        if isinstance(found, Contract):
            contracts.append(Held(found, show_path(path), f"disk:{show_path(path)}"))
        elif found:
            unread.append(Unread(show_path(path), found))
    return Snapshot(label, tuple(contracts), tuple(sorted(unread)))


def read_path(path: str) -> tuple[Problem, ...]:
    """Return what is wrong with a file as a contract."""
    if os.path.islink(path):
        return (LINK,)
    try:
        found = read_document(read_file(path), parse)
    except OSError as error:
        return (Problem(None, "", "input.unreadable", reason_of(error)),)
    return () if isinstance(found, Contract) else found


def _read_disk(path: bytes) -> Contract | tuple[Problem, ...]:
    """Read one file; of one that is gone, or is no JSON file, nothing."""
    if os.path.islink(path) or os.path.isdir(path):
        return (LINK if os.path.islink(path) else SUBMODULE,)
    if not path.endswith(b".json") or not os.path.exists(path):
        return ()
    try:
        return read_document(read_file(os.fsdecode(path)), parse)
    except OSError as error:
        return (Problem(None, "", "input.unreadable", reason_of(error)),)


def of_index(git: Git, label: str, paths: Sequence[bytes]) -> Snapshot:
    """Return the contracts that are staged for this commit.

    Raises:
        GitError: the index or an object in it cannot be read.
    """
    return build_snapshot(git, label, index_entries(git, paths), parse)
