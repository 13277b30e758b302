"""JSON values as Python objects, and the types that a contract may name."""

from __future__ import annotations

from protocolarc.values.number import Number, exact, is_integral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Scalar: TypeAlias = str | int | Number | bool | None
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"

TYPES = ("string", "integer", "number", "boolean", "object", "array", "null", "any")
"""Every type name of a field, in the order of the specification."""

_NAMES: dict[type, str] = {
    str: "string",
    int: "integer",
    bool: "boolean",
    dict: "object",
    list: "array",
    type(None): "null",
}


def json_type(value: Value) -> str:
    """Name the JSON type of a value; a number says ``integer`` when its exact value is integral."""
    name = _NAMES.get(type(value))
    if name is None:
        return "integer" if is_integral(value) else "number"  # type: ignore[arg-type]  # only Number is left
    return name


def identity(scalar: Scalar) -> tuple[str, object]:
    """Return what makes two scalars the same enum member: the kind of value, then the exact value."""
    if isinstance(scalar, Number) or type(scalar) is int:
        return "number", exact(scalar)
    return json_type(scalar), scalar


def equal(left: Value, right: Value) -> bool:
    """Tell whether two JSON values are equal: numbers by exact value, never across kinds, member order aside."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(item, right[key]) for key, item in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, (dict, list)) or isinstance(right, (dict, list)):
        return False
    return identity(left) == identity(right)
