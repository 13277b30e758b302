"""A required field is present wherever the container that holds it is."""

from __future__ import annotations

from protocolarc.rules.entry import Entry
from protocolarc.rules.validation.kinds import MissingRule
from protocolarc.values.contract import FieldSpec
from protocolarc.values.finding import Severity


def compile_message(field: FieldSpec) -> str | None:
    """Return what to say when the field is missing."""
    return "required field is missing" if field.required else None


RULE = MissingRule(
    Entry(
        id="field.required",
        summary="a required field is missing",
        explanation="The container that should hold the field is there, the field is not. Where the nearest "
        "declared ancestor is absent, only that ancestor's own rule speaks. `null` is a present value.",
        example="params.name: required field is missing",
        remedy='Send the field, or declare it with "required": false.',
    ),
    Severity.ERROR,
    compile_message,
)
