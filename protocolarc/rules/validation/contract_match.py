"""An envelope is checked against the contract that it names."""

from __future__ import annotations

from collections.abc import Iterable

from protocolarc.rules.entry import Entry
from protocolarc.rules.validation.kinds import EnvelopeCheck, EnvelopeRule
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Envelope
from protocolarc.values.finding import Severity
from protocolarc.values.literal import quote


def compile_check(contract: Contract) -> EnvelopeCheck:
    """Compare the name that an envelope targets with the contract's; a bare body targets any."""
    name = contract.name
    expected = quote(name, None)

    def check(envelope: Envelope) -> Iterable[tuple[str, str]]:
        target = envelope.contract
        if target is None or target == name:
            return ()
        return (("@contract", f"envelope targets {quote(target)}, contract is {expected}"),)

    return check


RULE = EnvelopeRule(
    Entry(
        id="contract.match",
        summary="the envelope targets another contract",
        explanation="The envelope's `contract` differs from the name of the contract it is checked against. "
        "The other rules still run, so that a misspelled name does not hide the rest.",
        example="@contract: envelope targets 'mcp.tool_cal', contract is 'mcp.tool_call'",
        remedy="Correct the envelope's `contract`, check it against the contract it names, "
        "or pass --raw when the documents are bare bodies.",
    ),
    Severity.ERROR,
    compile_check,
)
