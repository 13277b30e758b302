"""The documents differ and mean the same."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, ContractRule, Line, line
from protocolarc.rules.entry import Entry
from protocolarc.values.change import Impact
from protocolarc.values.contract import Contract
from protocolarc.values.jsontype import Value, equal

SPELLING = ChangeKind(
    Entry(
        id="contract.spelling",
        summary="the documents are spelled differently and mean the same",
        explanation="Stands alone, when no other line tells the documents apart: the order of types or members, "
        "the spelling of a path, a default that is written out.",
        example="@contract: same meaning",
        remedy="Make a patch bump.",
    ),
    otherwise=Impact.COMPATIBLE,
)


def compare(old: Contract, new: Contract) -> Iterator[Line]:
    """Compare all of the documents but the revision."""
    before: dict[str, Value] = {**old.document, "revision": None}
    after: dict[str, Value] = {**new.document, "revision": None}
    if not equal(before, after):
        yield line(SPELLING, "@contract", "same meaning")


RULE = ContractRule((SPELLING,), compare)
