"""Contracts as they are on the disk."""

from __future__ import annotations

import os
from collections.abc import Sequence

from protocolarc.gitstore.entries import above, pathspecs
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.snapshot import LINK, SUBMODULE, read_document, show_path
from protocolarc.loader.inputs import read_file, reason_of
from protocolarc.registry.snapshots import parse
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.snapshot import Held, Snapshot, Unread


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
