"""Looking for bytes in what git holds, without reading it here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocolarc.gitstore.entries import pathspecs
from protocolarc.gitstore.plumbing import Git

STAGED, WORK_TREE = "--cached", ""
"""Search what the index holds, or the files that it knows as they are on the disk."""

_DIALECTS = ("-P", "-E")
"""Perl's is several times as fast, but not every git is built with it."""
_OPTIONS = ("-l", "-z", "-a", "--full-name", "--no-color", "--no-recurse-submodules", "--threads=1", "-f", "-")


def holding(git: Git, needles: Iterable[bytes], paths: Sequence[bytes], where: str = WORK_TREE) -> set[bytes] | None:
    """Return the paths whose content holds any of some bytes, none of which has a line feed. One process or two.

    ``where`` is ``STAGED``, ``WORK_TREE``, or the id of a tree. What the index or the tree does not hold as a
    regular file is not searched. ``None`` when git could not look into everything: whoever asks has to read it, and
    hears why.
    """
    pattern = b"|".join(map(_literal, needles))  # one expression: git compiles several one by one
    words: list[str | bytes] = [*_OPTIONS, *filter(None, [where]), "--", *pathspecs(paths)]
    prefix = b"" if where in (WORK_TREE, STAGED) else f"{where}:".encode("ascii")
    for dialect in _DIALECTS:
        code, out, err = git.ask("grep", dialect, *words, stdin=pattern)
        if code <= 1 and not err:
            return {path.removeprefix(prefix) for path in out.split(b"\0")[:-1]}
    return None


def _literal(needle: bytes) -> bytes:
    """Return an expression for some bytes, the same in both dialects: what may have a meaning stands in a bracket."""
    characters = (needle[at : at + 1] for at in range(len(needle)))
    return b"".join(
        character if character.isalnum() else (b"\\%b" if character in b"\\^" else b"[%b]") % character
        for character in characters
    )
