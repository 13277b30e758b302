"""What trees and the index hold below given paths, and how two trees differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from protocolarc.gitstore.plumbing import Git

SYMLINK, GITLINK = "120000", "160000"

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
    """Return what stands at or below the paths in a commit or tree, in order of path.

    A path that runs through a symbolic link or a submodule gives that entry. One process; two when a path of
    several parts holds nothing.

    Raises:
        GitError: the tree cannot be read.
    """
    found = _read_tree(git, tree, "-r", paths)
    folders = _above_lost(found, paths)
    if folders:
        found += [entry for entry in _read_tree(git, tree, "--full-name", folders) if entry.mode in (SYMLINK, GITLINK)]
    return sorted(found)


def index_entries(git: Git, paths: Sequence[bytes]) -> list[TreeEntry]:
    """Return what the index holds at or below the paths: the one that git chose for this commit.

    A path that runs through a symbolic link or a submodule gives that entry. One process; one more when a path of
    several parts holds nothing, and when a file is empty.

    Raises:
        GitError: the index cannot be read.
    """
    found = _read_index(git, paths)
    empty = next((entry.oid for entry in found if entry.oid in _EMPTY), None)
    if empty is not None:
        staged = _staged(git, _EMPTY[empty], paths)
        found = [entry for entry in found if entry.oid != empty or entry.path in staged]
    folders = _above_lost(found, paths)
    if folders:
        found += [entry for entry in _read_index(git, folders) if entry.path in folders]
    return sorted(found)


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


def _read_tree(git: Git, tree: str, option: str, paths: Sequence[bytes]) -> list[TreeEntry]:
    names = [] if b"" in paths else paths
    found = []
    for record in git.run("ls-tree", option, "-z", "--full-tree", tree, "--", *names).split(b"\0")[:-1]:
        head, _, path = record.partition(b"\t")
        mode, _kind, oid = head.decode("ascii").split(" ")
        found.append(TreeEntry(path, mode, oid))
    return found


def _read_index(git: Git, paths: Sequence[bytes]) -> list[TreeEntry]:
    found = []
    for record in git.run("ls-files", "-s", "-z", "--full-name", "--", *pathspecs(paths)).split(b"\0")[:-1]:
        head, _, path = record.partition(b"\t")
        mode, oid, stage = head.decode("ascii").split(" ")
        found.append(TreeEntry(path, mode, oid, int(stage)))
    return found


def _staged(git: Git, empty_tree: str, paths: Sequence[bytes]) -> set[bytes]:
    """Return the paths that a commit would get. A file that is only meant to be added looks like an empty one."""
    words = ("diff-index", "--cached", "--ita-invisible-in-index", "-z", "--name-only", "--no-renames", "-O/dev/null")
    return set(git.run(*words, "--ignore-submodules=none", empty_tree, "--", *pathspecs(paths)).split(b"\0")[:-1])


def _above_lost(found: Sequence[TreeEntry], paths: Sequence[bytes]) -> list[bytes]:
    """Return the folders above paths that hold nothing: one of them may be a link or a submodule."""
    return above([path for path in paths if not any(is_below(entry.path, path) for entry in found)])
