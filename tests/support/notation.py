"""Contracts in one line, so that tables of cases read like the specification.

``a.b: string|integer opt ["x", 1]; c: any`` is two fields: path, types, ``opt`` where it may be missing, enum.
"""

from __future__ import annotations

import json
import re
from typing import Any

from protocolarc.loader.contract import load_contract
from protocolarc.values.contract import Contract

_FIELD = re.compile(r"(?P<name>.+?): (?P<type>[a-z|]+)(?P<opt> opt)?(?: (?P<enum>\[.*\]))?")


def document(fields: str, **more: Any) -> dict[str, Any]:
    """Return the contract document that a line stands for."""
    items = [_field(text.strip()) for text in fields.split(";") if text.strip()]
    return {"name": "t", "revision": "1.0.0", "kind": "mcp", "fields": items, **more}


def contract(fields: str = "", **more: Any) -> Contract:
    """Load the contract that a line stands for."""
    return load_contract(json.dumps(document(fields, **more)).encode())


def _field(text: str) -> dict[str, Any]:
    match = _FIELD.fullmatch(text)
    assert match is not None, text
    field: dict[str, Any] = {"name": match["name"], "type": match["type"].split("|")}
    if match["opt"]:
        field["required"] = False
    if match["enum"]:
        field["enum"] = json.loads(match["enum"])
    return field
