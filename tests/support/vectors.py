"""The conformance vectors: where they are and how their parts become bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent.parent / "vectors"
SCHEMA = FOLDER / "vectors.schema.json"


class Vector(NamedTuple):
    """One case, its contract resolved."""

    id: str
    contract: bytes
    format: str
    raw: bool
    input: bytes
    expect: dict[str, Any]


def topics() -> list[Path]:
    """Return the files of vectors, one per topic."""
    return sorted(path for path in FOLDER.glob("*.json") if path != SCHEMA)


def vectors() -> Iterator[Vector]:
    """Yield every case of every topic."""
    for path in topics():
        topic = json.loads(path.read_bytes())
        for case in topic["cases"]:
            named = isinstance(case["contract"], str)
            contract = topic["contracts"][case["contract"]] if named else case["contract"]
            yield Vector(
                id=case["id"],
                contract=to_bytes(contract),
                format=case["format"],
                raw=case.get("raw", False),
                input=to_bytes(case["input"]),
                expect=case["expect"],
            )


def to_bytes(source: dict[str, Any]) -> bytes:
    """Return the bytes that a vector describes as JSON, text, hex or repeated text."""
    if "json" in source:
        return json.dumps(source["json"]).encode()
    if "hex" in source:
        return bytes.fromhex(source["hex"])
    if "repeat" in source:
        return b"".join(text.encode() * count for text, count in source["repeat"])
    text: str = source["text"]
    return text.encode()
