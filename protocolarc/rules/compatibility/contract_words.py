"""What a contract says about itself in words, and what it carries for others."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, ContractRule, Line, line
from protocolarc.rules.entry import Entry
from protocolarc.values.change import Impact
from protocolarc.values.contract import Contract
from protocolarc.values.jsontype import equal
from protocolarc.values.literal import escape_label

DOC = ChangeKind(
    Entry(
        id="contract.doc",
        summary="the title or text of the contract changed",
        explanation="Words for people; no envelope can show it.",
        example="@contract: title changed",
        remedy="Make a patch bump.",
    ),
    otherwise=Impact.COMPATIBLE,
)
METADATA = ChangeKind(
    Entry(
        id="contract.metadata",
        summary="reserved paths, $schema or an x- key changed",
        explanation="Kept for people and other tools; no envelope is judged by it.",
        example="@contract: x-owner changed",
        remedy="Make a patch bump.",
    ),
    otherwise=Impact.COMPATIBLE,
)

_FREE = ("x-", "$schema")
"""How the keys begin that have no meaning to the tool."""


def compare(old: Contract, new: Contract) -> Iterator[Line]:
    """Name each key that differs. The order of reserved paths does not count."""
    if old.title != new.title:
        yield line(DOC, "@contract", "title changed")
    if old.doc != new.doc:
        yield line(DOC, "@contract", "doc changed")
    if old.reserved != new.reserved and frozenset(old.reserved) != frozenset(new.reserved):
        yield line(METADATA, "@contract", "reserved changed")
    before, after = old.document, new.document
    for key in sorted([key for key in {**before, **after} if key.startswith(_FREE)]):
        if key not in before or key not in after or not equal(before[key], after[key]):
            yield line(METADATA, "@contract", f"{escape_label(key)} changed")


RULE = ContractRule((DOC, METADATA), compare)
