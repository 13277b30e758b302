"""Which documents can be a contract of a name, told from their bytes, so that the others need not be parsed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

ESCAPE = b"\\"


def needles(names: Iterable[str]) -> list[bytes]:
    r"""Return what a document holds when it is a contract of one of the names.

    A name is ASCII, so it stands in a document as it is, unless an escape (``\u0061``, ``\/``) hides it.
    """
    return [ESCAPE, *(name.encode("utf-8", "surrogateescape") for name in names)]


def may_hold(data: bytes, wanted: Sequence[bytes]) -> bool:
    """Tell whether a document may be a contract of the names that the needles were made of."""
    return any(needle in data for needle in wanted)
