"""The validation rules, in order of evaluation. A new rule is one file here and one line below."""

from __future__ import annotations

from protocolarc.rules.validation import (
    contract_match,
    field_enum,
    field_required,
    field_type,
    field_unknown,
    revision_hint,
)
from protocolarc.rules.validation.kinds import Rule

RULES: tuple[Rule, ...] = (
    contract_match.RULE,
    revision_hint.RULE,
    field_required.RULE,
    field_type.RULE,
    field_enum.RULE,
    field_unknown.RULE,
)
