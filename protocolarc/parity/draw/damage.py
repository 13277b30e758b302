"""Contracts that are wrong in one place, so that what the loaders say of them is compared too."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from protocolarc.values.jsontype import Value
from protocolarc.values.number import Number

_DAMAGES: tuple[tuple[str, Value], ...] = (
    ("name", "t..x"),
    ("name", Number("7")),
    ("name", "t" * 201),
    ("revision", "1.0"),
    ("revision", "01.0.0"),
    ("kind", "Mcp"),
    ("side", "sideways"),
    ("strict", "yes"),
    ("title", None),
    ("fields", []),  # which is well-formed
    ("fields", {}),
    ("fields", [Number("7"), {}, {"name": "a"}, {"name": "a", "type": "text", "extra": True}]),
    ("fields", [{"name": "a", "type": ["null", "null"]}, {"name": "['a']", "type": []}]),
    ("fields", [{"name": "a..b", "type": "any"}, {"name": "a['\\ud800']", "type": "any"}]),
    ("fields", [{"name": ".".join("a" * 65), "type": "any"}, {"name": "", "type": "any", "required": None}]),
    ("fields", [{"name": "a", "type": "any", "enum": []}, {"name": "b", "type": "any", "enum": [True, [], True]}]),
    ("fields", [{"name": "a", "type": "any", "enum": [Number("1"), Number("10e-1"), "1"]}]),
    ("fields", [{"name": "a", "type": "string"}, {"name": "a.b", "type": "any"}, {"name": "a[*]", "type": "any"}]),
    ("fields", [{"name": "a.*", "type": "string"}, {"name": "a.b", "type": "integer"}]),
    ("fields", [{"name": "a", "type": "integer", "enum": ["x", Number("1.5")]}]),
    ("fields", [{"name": "a", "type": "any"}, {"name": "['a']", "type": "any"}]),
    ("reserved", ["a", "b.c", "a", Number("7"), "[", "id"]),
    ("reserved", "a"),
    ("unknown", True),
    ("x/~own", True),
    ("$schema", Number("7")),
    ("x-own", {"kept": [Number("1")]}),
)
_REQUIRED = ("name", "revision", "kind", "fields")


def damage(document: Mapping[str, Value], random: Random) -> dict[str, Value]:
    """Return a contract document with a key that is missing, unknown, or holds what it may not hold."""
    key, value = random.choice((*_DAMAGES, *((key, None) for key in _REQUIRED)))
    if value is None:
        return {name: item for name, item in document.items() if name != key}
    return {**document, key: value}
