"""Which documents can be a contract of a name, told from their bytes, so that the others need not be parsed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from protocolarc.gitstore.entries import PLAIN, is_document, path_of
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.search import WORK_TREE, holding

ESCAPE = b"\\"
_MANY = 200
"""Names that are not searched for: then everything is read."""


def needles(names: Iterable[str]) -> list[bytes]:
    r"""Return what a document holds when it is a contract of one of the names.

    A name is ASCII, so it stands in a document as it is, in quotes, unless an escape (``\u0061``, ``\/``) hides it. The
    first quote is not among it: git looks for the first byte, and a quote is everywhere.
    """
    return [ESCAPE, *(b'%b"' % name.encode("utf-8", "surrogateescape") for name in names)]


def may_hold(data: bytes, wanted: Sequence[bytes]) -> bool:
    """Tell whether a document may be a contract of the names that the needles were made of."""
    return any(needle in data for needle in wanted)


def holders(git: Git, names: Collection[str], paths: Sequence[bytes], where: str = WORK_TREE) -> set[bytes] | None:
    """Return the paths of the documents that may be a contract of the names; ``None`` for any. One process.

    ``where`` says what is looked into, as for ``holding``.
    """
    if not names:
        return set()
    return holding(git, needles(names), paths, where) if len(names) <= _MANY else None


def select(records: Collection[bytes], found: Collection[bytes] | None) -> list[bytes]:
    """Return the records of the paths that were found, and those that are no plain documents."""
    if found is None:
        return list(records)
    listed = b"\0".join([b"", *records, b""])
    modes = sum(listed.count(b"\0" + mode) for mode in PLAIN)
    if not found and modes == listed.count(b".json\0") == len(records):
        return []  # as in most registries, told without looking at each record
    return [record for record in records if not is_document(record) or path_of(record) in found]
