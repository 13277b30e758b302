"""Looking for bytes in what is staged, without reading it here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocolarc.gitstore.entries import pathspecs
from protocolarc.gitstore.plumbing import Git

_OPTIONS = ("--cached", "-l", "-z", "-F", "-a", "--full-name", "--no-color", "--no-recurse-submodules", "--threads=1")


def staged_holding(git: Git, needles: Iterable[bytes], paths: Sequence[bytes]) -> set[bytes] | None:
    """Return the paths of the index whose content holds any of some bytes, none of which has a line feed.

    ``None`` when git could not look into everything: whoever asks has to read it, and hears why. One process.
    """
    patterns = b"".join(needle + b"\n" for needle in needles)
    code, out, err = git.ask("grep", *_OPTIONS, "-f", "-", "--", *pathspecs(paths), stdin=patterns)
    if code > 1 or err:
        return None
    return set(out.split(b"\0")[:-1])
