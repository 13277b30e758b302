"""What trees and the index hold below given paths, and how two trees differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from protocolarc.gitstore.plumbing import Git

SYMLINK, GITLINK = "120000", "160000"


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
    above = _above_lost(found, paths)
    if above:
        found += [entry for entry in _read_tree(git, tree, "--full-name", above) if entry.mode in (SYMLINK, GITLINK)]
    return sorted(found)


def index_entries(git: Git, paths: Sequence[bytes]) -> list[TreeEntry]:
    """Return what the index holds at or below the paths: the one that git chose for this commit.

    A path that runs through a symbolic link or a submodule gives that entry. One process; two when a path of
    several parts holds nothing.

    Raises:
        GitError: the index cannot be read.
    """
    found = _read_index(git, paths)
    above = _above_lost(found, paths)
    if above:
        found += [entry for entry in _read_index(git, above) if entry.path in above]
    return sorted(found)


def tree_changes(git: Git, old: str, new: str, paths: Sequence[bytes]) -> list[RawChange]:
    """Return the paths below the given ones that differ between two commits or trees. One process.

    Raises:
        GitError: a tree cannot be read.
    """
    words = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none", "-O/dev/null")
    pieces = iter(git.run(*words, old, new, "--", *pathspecs(paths)).split(b"\0")[:-1])
    return sorted(read_raw(piece, next(pieces)) for piece in pieces)


def read_raw(head: bytes, path: bytes) -> RawChange:
    """Read one record of ``--raw`` output."""
    old_mode, new_mode, old_oid, new_oid, _status = head.decode("ascii").lstrip("\n:").split(" ")
    return RawChange(path, old_mode, new_mode, old_oid, new_oid)


def is_below(path: bytes, above: bytes) -> bool:
    """Tell whether a path is another one or stands below it; the empty path is the top."""
    return not above or path == above or path.startswith(above + b"/")


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


def _above_lost(found: Sequence[TreeEntry], paths: Sequence[bytes]) -> list[bytes]:
    """Return the folders above paths that hold nothing: one of them may be a link or a submodule."""
    lost = [path for path in paths if not any(is_below(entry.path, path) for entry in found)]
    return sorted(
        {b"/".join(parts[:end]) for path in lost for parts in [path.split(b"/")] for end in range(1, len(parts))}
    )
