"""In a strict contract, an undeclared top-level key is worth a warning."""

from __future__ import annotations

from collections.abc import Iterable

from protocolarc.rules.entry import Entry
from protocolarc.rules.validation.kinds import EnvelopeCheck, EnvelopeRule
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Envelope
from protocolarc.values.finding import Severity
from protocolarc.values.path import render_key


def compile_check(contract: Contract) -> EnvelopeCheck | None:
    """Name the keys of the data that no declared path passes through."""
    if not contract.strict:
        return None
    declared = frozenset(field.path[0] for field in contract.fields)

    def check(envelope: Envelope) -> Iterable[tuple[str, str]]:
        data = envelope.data
        if data.keys() <= declared:
            return ()
        return ((render_key(key), "undeclared top-level key") for key in data if key not in declared)

    return check


RULE = EnvelopeRule(
    Entry(
        id="field.unknown",
        summary="an undeclared top-level key in a strict contract",
        explanation="The contract is `strict` and no declared path passes through this key of the data. "
        "Keys further down are not looked at.",
        example="trace_id: undeclared top-level key",
        remedy="Declare the key, stop sending it, or leave the contract open.",
    ),
    Severity.WARNING,
    compile_check,
)
