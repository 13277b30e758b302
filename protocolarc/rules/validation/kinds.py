"""The three shapes that a validation rule can have.

A rule is compiled once per contract or field, into a check that is called for every envelope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from protocolarc.rules.entry import Entry
from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.envelope import Envelope
from protocolarc.values.finding import Severity
from protocolarc.values.jsontype import Value

ValueCheck: TypeAlias = Callable[[Value], str | None]
"""Takes a present value; returns the message of a finding, or ``None`` when there is nothing to say."""

EnvelopeCheck: TypeAlias = Callable[[Envelope], Iterable[tuple[str, str]]]
"""Takes an envelope; gives the field and message of each finding, in document order; ``()`` when there is none."""


class EnvelopeRule(NamedTuple):
    """A rule about the envelope as a whole. ``compile`` returns ``None`` where the contract gives no cause."""

    entry: Entry
    severity: Severity
    compile: Callable[[Contract], EnvelopeCheck | None]


class MissingRule(NamedTuple):
    """A rule about a field that is not there. ``compile`` returns the message, or ``None`` if it may be missing."""

    entry: Entry
    severity: Severity
    compile: Callable[[FieldSpec], str | None]


class ValueRule(NamedTuple):
    """A rule about a value that is there.

    ``compile`` returns ``None`` where the field gives no cause. ``passing`` names the Python classes whose
    every value passes then, so that most values need no check. A finding of a ``decisive`` rule keeps the
    later rules from speaking about the same value.
    """

    entry: Entry
    severity: Severity
    compile: Callable[[FieldSpec], ValueCheck | None]
    passing: Callable[[FieldSpec], frozenset[type]]
    decisive: bool = False


Rule: TypeAlias = EnvelopeRule | MissingRule | ValueRule
