"""Contracts as they are on the disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from protocolarc.gitstore.entries import TreeEntry, above, path_of, pathspecs, read_entry
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.snapshot import LINK, SUBMODULE, read_document, show_path
from protocolarc.loader.inputs import read_file, reason_of
from protocolarc.registry.names import holders, select
from protocolarc.registry.snapshots import of_entries, parse
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.snapshot import Held, Snapshot, Unread, by_path

ON_DISK = "disk:"
"""How the id of what is no blob begins."""

_PLAIN, _UNTRACKED = b"H", b"?"
_KEPT = frozenset((b"S", b"s", b"h", b"m"))
"""Marks of ``ls-files -v``: skipped in the work tree, or assumed to be unchanged, which the small letters say."""


def of_disk(git: Git, label: str, paths: Sequence[bytes], names: Collection[str] | None = None) -> Snapshot:
    """Return the contracts that are on the disk: tracked or not, but not ignored. Two processes.

    What git itself keeps off the disk, as in a sparse checkout, counts as the index has it. With names, most of what is
    no contract of theirs is left out, which takes one process more.

    Raises:
        GitError: git cannot list the files, or not give what it keeps off the disk.
    """
    words = ("ls-files", "-z", "-s", "-v", "--full-name", "--cached", "--others", "--exclude-standard")
    kept: list[TreeEntry] = []
    top = os.fsencode(git.top or ".")
    marked = [(record[:1], record[2:]) for record in git.run(*words, "--", *pathspecs(paths)).split(b"\0")[:-1]]
    plain = [record for mark, record in marked if mark == _PLAIN]
    listed = set(map(path_of, plain if names is None else select(plain, holders(git, names, paths))))
    for mark, record in marked:
        if mark == _UNTRACKED:
            listed.add(record)
        elif mark in _KEPT and not os.path.lexists(os.path.join(top, path_of(record))):
            kept.append(read_entry(record))
        elif mark != _PLAIN:
            listed.add(path_of(record))
    held, named = of_entries(git, label, kept)[1:]
    contracts = list(held)
    links = (path for path in above(paths) if os.path.islink(os.path.join(top, path)))
    unread = [*named, *(Unread(show_path(path), (LINK,)) for path in links)]
    for path in sorted(listed):
        found = _read_disk(os.path.join(top, path))
        if isinstance(found, Contract):
            contracts.append(Held(found, show_path(path), f"{ON_DISK}{show_path(path)}"))
        elif found:
            unread.append(Unread(show_path(path), found))
    return Snapshot(label, tuple(contracts), by_path(unread))


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
