"""A scalar is one of the members that a field lists."""

from __future__ import annotations

from protocolarc.rules.entry import Entry
from protocolarc.rules.validation.kinds import ValueCheck, ValueRule
from protocolarc.values.contract import FieldSpec
from protocolarc.values.finding import Severity
from protocolarc.values.jsontype import Value, identity
from protocolarc.values.literal import show, show_members


def compile_check(field: FieldSpec) -> ValueCheck | None:
    """Compare by kind and exact value: ``1`` is ``1.0``, ``true`` is not ``1``. Containers are exempt."""
    if field.enum is None:
        return None
    members = frozenset(identity(member) for member in field.enum)
    strings = frozenset(member for member in field.enum if isinstance(member, str))
    listed = show_members(field.enum)

    def check(value: Value) -> str | None:
        if isinstance(value, str):
            if value in strings:
                return None
        elif isinstance(value, (dict, list)) or identity(value) in members:
            return None
        return f"value {show(value)} not in {listed}"

    return check


def passing(_field: FieldSpec) -> frozenset[type]:
    """Name the classes of containers, which are exempt."""
    return frozenset({dict, list})


RULE = ValueRule(
    Entry(
        id="field.enum",
        summary="a value is not among the listed members",
        explanation="Only scalars are compared, and only when their type passed. Strings compare by code points "
        "without normalisation, numbers by exact value.",
        example="method: value 'tools/list' not in {'tools/call'}",
        remedy="Send a listed member, or add the value to the field's `enum`.",
    ),
    Severity.ERROR,
    compile_check,
    passing,
)
