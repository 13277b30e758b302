"""Long paths are compared by where they part; going them step by step must tell the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from protocolarc.engine.diff import diff_contracts
from protocolarc.loader import reachable
from protocolarc.values import remembered
from protocolarc.values.contract import Contract
from tests.support.draw import load

pytestmark = pytest.mark.property

SEEDS = range(4)
PAIRS_PER_SEED = 300
_STEPS = (".a", ".a", ".b", ".b", ".c", ".*", ".*", "[*]")
_TYPES: tuple[Any, ...] = ("object", "array", "any", "any", "any", "string", ["object", "array"], ["string", "null"])


def draw_steps(random: Random, most: int) -> str:
    return "".join(random.choice(_STEPS) for _ in range(random.randint(0, most)))


def draw_fields(random: Random) -> dict[str, dict[str, Any]]:
    """Draw fields of which many share most of their way, with a map beside some of the members."""
    ways = [draw_steps(random, 6) for _ in range(2)]
    fields: dict[str, dict[str, Any]] = {}
    for _ in range(random.randint(1, 7)):
        name = random.choice("ab") + "".join(random.choice(ways) for _ in range(random.randint(0, 3)))
        if fields and random.random() < 0.5:
            name = random.choice(list(fields)) + draw_steps(random, 4)
        if random.random() < 0.4:
            name = ".*".join(name.rsplit(".a", 1))
        fields[name] = {"name": name, "type": random.choice(_TYPES), "required": random.random() < 0.5}
        if random.random() < 0.2:
            fields[name]["enum"] = random.sample(("x", 1, True, None, 1.5, "y"), random.randint(1, 4))
    return fields


def draw_edit(random: Random, fields: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    edited = {name: dict(field) for name, field in fields.items()}
    for _ in range(random.randint(1, 3)):
        name = random.choice(list(edited))
        action = random.choice(("drop", "add", "below", "required", "required", "type"))
        if action == "drop" and len(edited) > 1:
            del edited[name]
        elif action == "add":
            edited.update(list(draw_fields(random).items())[:2])
        elif action == "below":
            name += random.choice(_STEPS)
            edited[name] = {"name": name, "type": "any", "required": random.random() < 0.5}
        elif action == "required":
            edited[name]["required"] = not edited[name]["required"]
        else:
            edited[name]["type"] = random.choice(_TYPES)
    return edited


def draw_pairs(random: Random) -> list[tuple[Contract, Contract]]:
    pairs: list[tuple[Contract, Contract]] = []
    while len(pairs) < PAIRS_PER_SEED:
        fields = draw_fields(random)
        old, new = (load(list(item.values())) for item in (fields, draw_edit(random, fields)))
        if old is not None and new is not None:
            pairs.append((old, new))
    return pairs


@pytest.mark.parametrize("seed", SEEDS)
def test_they_tell_what_their_steps_tell(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = draw_pairs(Random(seed))
    told = [diff_contracts(old, new) for old, new in pairs]
    monkeypatch.setattr("protocolarc.engine.places._Pair.beyond", lambda _pair: None)
    assert [diff_contracts(old, new) for old, new in pairs] == told


@pytest.mark.parametrize("seed", SEEDS)
def test_they_are_reached_as_their_steps_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    drawn = [list(draw_fields(random).values()) for _ in range(PAIRS_PER_SEED)]
    loaded = [load(fields) is not None for fields in drawn]
    monkeypatch.setattr(reachable, "common_way", lambda _nodes: ())
    assert [load(fields) is not None for fields in drawn] == loaded
    monkeypatch.undo()
    monkeypatch.setattr(reachable, "_FEW", -1)
    assert [load(fields) is not None for fields in drawn] == loaded
    assert set(loaded) == {True, False}


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_that_are_kept_are_those_that_are_found(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = draw_pairs(Random(seed))
    told = [diff_contracts(old, new) for old, new in pairs]
    monkeypatch.setattr(remembered, "_SHORT", -1)
    assert [diff_contracts(old, new) for old, new in pairs] == told
