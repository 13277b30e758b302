"""What documents say they are, told from how they begin, so that those that nobody touched need not be parsed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from protocolarc.gitstore.entries import is_document, read_entry
from protocolarc.gitstore.plumbing import Git, missing
from protocolarc.gitstore.snapshot import read_document
from protocolarc.loader.contract import check_name
from protocolarc.registry.snapshots import parse
from protocolarc.values.contract import Contract
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import parse_revision

_BLANK = rb"[ \t\n\r]*+"
_MEMBER = re.compile(rb'%b"([^"\\\x00-\x1f]++)"%b:%b"([^"\\\x00-\x1f]*+)"%b,' % ((_BLANK,) * 4))


class Label(NamedTuple):
    """The name of a contract and its revision, without build metadata, which tell no two revisions apart."""

    name: str
    revision: str

    @classmethod
    def of(cls, name: str, revision: str) -> Label:
        """Make a label of what a document says."""
        return cls(name, revision.partition("+")[0])


def label_of(data: bytes) -> Label | None:
    """Return what a document is; ``None`` for what is no contract. What begins as one is not looked through."""
    label = _glance(data)
    if label is None:
        found = read_document(data, parse)
        label = Label.of(found.name, found.revision.text) if isinstance(found, Contract) else None
    return label


def doubtful(labels: Mapping[bytes, Label | None], names: Collection[str]) -> set[bytes]:
    """Return the paths whose documents have no label, one of the names, or the same label as another one."""
    first: dict[Label, bytes] = {}
    found: set[bytes] = set()
    for path, label in labels.items():
        if label is None or label.name in names:
            found.add(path)
        elif (other := first.setdefault(label, path)) != path:
            found |= {path, other}
    return found


def doubtful_objects(git: Git, names: Collection[str], records: Iterable[bytes]) -> set[bytes]:
    """Return the paths of records whose documents are doubtful. It shares the process of ``read_all``.

    Raises:
        GitError: an object cannot be read.
    """
    entries = sorted(read_entry(record) for record in records if is_document(record))
    oids = list(dict.fromkeys(entry.oid for entry in entries))
    labels: dict[str, Label | None] = {}
    for oid, answer in zip(oids, git.read_all(oids), strict=True):
        if answer is None:
            raise missing(git, oid)
        labels[oid] = None if answer.data is None else label_of(answer.data)
    return doubtful({entry.path: labels[entry.oid] for entry in entries}, names)


def _glance(data: bytes) -> Label | None:
    """Read the members that a document begins with, up to its name and revision, if they come before all others."""
    text = data.strip(b" \t\n\r")
    if not (text.startswith(b"{") and text.endswith(b"}")):
        return None
    found: dict[bytes, bytes] = {}
    at = 1
    while not (b"name" in found and b"revision" in found):
        member = _MEMBER.match(text, at)
        if member is None or member[1] in found:
            return None
        found[member[1]] = member[2]
        at = member.end()
    try:
        name, revision = (found[key].decode("ascii") for key in (b"name", b"revision"))
        return Label.of(check_name(name), parse_revision(revision).text)
    except ValueError:
        return None
