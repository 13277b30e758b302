"""Which documents can be a contract of a name, told from their bytes, so that the others need not be parsed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from protocolarc.gitstore.entries import path_of
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.search import holding

ESCAPE = b"\\"
_PLAIN = (b"100644 ", b"100755 ")
_MANY = 200
"""Names that are not searched for: then everything is read."""


def needles(names: Iterable[str]) -> list[bytes]:
    r"""Return what a document holds when it is a contract of one of the names.

    A name is ASCII, so it stands in a document as it is, unless an escape (``\u0061``, ``\/``) hides it.
    """
    return [ESCAPE, *(name.encode("utf-8", "surrogateescape") for name in names)]


def may_hold(data: bytes, wanted: Sequence[bytes]) -> bool:
    """Tell whether a document may be a contract of the names that the needles were made of."""
    return any(needle in data for needle in wanted)


def select(
    git: Git, records: Iterable[bytes], names: Collection[str], paths: Sequence[bytes], where: str = ""
) -> list[bytes]:
    """Return the records that are no plain documents, and those that may be a contract of the names. One process.

    ``where`` says where the records are from, as ``holding`` searches it.
    """
    found: set[bytes] | None = set()
    if names:
        found = holding(git, needles(names), paths, where) if len(names) <= _MANY else None
    if found is None:
        return list(records)
    return [
        record
        for record in records
        if not (record.startswith(_PLAIN) and record.endswith(b".json")) or path_of(record) in found
    ]
