"""The settings of a contract as a whole: strictness, side, kind."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, ContractRule, Line, line
from protocolarc.rules.entry import Entry
from protocolarc.values.contract import Contract

STRICT_ON = ChangeKind(
    Entry(
        id="contract.strict.on",
        summary="undeclared top-level keys now draw a warning",
        explanation="Warnings fail no envelope, so nothing breaks.",
        example="@contract: open -> strict",
        remedy="Make a minor bump.",
    ),
)
STRICT_OFF = ChangeKind(
    Entry(
        id="contract.strict.off",
        summary="undeclared top-level keys no longer draw a warning",
        explanation="Warnings fail no envelope, so nothing breaks.",
        example="@contract: strict -> open",
        remedy="Make a minor bump.",
    ),
)
SIDE = ChangeKind(
    Entry(
        id="contract.side.changed",
        summary="another party holds the risk",
        explanation="What was safe for one side may break the other, so earlier verdicts no longer speak for it. "
        "The side of the new revision decides this comparison.",
        example="@contract: request -> response",
        remedy="Give the other direction a contract of its own, or make a major bump.",
    ),
    policy=True,
)
KIND = ChangeKind(
    Entry(
        id="contract.kind.changed",
        summary="the protocol family changed",
        explanation="The kind is a label; no envelope is judged by it.",
        example="@contract: mcp -> a2a",
        remedy="Make a minor bump.",
    ),
)


def compare(old: Contract, new: Contract) -> Iterator[Line]:
    """Report each setting that differs."""
    if old.strict != new.strict:
        if new.strict:
            yield line(STRICT_ON, "@contract", "open -> strict")
        else:
            yield line(STRICT_OFF, "@contract", "strict -> open")
    if old.side != new.side:
        yield line(SIDE, "@contract", f"{old.side} -> {new.side}")
    if old.kind != new.kind:
        yield line(KIND, "@contract", f"{old.kind} -> {new.kind}")


RULE = ContractRule((STRICT_ON, STRICT_OFF, SIDE, KIND), compare)
