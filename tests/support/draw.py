"""Small random contracts, and random edits of them, for the searches that compare pairs."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.values.contract import Contract
from protocolarc.values.number import Number

_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null", "any")
_MEMBERS: tuple[Any, ...] = ("x", "y", 1, 2, 0.25, True, None)
_STEPS = (".a", ".b", ".c", "[*]", ".*")


def draw_field(random: Random) -> dict[str, Any]:
    """Draw one field: depth one to three, any types, now and then optional or with an enum."""
    name = random.choice("abc")
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        name += random.choice(_STEPS)
    types = random.sample(_TYPES, random.choice((1, 1, 1, 2, 2, 3)))
    field: dict[str, Any] = {"name": name, "type": types, "required": random.random() < 0.5}
    if random.random() < 0.25:
        field["enum"] = random.sample(_MEMBERS, random.choice((1, 1, 2, 3)))
    return field


def load(fields: list[dict[str, Any]], **more: Any) -> Contract | None:
    """Load a contract with these fields; ``None`` when the loader refuses it."""
    document = {"name": "t", "revision": "1.0.0", "kind": "mcp", "fields": fields, **more}
    try:
        return load_contract(json.dumps(document).encode())
    except ContractError:
        return None


def _draw_fields(random: Random) -> list[dict[str, Any]]:
    fields = [draw_field(random) for _ in range(random.choice((0, 1, 2, 2, 3, 4)))]
    return list({field["name"]: field for field in fields}.values())


def _edit(random: Random, fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add, drop or redraw a field, or change one property of it, once or twice."""
    edited = [dict(field) for field in fields]
    for _ in range(random.choice((1, 1, 2))):
        index = random.randrange(len(edited)) if edited else 0
        action = random.choice(("add", "drop", "type", "required", "enum"))
        if action == "add" or not edited:
            edited.append(draw_field(random))
        elif action == "drop":
            edited.pop(index)
        elif action == "type":
            edited[index]["type"] = draw_field(random)["type"]
        elif action == "required":
            edited[index]["required"] = not edited[index]["required"]
        else:
            edited[index].pop("enum", None)
            if random.random() < 0.7:
                edited[index]["enum"] = random.sample(_MEMBERS, random.choice((1, 2, 3)))
    return list({field["name"]: field for field in edited}.values())


def draw_pair(random: Random) -> tuple[Contract, Contract]:
    """Draw two contracts that the loader accepts: one and an edit of it, or two on their own."""
    while True:
        fields = _draw_fields(random)
        others = _edit(random, fields) if random.random() < 0.7 else _draw_fields(random)
        if (old := load(fields)) is not None and (new := load(others)) is not None:
            return old, new


def draw_value(random: Random, contract: Contract, depth: int = 0) -> dict[str, Any]:
    """Draw data that uses the names, types and members of a contract, rightly and wrongly."""
    members = [member for field in contract.fields for member in field.enum or ()]
    names = ["a", "b", "c", *(step for field in contract.fields for step in field.path if isinstance(step, str)), "z"]

    def value(level: int) -> Any:
        choice = random.random()
        if choice < 0.45 and level < 4:
            return {name: value(level + 1) for name in random.sample(names, random.randrange(min(4, len(names))))}
        if choice < 0.6 and level < 4:
            return [value(level + 1) for _ in range(random.randrange(3))]
        if choice < 0.8 and members:
            return random.choice(members)
        return random.choice(("x", "f", 1, 7, Number("2.5"), Number("1.0"), True, False, None))

    return {name: value(depth + 1) for name in dict.fromkeys(random.sample(names, random.randrange(len(names))))}
