"""A path that was retired for good is declared again."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, ContractRule, Line, line
from protocolarc.rules.entry import Entry
from protocolarc.values.contract import Contract

REUSED = ChangeKind(
    Entry(
        id="contract.reserved.reused",
        summary="a reserved path is declared again",
        explanation="The old revision lists the path under `reserved`: it was used once, and parties that still "
        "speak the earlier shape would misread the new one.",
        example="params.mode: declared again",
        remedy="Choose another name, or make a major bump.",
    ),
    policy=True,
)


def compare(old: Contract, new: Contract) -> Iterator[Line]:
    """Report each field whose path is a tombstone of the old revision."""
    if not old.reserved:
        return
    tombstones = frozenset(old.reserved)
    for field in new.fields:
        if field.path in tombstones:
            yield line(REUSED, field.name, "declared again")


RULE = ContractRule((REUSED,), compare)
