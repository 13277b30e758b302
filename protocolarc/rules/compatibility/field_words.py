"""What a field says in words, and where it stands in the list."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, ContractRule, Line, line
from protocolarc.rules.entry import Entry
from protocolarc.values.change import Impact
from protocolarc.values.contract import Contract

DOC = ChangeKind(
    Entry(
        id="field.doc",
        summary="the text of a field changed",
        explanation="Words for people; no envelope can show it.",
        example="params.name: doc changed",
        remedy="Make a patch bump.",
    ),
    otherwise=Impact.COMPATIBLE,
)
ORDER = ChangeKind(
    Entry(
        id="field.order",
        summary="the fields stand in another order",
        explanation="One line for all of them: the fields that both revisions have are listed in another order.",
        example="@contract: order changed",
        remedy="Make a patch bump.",
    ),
    otherwise=Impact.COMPATIBLE,
)


def compare(old: Contract, new: Contract) -> Iterator[Line]:
    """Match fields by canonical path."""
    before = {field.name: field for field in old.fields}
    common = [field for field in new.fields if field.name in before]
    for field in common:
        if field.doc != before[field.name].doc:
            yield line(DOC, field.name, "doc changed")
    kept = {field.name for field in common}
    if [field.name for field in common] != [field.name for field in old.fields if field.name in kept]:
        yield line(ORDER, "@contract", "order changed")


RULE = ContractRule((DOC, ORDER), compare)
