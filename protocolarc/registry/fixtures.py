"""Fixtures: recorded envelopes that the policy names for contracts, as a commit has them, on two validators."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from protocolarc.engine.revisions import index_by_name
from protocolarc.gitstore.entries import GITLINK, SYMLINK, TreeEntry, tree_entries
from protocolarc.gitstore.plumbing import Git, GitError, blob
from protocolarc.gitstore.snapshot import is_lfs_pointer, show_path
from protocolarc.loader.inputs import base_name
from protocolarc.registry.refs import Point
from protocolarc.values.envelope import Problem
from protocolarc.values.judgement import ERROR, Judgement
from protocolarc.values.literal import escape_label
from protocolarc.values.policy import Policy
from protocolarc.values.snapshot import Held, Snapshot, Unread

MAX_FIXTURE_BYTES = 64 * 1024 * 1024
"""Largest fixture that is read. Its report is held in memory as well, once for each side."""


class Case(NamedTuple):
    """A fixture beside one revision of its contract, as bytes. ``name`` is the base name of the file."""

    name: str
    contract: bytes
    content: bytes


Differ: TypeAlias = Callable[[Case], str | None]
"""Says in one line of ASCII how two validators differ on a case; nothing where they agree."""


class Compared(NamedTuple):
    """What came of the fixtures: the differences, the files that could not be read, and a note about the rest."""

    judgements: tuple[Judgement, ...]
    unread: tuple[Unread, ...]
    notes: tuple[str, ...]


def compare_fixtures(git: Git, head: Point, snapshot: Snapshot, policies: Iterable[Policy], differ: Differ) -> Compared:
    """Ask both validators about each fixture, once for each revision that the commit holds of its contract.

    What any of the policies names counts, so that a change cannot take a fixture away from its own judgement.

    Raises:
        GitError: there is no fixture at all, or an object cannot be read.
    """
    named = {(name, path): None for policy in policies for name, paths in policy.fixtures.items() for path in paths}
    if not named:
        raise GitError(
            "nothing to compare: the policy names no fixtures", "[fixtures] in protocolarc.toml: NAME = [FILES]"
        )
    paths = [os.fsencode(path) for _, path in named]
    entries = {entry.path: entry for entry in tree_entries(git, head.oid, paths)} if head.oid else {}
    contracts = index_by_name(snapshot)
    judgements: list[Judgement] = []
    unread: list[Unread] = []
    for (name, _), path in zip(named, paths, strict=True):
        content = _read(git, path, entries)
        if isinstance(content, bytes) and name not in contracts:
            why = f"{head.label} has no contract {name}, which the policy names this file for"
            content = Problem(None, "", "fixture.contract", escape_label(why))
        if isinstance(content, Problem):
            unread.append(Unread(show_path(path), (content,)))
            continue
        for held in contracts[name]:
            document = blob(git, held.oid) or b""  # it was read before
            difference = differ(Case(base_name(os.fsdecode(path)), document, content))
            if difference is not None:
                judgements.append(_judgement(held, show_path(path), difference))
    asked = len(named) - len(unread)
    agree = asked and not judgements
    notes = (f"both validators agree on {asked} fixture{'' if asked == 1 else 's'}",) if agree else ()
    return Compared(tuple(judgements), tuple(sorted(unread)), notes)


def _judgement(held: Held, path: str, difference: str) -> Judgement:
    name, revision = escape_label(held.contract.name), held.contract.revision.text
    message = f"{name}@{revision}: {path}: {difference}"
    return Judgement("parity.differs", ERROR, 1, name, None, revision, path, message)


def _read(git: Git, path: bytes, entries: Mapping[bytes, TreeEntry]) -> bytes | Problem:
    """Return the content of a fixture, or why there is none."""
    entry = entries.get(path)
    if entry is None or entry.mode in (SYMLINK, GITLINK):
        return _unreadable(_why_absent(path, entries))
    content = blob(git, entry.oid, MAX_FIXTURE_BYTES)
    if content is None:
        return _unreadable(f"over {MAX_FIXTURE_BYTES >> 20} MiB; split it")
    return _unreadable("a pointer of Git LFS; keep fixtures in git itself") if is_lfs_pointer(content) else content


def _why_absent(path: bytes, entries: Mapping[bytes, TreeEntry]) -> str:
    for found, entry in entries.items():
        if found.startswith(path + b"/"):
            return "a folder; name the files in it"
        if entry.mode in (SYMLINK, GITLINK) and (path + b"/").startswith(found + b"/"):
            return "a symbolic link or a submodule; put the file itself here"
    return "not in the head; a fixture leaves in two steps, first the policy and then the file"


def _unreadable(why: str) -> Problem:
    return Problem(None, "", "fixture.unreadable", why)
