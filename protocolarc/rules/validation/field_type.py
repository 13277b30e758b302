"""A value has one of the declared types."""

from __future__ import annotations

from protocolarc.rules.entry import Entry
from protocolarc.rules.validation.kinds import ValueCheck, ValueRule
from protocolarc.values.contract import FieldSpec
from protocolarc.values.finding import Severity
from protocolarc.values.jsontype import Value, json_type
from protocolarc.values.number import Number, is_integral

_CLASSES: dict[str, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, Number}),
    "boolean": frozenset({bool}),
    "object": frozenset({dict}),
    "array": frozenset({list}),
    "null": frozenset({type(None)}),
}


def compile_check(field: FieldSpec) -> ValueCheck | None:
    """Compare exact classes, so that a boolean never passes as an integer."""
    if "any" in field.types:
        return None
    classes = passing(field)
    integral_only = "integer" in field.types and "number" not in field.types
    expected = field.type_text

    def check(value: Value) -> str | None:
        if type(value) in classes:
            return None
        if integral_only and isinstance(value, Number) and is_integral(value):
            return None
        return f"expected {expected}, got {json_type(value)}"

    return check


def passing(field: FieldSpec) -> frozenset[type]:
    """Name the classes of the declared types; a ``Number`` is an integer only by its value."""
    return frozenset().union(*(_CLASSES[name] for name in field.types))


RULE = ValueRule(
    Entry(
        id="field.type",
        summary="a value has none of the declared types",
        explanation="Types are those of JSON. `integer` is a matter of value: 1.0 and 1e2 are integers, 1.5 is not; "
        "a boolean is never a number, and null must be declared.",
        example="id: expected string|integer, got boolean",
        remedy="Send one of the declared types, or widen the field's `type`.",
    ),
    Severity.ERROR,
    compile_check,
    passing,
    decisive=True,
)
