"""Looking for bytes in what is staged, without reading it here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocolarc.gitstore.entries import pathspecs
from protocolarc.gitstore.plumbing import Git

_OPTIONS = ("--cached", "-l", "-z", "-E", "-a", "--full-name", "--no-color", "--no-recurse-submodules", "--threads=1")


def staged_holding(git: Git, needles: Iterable[bytes], paths: Sequence[bytes]) -> set[bytes] | None:
    """Return the paths of the index whose content holds any of some bytes, none of which has a line feed or a ``^``.

    ``None`` when git could not look into everything: whoever asks has to read it, and hears why. One process.
    """
    pattern = b"|".join(map(_literal, needles))  # one expression: git compiles several one by one
    code, out, err = git.ask("grep", *_OPTIONS, "-f", "-", "--", *pathspecs(paths), stdin=pattern)
    if code > 1 or err:
        return None
    return set(out.split(b"\0")[:-1])


def _literal(needle: bytes) -> bytes:
    """Return a POSIX extended expression for some bytes: what may have a meaning stands alone in a bracket."""
    characters = (needle[at : at + 1] for at in range(len(needle)))
    return b"".join(character if character.isalnum() else b"[%b]" % character for character in characters)
