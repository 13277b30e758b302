"""An envelope may say which revision it was written for."""

from __future__ import annotations

from collections.abc import Iterable

from protocolarc.rules.entry import Entry
from protocolarc.rules.validation.kinds import EnvelopeCheck, EnvelopeRule
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Envelope
from protocolarc.values.finding import Severity
from protocolarc.values.literal import quote


def compile_check(contract: Contract) -> EnvelopeCheck:
    """Compare the declared revision, as a string, with the contract's."""
    revision = contract.revision.text
    expected = quote(revision, None)

    def check(envelope: Envelope) -> Iterable[tuple[str, str]]:
        declared = envelope.revision
        if declared is None or declared == revision:
            return ()
        return (("@revision", f"envelope declares {quote(declared)}, contract is {expected}"),)

    return check


RULE = EnvelopeRule(
    Entry(
        id="revision.hint",
        summary="the envelope declares another revision",
        explanation="The envelope's `revision` is not the revision of the contract it is checked against. "
        "It is a hint only: whether the shapes fit is what the other rules say.",
        example="@revision: envelope declares '1.0.0', contract is '2.0.0'",
        remedy="Nothing, when old envelopes are replayed on purpose; otherwise pick the contract of that revision.",
    ),
    Severity.WARNING,
    compile_check,
)
