"""Contracts as they are on the disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from stat import S_ISREG

from protocolarc.gitstore.entries import TreeEntry, above, path_of, pathspecs, read_entry
from protocolarc.gitstore.plumbing import MAX_BLOB_BYTES, Git
from protocolarc.gitstore.snapshot import CONFLICT, LINK, SUBMODULE, read_document, show_path
from protocolarc.loader.inputs import read_file, reason_of
from protocolarc.registry.names import holders, select
from protocolarc.registry.snapshots import join, of_entries, parse
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.record import NamedTuple
from protocolarc.values.snapshot import Held, Snapshot, Unread

ON_DISK = "disk:"
"""How the id of what is no blob begins."""

_PLAIN, _UNTRACKED, _UNMERGED = b"H", b"?", b"M"
_KEPT = frozenset((b"S", b"s", b"h", b"m"))
"""Marks of ``ls-files -v``: skipped in the work tree, or assumed to be unchanged, which the small letters say."""


class Listed(NamedTuple):
    """What git knows of the disk: records of tracked files, paths of the others, and what it keeps off the disk.

    What is in conflict is among the others.
    """

    tracked: list[bytes]
    others: set[bytes]
    conflicts: set[bytes]
    kept: list[TreeEntry]


def of_disk(git: Git, label: str, paths: Sequence[bytes], names: Collection[str] | None = None) -> Snapshot:
    """Return the contracts that are on the disk: tracked or not, but not ignored. Two processes.

    What git itself keeps off the disk, as in a sparse checkout, counts as the index has it. With names, most of what is
    no contract of theirs is left out, which takes one process more.

    Raises:
        GitError: git cannot list the files, or not give what it keeps off the disk.
    """
    listed = list_disk(git, paths)
    chosen = listed.tracked if names is None else select(listed.tracked, holders(git, names, paths))
    return read_listed(git, label, listed, chosen, paths)


def read_listed(git: Git, label: str, listed: Listed, tracked: Iterable[bytes], paths: Sequence[bytes]) -> Snapshot:
    """Return the contracts of all that was listed, but of tracked files of those records alone.

    Raises:
        GitError: git cannot give what it keeps off the disk.
    """
    here = read_paths(git, label, {*listed.others, *map(path_of, tracked)}, listed.conflicts)
    links = (path for path in above(paths) if os.path.islink(_place(git, path)))
    above_them = Snapshot(label, (), tuple(Unread(show_path(path), (LINK,)) for path in links))
    return join(here, of_entries(git, label, listed.kept), above_them)


def list_disk(git: Git, paths: Sequence[bytes]) -> Listed:
    """List what stands on the disk at or below the paths. One process.

    Raises:
        GitError: git cannot list it.
    """
    words = ("ls-files", "-z", "-s", "-v", "--full-name", "--cached", "--others", "--exclude-standard")
    listed = Listed([], set(), set(), [])
    for marked in git.run(*words, "--", *pathspecs(paths)).split(b"\0")[:-1]:
        mark, record = marked[:1], marked[2:]
        if mark == _PLAIN:
            listed.tracked.append(record)
        elif mark in _KEPT and not os.path.lexists(_place(git, path_of(record))):
            listed.kept.append(read_entry(record))
        else:
            listed.others.add(record if mark == _UNTRACKED else path_of(record))
            if mark == _UNMERGED:  # it has several records
                listed.conflicts.add(path_of(record))
    return listed


def read_paths(git: Git, label: str, paths: Iterable[bytes], conflicts: Collection[bytes] = ()) -> Snapshot:
    """Return the contracts that some files hold; what is no JSON file and no link holds none, and needs not.

    What is in conflict and not resolved on the disk is named as such.
    """
    contracts: list[Held] = []
    unread: list[Unread] = []
    for path in sorted(paths):
        found, shown = _read_disk(_place(git, path)), show_path(path)
        if isinstance(found, Contract):
            contracts.append(Held(found, shown, f"{ON_DISK}{shown}"))
        elif found:
            unread.append(Unread(shown, (CONFLICT,) if path in conflicts else found))
    return Snapshot(label, tuple(contracts), tuple(unread))


def read_bytes(git: Git, path: bytes) -> bytes | None:
    """Return the content of a contract file, or a part if it changes meanwhile; ``None`` for what takes more care."""
    place = _place(git, path)
    try:
        status = os.lstat(place)
        if not path.endswith(b".json") or not S_ISREG(status.st_mode) or status.st_size > MAX_BLOB_BYTES:
            return None
        with open(place, "rb", buffering=0) as stream:
            return stream.read(status.st_size + 1)
    except OSError:
        return None


def read_path(path: str) -> tuple[Problem, ...]:
    """Return what is wrong with a file as a contract."""
    if os.path.islink(path):
        return (LINK,)
    try:
        found = read_document(read_file(path), parse)
    except OSError as error:
        return (Problem(None, "", "input.unreadable", reason_of(error)),)
    return () if isinstance(found, Contract) else found


def _place(git: Git, path: bytes) -> bytes:
    return os.path.join(os.fsencode(git.top or "."), path)


def _read_disk(path: bytes) -> Contract | tuple[Problem, ...]:
    """Read one file; of one that is gone, or is no JSON file, nothing. A folder that git lists is a repository."""
    if os.path.islink(path):
        return (LINK,)
    if os.path.isdir(path):
        is_other = os.path.lexists(os.path.join(path, b".git")) or not os.listdir(path)
        return (SUBMODULE,) if is_other else ()
    if not path.endswith(b".json") or not os.path.exists(path):
        return ()
    if not os.path.isfile(path):
        return (Problem(None, "", "input.unreadable", "no regular file"),)
    try:
        return read_document(read_file(os.fsdecode(path)), parse)
    except OSError as error:
        return (Problem(None, "", "input.unreadable", reason_of(error)),)
