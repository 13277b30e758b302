"""Contracts and their fields, as the loader hands them to every engine."""

from __future__ import annotations

from collections.abc import Mapping

from protocolarc.values.jsontype import Scalar, Value
from protocolarc.values.path import Path
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Revision

SIDES = ("request", "response", "both")
"""Who holds the risk when a shape changes: the owner receives, the owner sends, or both."""


class FieldSpec(NamedTuple):
    """One declared field. ``name`` is the canonical text of ``path``; ``types`` keep their declared order."""

    name: str
    path: Path
    types: tuple[str, ...]
    required: bool = True
    enum: tuple[Scalar, ...] | None = None
    doc: str | None = None

    @property
    def type_text(self) -> str:
        """The types as reports show them: ``string|integer``."""
        return "|".join(self.types)


class Contract(NamedTuple):
    """One revision of one contract, already known to be well-formed.

    ``document`` is the parsed JSON document, for what is kept and never interpreted
    (``$schema``, ``x-*``) and to tell a change of spelling from no change.
    """

    name: str
    revision: Revision
    kind: str
    fields: tuple[FieldSpec, ...]
    title: str
    doc: str | None
    side: str
    strict: bool
    reserved: tuple[Path, ...]
    document: Mapping[str, Value]

    @property
    def label(self) -> str:
        """Name and revision as reports show them: ``mcp.tool_call@1.0.0``."""
        return f"{self.name}@{self.revision.text}"
