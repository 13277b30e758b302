"""Envelopes, and the structural faults that stand where a document could not be read."""

from __future__ import annotations

from protocolarc.values.jsontype import Value
from protocolarc.values.record import NamedTuple


class Envelope(NamedTuple):
    """One message. ``contract`` is absent for a bare body, which targets whatever it is checked against."""

    data: dict[str, Value]
    contract: str | None = None
    revision: str | None = None


class Fault(NamedTuple):
    """A structural error: its code, and the byte where it is; no byte where there is no document."""

    code: str
    offset: int | None = None


class Problem(NamedTuple):
    """A structural error of a contract: code, place, and a hint in words."""

    offset: int | None
    pointer: str
    code: str
    hint: str


class Document(NamedTuple):
    """One document of an input: an envelope, or the fault in its place.

    ``source`` names the file; ``position`` is ``:3`` for a line, ``[0]`` for an item, or nothing.
    """

    source: str
    position: str
    content: Envelope | Fault

    @property
    def label(self) -> str:
        """The document's name in reports: ``calls.jsonl:3``."""
        return self.source + self.position
