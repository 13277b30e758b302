"""Snapshots out of git: entries become contracts, or what stands in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from protocolarc.gitstore.entries import GITLINK, SYMLINK, TreeEntry
from protocolarc.gitstore.plumbing import MAX_BLOB_BYTES, Git, missing
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.literal import escape_label
from protocolarc.values.snapshot import UNMERGED, Held, Snapshot, Unread, by_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Parse: TypeAlias = Callable[[bytes], "Contract | tuple[Problem, ...]"]
"""Reads one document; the loader's work, handed in because the rooms do not know each other."""

LINK = Problem(None, "", "contract.symlink", "a symbolic link; put the file itself here")
CONFLICT = Problem(None, "", UNMERGED, "in conflict; resolve it and stage the result")
SUBMODULE = Problem(None, "", "contract.submodule", "a submodule; run the check inside it")

TOO_LARGE = f"over the size limit of {MAX_BLOB_BYTES >> 20} MiB"

_LFS = b"version https://git-lfs.github.com/spec/"


def show_path(path: bytes) -> str:
    """Show a path in reports: ASCII, a byte that is not UTF-8 as its surrogate."""
    return escape_label(path.decode("utf-8", "surrogateescape"))


def is_lfs_pointer(data: bytes) -> bool:
    """Tell whether a blob only says where Git LFS keeps the content."""
    return data.startswith(_LFS)


def build_snapshot(git: Git, label: str, entries: Iterable[TreeEntry], parse: Parse) -> Snapshot:
    """Read the contracts among entries. What is no readable contract is named, never skipped.

    Raises:
        GitError: an object cannot be read.
    """
    contracts: list[Held] = []
    unread: list[Unread] = []
    wanted: list[TreeEntry] = []
    for entry in entries:
        fault = _fault_of(entry)
        if fault is not None:
            unread.append(Unread(show_path(entry.path), (fault,)))
        elif entry.path.endswith(b".json"):
            wanted.append(entry)
    _read_all(git, wanted, parse)
    for entry in wanted:
        found = git.documents[entry.oid]
        path = show_path(entry.path)
        if isinstance(found, Contract):
            contracts.append(Held(found, path, entry.oid))
        else:
            unread.append(Unread(path, found))
    return Snapshot(label, tuple(contracts), by_path(dict.fromkeys(unread)))  # a conflict has up to three entries


def _read_all(git: Git, entries: Iterable[TreeEntry], parse: Parse) -> None:
    """Read the blobs of entries, once for all snapshots of a repository: most of two trees is the same."""
    oids = [oid for oid in dict.fromkeys(entry.oid for entry in entries) if oid not in git.documents]
    for oid, answer in zip(oids, git.read_all(oids), strict=True):
        if answer is None:
            raise missing(git, oid)
        git.documents[oid] = read_document(answer.data, parse)


def _fault_of(entry: TreeEntry) -> Problem | None:
    if entry.mode == SYMLINK:
        return LINK
    if entry.mode == GITLINK:
        return SUBMODULE
    if entry.stage:
        return CONFLICT
    return None


def read_document(data: bytes | None, parse: Parse) -> Contract | tuple[Problem, ...]:
    """Read one document; ``None`` stands for one over the size limit."""
    if data is None:
        return (Problem(0, "", "input.size", TOO_LARGE),)
    if is_lfs_pointer(data):
        return (Problem(None, "", "contract.lfs", "a pointer of Git LFS; keep contracts in git itself"),)
    return parse(data)
