"""What a field says in words, and where it stands in the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, ContractRule, Line, line
from protocolarc.rules.entry import Entry
from protocolarc.values.change import Impact
from protocolarc.values.contract import Contract, FieldSpec

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
    """Match fields by canonical path, after those that both lists begin and end with: mostly nearly all."""
    start = _shared(old.fields, new.fields)
    rests = old.fields[start:], new.fields[start:]
    end = _shared(reversed(rests[0]), reversed(rests[1]))
    before, after = ({field.name: field for field in rest[: len(rest) - end]} for rest in rests)
    common = [name for name in after if name in before]
    for name in common:
        if before[name].doc != after[name].doc:
            yield line(DOC, name, "doc changed")
    if common != [name for name in before if name in after]:
        yield line(ORDER, "@contract", "order changed")


def _shared(old: Iterable[FieldSpec], new: Iterable[FieldSpec]) -> int:
    """Count the fields that come first in both and are one object; a loader gives what is spelled alike as one."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one is not other:
            break
        count += 1
    return count


RULE = ContractRule((DOC, ORDER), compare)
