"""Documents aimed at one contract: what it asks for, and each near miss of that, chosen by a seeded source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from protocolarc.parity.draw.pools import COUNTS, KEYS, NUMBERS, SCALARS, STRANGE_KEYS, STRINGS
from protocolarc.values.jsontype import Value
from protocolarc.values.number import Number
from protocolarc.values.path import Path, PathError, Wildcard, parse_path

_INTENTS = (*("good",) * 8, "near", "near", "type", "null", "missing", "parent")
_DISTINCT = tuple(dict.fromkeys(KEYS))
_PLENTY = tuple(f"k{index}" for index in range(max(COUNTS)))
_BY_TYPE: dict[str, Sequence[Value]] = {
    "string": STRINGS,
    "integer": NUMBERS[:12],
    "number": NUMBERS,
    "boolean": (True, False),
    "null": (None,),
    "object": ({}, {"a": None}),
    "array": ([], [Number("1")]),
    "any": SCALARS,
}
_MOST_MEMBERS = 3
_LISTS, _DICTS = 4, 8
"""Of thirty drawn values one is deep, three are arrays and four are objects."""
_DEPTHS = (59, 65)


def draw_value(random: Random, depth: int = 3) -> Value:
    """Draw any JSON value of the pools."""
    kind = random.randrange(30) if depth else 0
    if kind == 0 and depth > 1:
        return _nest(random)
    if kind < _LISTS:
        return [draw_value(random, depth - 1) for _ in range(random.randint(0, _MOST_MEMBERS))]
    if kind < _DICTS:
        return {random.choice(KEYS): draw_value(random, depth - 1) for _ in range(random.randint(0, _MOST_MEMBERS))}
    return random.choice(SCALARS)


def _nest(random: Random) -> Value:
    """Return a value about as deep as a document may be."""
    value: Value = None
    for _ in range(random.randint(*_DEPTHS)):
        value = [value] if random.random() < 0.5 else {"a": value}  # noqa: PLR2004  # either kind
    return value


class Bodies:
    """Draws the data of envelopes for one contract document, well-formed or not."""

    def __init__(self, contract: Mapping[str, Value]) -> None:
        fields = contract.get("fields")
        self._declared: list[tuple[Mapping[str, Any], Path]] = []
        for field in fields if isinstance(fields, list) else []:
            try:
                self._declared.append((field, parse_path(field["name"])))  # type: ignore[arg-type,call-overload,index]
            except (PathError, TypeError, KeyError):
                continue

    def draw(self, random: Random) -> dict[str, Value]:
        """Draw one: each field good, near, of another type, null, missing, or without its parent; then more keys."""
        body: dict[str, Value] = {}
        is_good = random.random() < 0.3  # noqa: PLR2004  # three in ten are meant to pass
        for field, path in self._declared:
            intent = "good" if is_good else random.choice(_INTENTS)
            if intent != "missing":
                leaf = _leaf(random, field, intent)
                place(body, path[:-1] if intent == "parent" else path, leaf, _names(random))
        for _ in range(random.choice((0, 0, 0, 1, 2, 3))):
            body.setdefault(random.choice(STRANGE_KEYS), draw_value(random, 1))
        return body


def _names(random: Random) -> Sequence[str]:
    """Return the keys that stand for a wildcard, as many as its members are to be."""
    count = random.choice(COUNTS)
    return [*random.sample(_DISTINCT, min(count, len(_DISTINCT))), *_PLENTY[: max(0, count - len(_DISTINCT))]]


def _leaf(random: Random, field: Mapping[str, Any], intent: str) -> Value:
    """Return a value for a field: what it takes, or what it does not."""
    enum, types = field.get("enum"), field.get("type")
    if intent == "null":
        return None
    if intent in {"type", "parent"}:
        return draw_value(random, 2)
    if isinstance(enum, list) and enum:
        member = random.choice(enum)
        return _near(member) if intent == "near" else member
    name = random.choice(types) if isinstance(types, list) and types else types
    return random.choice(_BY_TYPE.get(str(name), SCALARS))


def _near(value: Value) -> Value:
    """Return a value that only looks like another one."""
    if isinstance(value, str):
        return value.swapcase() if value.swapcase() != value else value + " "
    if isinstance(value, Number):
        return Number(value.source + "1") if "." in value.source else value.source
    if isinstance(value, bool):
        return Number(str(int(value)))
    return "null" if value is None else value


def place(container: Value, path: Path, leaf: Value, names: Sequence[str]) -> None:
    """Set a value at every place that a path names; a wildcard makes a member per name, or as many items.

    A wildcard below another makes two. What is there already stays, and a value of another kind ends the way.
    """
    if not path:
        return
    step, rest = path[0], path[1:]
    children: list[Value]
    if isinstance(container, list) and step is Wildcard.ITEM:
        container.extend(_fresh(rest, leaf) for _ in range(len(names) - len(container)))
        children = container
    elif isinstance(container, dict) and step is not Wildcard.ITEM:
        keys = [step] if isinstance(step, str) else [*container, *names]
        children = [container.setdefault(key, _fresh(rest, leaf)) for key in keys]
    else:
        return
    for child in children:
        place(child, rest, leaf, names if isinstance(step, str) else names[:2])


def _fresh(rest: Path, leaf: Value) -> Value:
    """Return what a new place holds: the value, or the container that the rest of the path needs."""
    if not rest:
        return deepcopy(leaf) if isinstance(leaf, (dict, list)) else leaf
    return [] if rest[0] is Wildcard.ITEM else {}
