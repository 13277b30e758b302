"""What trees and the index hold below given paths, and how two trees differ."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence

from protocolarc.gitstore.errors import FSCK
from protocolarc.gitstore.plumbing import Git, GitError, missing
from protocolarc.values.record import NamedTuple

SYMLINK, GITLINK, TREE = "120000", "160000", "040000"
PLAIN = (b"100644 ", b"100755 ")
"""How the records of files begin."""
_MODES = frozenset(("100644", "100755", TREE, SYMLINK, GITLINK))

_EMPTY = {
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813": (
        "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    ),
}
"""The empty blob of SHA-1 and of SHA-256, each with the empty tree."""


class TreeEntry(NamedTuple):
    """One entry of a tree or of the index. ``stage`` is not 0 for a path that is in conflict."""

    path: bytes
    mode: str
    oid: str
    stage: int = 0


class RawChange(NamedTuple):
    """One path that differs between two trees; where it is absent its mode and id are all zeros."""

    path: bytes
    old_mode: str
    new_mode: str
    old_oid: str
    new_oid: str


def tree_entries(git: Git, tree: str, paths: Sequence[bytes]) -> list[TreeEntry]:
    """Return what stands at or below the paths in a commit or tree, in order of path. See ``list_tree``.

    Raises:
        GitError: the tree cannot be read.
    """
    return sorted(map(read_entry, list_tree(git, tree, paths)))


def tree_of(git: Git, tree: str) -> str:
    """Return the id of the tree of a commit, or of a tree.

    Raises:
        GitError: it cannot be read.
    """
    root = git.read(f"{tree}^{{tree}}", limit=0)
    if root is None:
        raise _unreadable(git, tree)
    return root.oid


def list_tree(git: Git, tree: str, paths: Sequence[bytes]) -> list[bytes]:
    """Return the records of what stands at or below the paths in a commit or tree, in order of path.

    A path that runs through a symbolic link or a submodule gives that entry. The trees are read as objects, by the
    process that reads all objects.

    Raises:
        GitError: the tree cannot be read.
    """
    root = tree_of(git, tree)
    found: list[bytes] = []
    for path in paths:
        found += _list_path(git, root, path)
    return found if len(paths) == 1 else sorted(dict.fromkeys(found), key=path_of)


def list_index(git: Git, paths: Sequence[bytes]) -> list[bytes]:
    """Return the records of what the index holds at or below the paths, in order: the one that git chose for a commit.

    A path that runs through a symbolic link or a submodule gives that entry. One process; one more when a path of
    several parts holds nothing, and when a file is empty.

    Raises:
        GitError: the index cannot be read.
    """
    found = _read_index(git, paths)
    everything = b"\0".join(found)
    empty = next((oid for oid in _EMPTY if oid.encode("ascii") in everything), None)
    if empty is not None:
        staged = _staged(git, _EMPTY[empty], paths)
        found = [record for record in found if empty.encode("ascii") not in record or path_of(record) in staged]
    held = [path_of(record) for record in found] if any(b"/" in path for path in paths) else []
    lost = above(path for path in paths if b"/" in path and not any(is_below(name, path) for name in held))
    if lost:
        found = sorted({*found, *(one for one in _read_index(git, lost) if path_of(one) in lost)}, key=_place_of)
    return found


def path_of(record: bytes) -> bytes:
    """Return the path of a record, without reading the rest."""
    return record.partition(b"\t")[2]


def is_document(record: bytes) -> bool:
    """Tell whether a record is of a file that is read: a link or a submodule is not, whatever it is called."""
    return record.startswith(PLAIN) and record.endswith(b".json")


def read_entry(record: bytes) -> TreeEntry:
    """Read a record: mode, object id and stage, then the path, as ``git ls-files -s`` writes them."""
    head, _, path = record.partition(b"\t")
    mode, oid, stage = head.decode("ascii").split(" ")
    return TreeEntry(path, mode, oid, int(stage))


def read_raw(head: bytes, path: bytes) -> RawChange:
    """Read one record of ``--raw`` output."""
    old_mode, new_mode, old_oid, new_oid, _status = head.decode("ascii").lstrip("\n:").split(" ")
    return RawChange(path, old_mode, new_mode, old_oid, new_oid)


def is_below(path: bytes, top: bytes) -> bool:
    """Tell whether a path is another one or stands below it; the empty path is the top."""
    return not top or path == top or path.startswith(top + b"/")


def above(paths: Iterable[bytes]) -> list[bytes]:
    """Return the folders above paths, without the top."""
    parts = [path.split(b"/") for path in paths]
    return sorted({b"/".join(names[:end]) for names in parts for end in range(1, len(names))})


def pathspecs(paths: Iterable[bytes]) -> list[bytes]:
    """Return paths from the top as pathspecs that no character of theirs can turn into a pattern."""
    return [b":(top,literal)" + path for path in paths]


def _list_path(git: Git, root: str, path: bytes) -> list[bytes]:
    """Go down to a path and list what is there."""
    oid, place = root, b""
    for name in path.split(b"/") if path else ():
        mode, oid = next(
            ((_mode(mode), child.hex()) for mode, other, child in _children(git, oid) if other == name), ("", "")
        )
        place = place + b"/" + name if place else name
        if mode in (SYMLINK, GITLINK) or (mode not in ("", TREE) and place == path):
            return [f"{mode} {oid} 0\t".encode("ascii") + place]
        if mode != TREE:
            return []
    found: list[bytes] = []
    nested = False
    pending = [(oid, place)]
    while pending:
        oid, place = pending.pop()
        prefix = place + b"/" if place else b""
        entries = _children(git, oid)
        modes = {mode: _mode(mode) for mode in {mode for mode, _, _ in entries}}
        if TREE in modes.values():
            nested = True
            pending += [(child.hex(), prefix + name) for mode, name, child in entries if modes[mode] == TREE]
            entries = [entry for entry in entries if modes[entry[0]] != TREE]
        heads = {mode: f"{shown} ".encode("ascii") for mode, shown in modes.items()}
        # Joined: a registry has many entries, and a hook lists them at every commit.
        found += [b"".join((heads[mode], child.hex().encode(), b" 0\t", prefix, name)) for mode, name, child in entries]
    return sorted(found, key=path_of) if nested else found


def _children(git: Git, tree: str) -> list[tuple[bytes, bytes, bytes]]:
    """Return mode, name and binary object id of each entry of one tree object."""
    answer = git.read(tree, limit=sys.maxsize)
    if answer is None or answer.data is None:
        raise _unreadable(git, tree)
    length = len(tree) // 2
    found = re.findall(rb"([0-7]+) ([^\0]+)\0(.{%d})" % length, answer.data, re.DOTALL)
    if sum([len(mode) + len(name) for mode, name, _ in found]) + (length + 2) * len(found) != len(answer.data):
        raise GitError(f"object {tree} cannot be read: not a tree", FSCK)
    return found


def _mode(stored: bytes) -> str:
    """Return a mode as git shows it: the first trees held the whole mode of a file."""
    mode = stored.decode("ascii").zfill(6)
    if mode in _MODES or not mode.startswith("100"):
        return mode
    return "100755" if int(mode, 8) & 0o100 else "100644"


def _unreadable(git: Git, tree: str) -> GitError:
    """Ask git why it does not give a tree; the process that reads objects only says that it is missing."""
    try:
        git.run("ls-tree", tree)
    except GitError as error:
        return GitError(f"object {tree} cannot be read: {error.reason}", error.hint)
    return missing(git, tree)


def _place_of(record: bytes) -> tuple[bytes, bytes]:
    """Return what the index is sorted by: the path, then the stage."""
    head, _, path = record.partition(b"\t")
    return path, head[-1:]


def _read_index(git: Git, paths: Sequence[bytes]) -> list[bytes]:
    return git.run("ls-files", "-s", "-z", "--full-name", "--", *pathspecs(paths)).split(b"\0")[:-1]


def _staged(git: Git, empty_tree: str, paths: Sequence[bytes]) -> set[bytes]:
    """Return the paths that a commit would get. A file that is only meant to be added looks like an empty one."""
    words = ("diff-index", "--cached", "--ita-invisible-in-index", "-z", "--name-only", "--no-renames", "-O/dev/null")
    return set(git.run(*words, "--ignore-submodules=none", empty_tree, "--", *pathspecs(paths)).split(b"\0")[:-1])
