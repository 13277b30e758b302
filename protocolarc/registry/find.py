"""Finding the document that ``NAME``, ``NAME@REVISION`` or ``REF:PATH`` names, as it stands on disk or in git."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence

from protocolarc.gitstore.entries import GITLINK, SYMLINK, TreeEntry, list_index, read_entry, tree_entries
from protocolarc.gitstore.history import Commit, history
from protocolarc.gitstore.plumbing import Git, blob
from protocolarc.gitstore.snapshot import TOO_LARGE
from protocolarc.loader.inputs import read_file
from protocolarc.registry.disk import ON_DISK, of_disk
from protocolarc.registry.refs import UNSHALLOW, commit_of, no_commit
from protocolarc.registry.snapshots import of_index, of_tree
from protocolarc.registry.sources import paths_at
from protocolarc.values.literal import unescape_label
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Revision, parse_revision
from protocolarc.values.snapshot import Held, Snapshot

MAX_LISTED = 20
"""Names or revisions that a message lists."""


class NotFoundError(Exception):
    """Nothing is there under that name. The text is one line for people; it may hold data."""


class _Wanted(NamedTuple):
    name: str
    revision: Revision | None


def find_document(
    git: Git, paths: Sequence[bytes], argument: str, at: str | None = None, *, staged: bool = False
) -> bytes:
    """Return the bytes of the contract that an argument names.

    A name is looked up in the commit ``at``; without one on disk, or in the index when ``staged``. Of several
    revisions the highest is meant. A revision that is not there is searched in the history, newest commit first.

    Raises:
        NotFoundError: there is no such commit, path, contract or revision.
        GitError: git cannot answer.
    """
    ref, colon, path = argument.partition(":")
    if colon:
        return _at_path(git, ref, path)
    name, marked, text = argument.partition("@")
    wanted = _Wanted(name, _revision(text) if marked else None)
    snapshot = _snapshot(git, paths, at, [name], staged=staged)
    named = [held for held in snapshot.contracts if held.contract.name == name]
    chosen = _choose(named, wanted.revision)
    if chosen is not None:
        return _read(git, chosen)
    known = {held.contract.revision.text for held in named}
    if wanted.revision is not None:
        found = _in_history(git, paths, at or "HEAD", wanted, known)
        if found is not None:
            return found
    shallow = f"; this clone is shallow ({UNSHALLOW})" if git.shallow and wanted.revision is not None else ""
    if known:
        raise NotFoundError(f"there is no revision {text} of {name}; {listed(text, known, 'it has')}{shallow}")
    where = "" if at is None else f" at {at}"
    rest = lacking(name, _snapshot(git, paths, at, None, staged=staged))
    raise NotFoundError(f"there is no contract '{name}' in the registry{where}{rest}{shallow}")


def missing_name(git: Git, paths: Sequence[bytes], name: str) -> str:
    """Say that the work tree's registry holds no contract of a name, and which it holds; or nothing, where it does.

    Raises:
        GitError: git cannot list the files.
    """
    found = _snapshot(git, paths, None, [name], staged=False).contracts
    if any(held.contract.name == name for held in found):
        return ""
    return (
        f"there is no contract '{name}' in the registry{lacking(name, _snapshot(git, paths, None, None, staged=False))}"
    )


def lacking(name: str, snapshot: Snapshot) -> str:
    """Return the end of a message that a contract is not there: what else is, and what could not be read."""
    unread = sorted({one.path for one in snapshot.unread})
    rest = ["..."] if len(unread) > MAX_LISTED else []
    files = f"; not readable: {', '.join([*unread[:MAX_LISTED], *rest])}" if unread else ""
    return unknown(name, (held.contract.name for held in snapshot.contracts)) + files


def staged_file(git: Git, path: str) -> bytes:
    """Return what the index holds of a file of the disk.

    Raises:
        NotFoundError: it holds no such file, or one that is too large.
        GitError: git cannot answer.
    """
    place = os.fsencode(path_from_top(git, path))
    records = [] if place.startswith(b"../") else list_index(git, [place])
    entry = _plain_file(map(read_entry, records), place)
    if entry is None:
        raise NotFoundError(f"the index holds no file {path}, or holds it in conflict; git add it")
    data = blob(git, entry.oid)
    if data is None:
        raise NotFoundError(f"{path} is {TOO_LARGE}")
    return data


def unknown(name: str, names: Iterable[str]) -> str:
    """Return the end of a message that a contract is not there: which ones are, if any."""
    known = set(names)
    return f"; {listed(name, known, 'it holds')}" if known else ", which holds none"


def listed(wanted: str, known: Iterable[str], lead: str) -> str:
    """List words, the ones that are like the wanted one first; revisions in their own order."""
    words = sorted(set(known))
    try:
        ordered = sorted(words, key=lambda word: parse_revision(word).precedence)
    except ValueError:
        from difflib import get_close_matches  # noqa: PLC0415  # only a message needs it

        near = get_close_matches(wanted, words, n=3)
        ordered = [*near, *(word for word in words if word not in near)]
    rest = [f"... and {len(ordered) - MAX_LISTED} more"] if len(ordered) > MAX_LISTED else []
    return f"{lead} {', '.join([*ordered[:MAX_LISTED], *rest])}"


def _snapshot(
    git: Git, paths: Sequence[bytes], at: str | None, names: Collection[str] | None, *, staged: bool
) -> Snapshot:
    """Return the contracts that are looked through; with names, most others are not among them."""
    if at is not None or git.bare:
        commit = _commit(git, at or "HEAD")
        there = [os.fsencode(path) for path in paths_at(git, commit)]
        return of_tree(git, at or "HEAD", commit, list(dict.fromkeys((*paths, *there))), names)
    return of_index(git, "the index", paths, names) if staged else of_disk(git, "the work tree", paths, names)


def _choose(named: Sequence[Held], revision: Revision | None) -> Held | None:
    """Return the highest revision, or the one that is wanted; the same build metadata is preferred.

    Raises:
        NotFoundError: two files say different things under it.
    """
    if revision is None:
        revision = max((held.contract.revision for held in named), key=lambda item: item.precedence, default=None)
    same = [held for held in named if revision and held.contract.revision.precedence == revision.precedence]
    same = [held for held in same if revision and held.contract.revision.text == revision.text] or same
    other = next((held for held in same if not held.same_content(same[0])), None)
    if other is not None:
        places = f"{same[0].path} and {other.path}"
        raise NotFoundError(f"{same[0].contract.label} is in {places}, which differ; name one of the files")
    return same[0] if same else None


def _read(git: Git, held: Held) -> bytes:
    if held.oid.startswith(ON_DISK):
        return _file(os.path.join(git.top or ".", unescape_label(held.path)))
    return _blob(git, held.oid)


def _in_history(git: Git, paths: Sequence[bytes], ref: str, wanted: _Wanted, known: set[str]) -> bytes | None:
    """Search the commits, newest first; the revisions of the name that are met are added to the known ones."""
    if commit_of(git, ref) is None:
        return None
    from protocolarc.registry.walk import Walk  # noqa: PLC0415  # most revisions are at hand

    walk = Walk(git, paths, [ref], full=True)
    oid = _search(git, walk, wanted, known)
    turns = walk.turns(paths)
    if turns is not None:
        oid = _search(git, history(git, turns.folders, ref, full=True), wanted, known)
    return None if oid is None else _blob(git, oid)


def _search(git: Git, commits: Iterable[Commit], wanted: _Wanted, known: set[str]) -> str | None:
    from protocolarc.registry.documents import Reader  # noqa: PLC0415  # as above

    reader = Reader(git, wanted.name)
    for commit in commits:
        reader.look_ahead((commit,))
        for change in commit.changes:
            contract = reader.after(change)
            if contract is None or contract.name != wanted.name:
                continue
            if wanted.revision is not None and contract.revision.precedence == wanted.revision.precedence:
                return change.new_oid
            known.add(contract.revision.text)
    return None


def _at_path(git: Git, ref: str, path: str) -> bytes:
    commit = _commit(git, ref or "HEAD")
    wanted = os.fsencode(_from_top(git, path))
    entry = _plain_file(tree_entries(git, commit, [wanted]), wanted)
    if entry is None:
        raise NotFoundError(f"there is no file '{path}' at {ref or 'HEAD'}")
    return _blob(git, entry.oid)


def _plain_file(entries: Iterable[TreeEntry], path: bytes) -> TreeEntry | None:
    """Return the entry of a path that is a file of its own, and not in conflict."""
    plain = (entry for entry in entries if not entry.stage and entry.mode not in (SYMLINK, GITLINK))
    return next((entry for entry in plain if entry.path == path), None)


def _from_top(git: Git, path: str) -> str:
    """Return a path from the top of the repository; ``./`` and ``../`` begin at the current directory, as in git."""
    return path_from_top(git, path) if path.startswith(("./", "../")) else path


def path_from_top(git: Git, path: str) -> str:
    """Return a path of the disk as git names it, from the top of the repository."""
    if git.top is None:
        return path
    folder, name = os.path.split(path)
    place = os.path.join(os.path.realpath(folder or "."), name)
    return os.path.relpath(place, os.path.realpath(git.top)).replace(os.sep, "/")


def _commit(git: Git, ref: str) -> str:
    oid = commit_of(git, ref)
    if oid is None:
        raise NotFoundError(no_commit(ref))
    return oid


def _revision(text: str) -> Revision:
    try:
        return parse_revision(text)
    except ValueError as error:
        raise NotFoundError(f"'{text}': {error}") from None


def _file(path: str) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        raise NotFoundError(f"{path}: {error.strerror or error}") from None


def _blob(git: Git, oid: str) -> bytes:
    data = blob(git, oid)
    if data is None:
        raise NotFoundError(f"object {oid} is {TOO_LARGE}")
    return data
