"""Paths that some systems cannot hold side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocolarc.values.label import escape_label, unescape_label


def clashes(after: Iterable[str], before: Iterable[str]) -> Iterator[str]:
    """Say which added paths differ from another one in case or composition alone. Paths are as reports show them."""
    known = set(before)
    paths = sorted(set(after))
    if known.issuperset(paths):
        return
    seen: dict[str, str] = {}
    for path in paths:
        other = seen.setdefault(_fold(unescape_label(path)), path)
        if other != path and not (other in known and path in known):
            yield f"{other} and {path} are one file where case does not count"


def _fold(path: str) -> str:
    if path.isascii():
        return path.lower()
    from unicodedata import normalize  # noqa: PLC0415  # most paths are ASCII

    return normalize("NFC", normalize("NFC", path).casefold())


def escaped(paths: Iterable[bytes]) -> Iterator[str]:
    """Show paths of git as reports do."""
    return (escape_label(path.decode("utf-8", "surrogateescape")) for path in paths)
