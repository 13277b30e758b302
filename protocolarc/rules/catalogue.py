"""The catalogue: every rule, change kind, registry code and structural code, from the metadata beside each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from protocolarc.rules import compatibility, registry, structural, validation
from protocolarc.rules.compatibility.kinds import ChangeKind
from protocolarc.rules.entry import Entry
from protocolarc.values.change import Impact


class Item(NamedTuple):
    """One page of the catalogue. ``level`` is what its family calls how much it weighs."""

    family: str
    level: str
    entry: Entry


FAMILIES = {
    "validation": "Validation rules: findings about an envelope",
    "change": "Change kinds: lines of a diff",
    "registry": "Registry codes: judgements about the contracts of a repository",
    "structural": "Structural codes: documents that could not be read",
}


def catalogue() -> Iterator[Item]:
    """Yield every item: families in order, each in the order of its table."""
    for rule in validation.RULES:
        yield Item("validation", rule.severity.value, rule.entry)
    for group in (*compatibility.RULES, compatibility.LAST_RESORT):
        for kind in group.kinds:
            yield Item("change", impact_text(kind), kind.entry)
    for code in registry.CODES:
        yield Item("registry", code.level, code.entry)
    for entry in structural.CODES:
        yield Item("structural", "error", entry)


def impact_text(kind: ChangeKind) -> str:
    """Say how a kind weighs: one word, or one per side where the sides differ."""
    request = Impact.BREAKING if kind.receives or kind.policy else kind.otherwise
    response = Impact.BREAKING if kind.sends or kind.policy else kind.otherwise
    if request is response:
        return request.label
    return f"{request.label} for requests, {response.label} for responses"
