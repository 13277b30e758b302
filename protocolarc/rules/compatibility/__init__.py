"""The compatibility rules. A new one is one file here and one line below."""

from __future__ import annotations

from protocolarc.rules.compatibility import (
    contract_removed,
    contract_reserved,
    contract_settings,
    contract_spelling,
    contract_words,
    field_added,
    field_declared,
    field_enum,
    field_removed,
    field_required,
    field_type,
    field_words,
)
from protocolarc.rules.compatibility.kinds import ContractRule, PlaceRule

RULES: tuple[PlaceRule | ContractRule, ...] = (
    field_required.RULE,
    field_type.RULE,
    field_enum.RULE,
    field_added.RULE,
    field_removed.RULE,
    field_declared.RULE,
    field_words.RULE,
    contract_settings.RULE,
    contract_removed.RULE,
    contract_reserved.RULE,
    contract_words.RULE,
)

LAST_RESORT: ContractRule = contract_spelling.RULE
"""Speaks only when no other rule found anything."""
