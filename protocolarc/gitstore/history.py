"""The commits that touched the registry, newest first, with what each changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocolarc.gitstore.entries import RawChange, pathspecs, read_raw
from protocolarc.gitstore.plumbing import Git
from protocolarc.values.record import NamedTuple


class Commit(NamedTuple):
    """One commit. ``date`` is the author's, in ISO 8601; ``changes`` are those below the paths that were asked for.

    Without ``full`` the changes are those against the first parent; with it, those against every parent.
    """

    oid: str
    parents: tuple[str, ...]
    author: str
    date: str
    subject: str
    changes: tuple[RawChange, ...]


_RAW = ("-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none", "-O/dev/null", "--encoding=UTF-8")
_FORMAT = "--format=%H%n%P%n%an%n%aI%n%s"


def history(
    git: Git, paths: Sequence[bytes], ref: str = "HEAD", *more: str, full: bool = False, every: bool = False
) -> Iterator[Commit]:
    """Yield the commits up to some that touched the paths, newest first, along the first parents. Two processes.

    ``full`` follows every parent, and shows a merge that changed what one of them held. ``every`` yields the commits
    that touched nothing as well. One process lists the commits and the other compares the trees of each, once;
    ``git log`` compares them a second time to decide what it shows. Newest first is how git stores them: the other
    way round it would have to unpack the same trees again and again.

    Raises:
        GitError: the history cannot be read.
    """
    walk = "--topo-order" if full else "--first-parent"
    shown = ["-m" if full else "--diff-merges=first-parent", *(["--always"] if every else [])]
    words: list[str | bytes] = ["diff-tree", "--stdin", "-r", "--root", *shown, *_RAW, _FORMAT, "--", *pathspecs(paths)]
    pieces = git.pipe(["rev-list", walk, "--end-of-options", ref, *more, "--"], words)
    head: tuple[str, tuple[str, ...], str, str, str] | None = None
    changes: list[RawChange] = []
    for piece in pieces:
        if piece.startswith((b":", b"\n:")):
            changes.append(read_raw(piece, next(pieces)))
            continue
        oid, parents, *rest = piece.decode("utf-8", "surrogateescape").lstrip("\n").split("\n", 4)
        if head is not None and head[0] != oid:
            yield Commit(*head, tuple(changes))
            changes = []
        author, date, subject = rest
        head = oid, tuple(parents.split()), author, date, subject
    if head is not None:
        yield Commit(*head, tuple(changes))
