"""What a loaded contract holds: no more than its fields, however deep they stand."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from protocolarc.loader import fields as loader
from protocolarc.loader.contract import load_contract
from protocolarc.values.path import MAX_STEPS

FIELDS = 500


def held(above: str) -> int:
    """Return the bytes that a field takes, on an average, below some place."""
    fields = [{"name": f"{above}k{at}", "type": "any"} for at in range(FIELDS)]
    data = json.dumps({"name": "t", "revision": "1.0.0", "kind": "mcp", "fields": fields}).encode()
    tracemalloc.start()
    try:
        contract = load_contract(data)
        return tracemalloc.get_traced_memory()[0] // len(contract.fields)
    finally:
        tracemalloc.stop()


def test_a_field_with_the_longest_path_takes_a_few_times_what_another_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "_known", {})  # what is known already is not held anew
    assert held("a." * (MAX_STEPS - 1)) < 3 * held("a.")
