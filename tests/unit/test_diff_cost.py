"""What a comparison costs on documents that are made to be dear: steps of the interpreter and bytes, never seconds."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import BuiltinMethodType, FrameType
from typing import Any

import pytest

from protocolarc.engine.diff import diff_contracts
from protocolarc.loader import fields as loaded
from protocolarc.loader.contract import load_contract
from protocolarc.values.contract import Contract
from protocolarc.values.path import MAX_STEPS
from protocolarc.values.remembered import LETTING_GO

Field = dict[str, Any]
Pair = tuple[Contract, Contract]


def field(name: str, types: Any = "any", **more: Any) -> Field:
    return {"name": name, "type": types, **more}


def load(fields: Iterable[Field]) -> Contract:
    document = {"name": "t", "revision": "1.0.0", "kind": "mcp", "fields": list(fields)}
    return load_contract(json.dumps(document).encode())


def steps(pair: Pair) -> int:
    """Return how many functions a comparison calls, generators counted at each step."""
    found = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal found
        found += event == "call"

    sys.setprofile(count)
    try:
        diff_contracts(*pair)
    finally:
        sys.setprofile(None)
    return found


def peak(pair: Pair) -> int:
    """Return the most bytes that a comparison holds beside the contracts."""
    tracemalloc.start()
    try:
        diff_contracts(*pair)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def names(count: int) -> list[str]:
    return [f"v{number}" for number in range(count)]


def own_enums_shrink(count: int) -> Pair:
    """A large enum beside small ones."""

    def contract(kept: int) -> Contract:
        members = (field(f"p.k{number}", enum=["v0", "v1"][:kept]) for number in range(count))
        return load([field("p.*", enum=names(count)), *members])

    return contract(2), contract(1)


def own_enums_go(count: int) -> Pair:
    """A large enum beside small ones, which alone is left."""
    beside = field("p.*", enum=[*range(count), *names(count)])
    small = [field(f"p.k{number}", ["string", "null"], enum=[f"v{number}"]) for number in range(count)]
    return load([beside, *small]), load([beside, *(field(item["name"], item["type"]) for item in small)])


def one_of_two_changes(count: int) -> Pair:
    """Two large enums that both speak of many members."""

    def contract(listed: list[str]) -> Contract:
        members = (field(f"p.x.k{number}") for number in range(count))
        return load([field("p.*.*", enum=names(count)), field("p.x.*", enum=listed), *members])

    return contract(names(count)[1:]), contract(names(count)[:-1])


def types_change(count: int) -> Pair:
    """A large enum, of which the types of every member leave another part."""
    others = ("integer", "number", "boolean", "object", "array", "null")

    def contract(shift: int) -> Contract:
        chosen = ([name for bit, name in enumerate(others) if (number + shift) >> bit & 1] for number in range(count))
        members = (field(f"p.k{number}", ["string", *types]) for number, types in enumerate(chosen))
        return load([field("p.*", enum=[*range(count), *names(count)]), *members])

    return contract(0), contract(1)


def container_changes(count: int) -> Pair:
    """A container below a map, with many fields behind it, beside many members that the map speaks of."""

    def contract(*, required: bool) -> Contract:
        behind = (field(f"p.*.q.x{number}", required=False) for number in range(count))
        return load(
            [*behind, field("p.*.q.y", required=required), *(field(f"p.k{at}", "object") for at in range(count))]
        )

    return contract(required=False), contract(required=True)


DEAR = [own_enums_shrink, own_enums_go, one_of_two_changes, types_change, container_changes]


@pytest.mark.parametrize("make", DEAR, ids=lambda make: make.__name__)
def test_what_is_found_does_not_depend_on_what_a_loader_remembers(
    make: Callable[[int], Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = diff_contracts(*make(1200))
    monkeypatch.setattr(loaded, "_MAX_KNOWN_LENGTH", 0)
    monkeypatch.setattr(loaded, "_known", {})
    old, new = make(1200)
    assert not {*map(id, old.fields)} & {*map(id, new.fields)}
    assert diff_contracts(old, new) == shared


@pytest.mark.parametrize("make", DEAR, ids=lambda make: make.__name__)
def test_steps_grow_as_the_document_does(make: Callable[[int], Pair]) -> None:
    assert steps(make(1200)) < 5 * steps(make(300))


@pytest.mark.parametrize("make", DEAR, ids=lambda make: make.__name__)
def test_no_large_collection_is_held_when_the_work_is_done(make: Callable[[int], Pair]) -> None:
    pair = make(100)
    held = [clear.__self__ for clear in LETTING_GO if isinstance(clear, BuiltinMethodType)]
    kept = [one for one in held if isinstance(one, dict)]
    assert len(kept) > len(DEAR)
    assert not any(kept)
    diff_contracts(*pair)
    assert not any(kept)


def test_threads_may_compare_at_once() -> None:
    pairs = [make(100) for make in DEAR] * 8
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda pair: diff_contracts(*pair), pairs)) == [diff_contracts(*pair) for pair in pairs]


# How the paths of many fields go on from a first step of their own, and what changes.
LONG = [
    (".b", {"required": False}),
    (".b", {"type": "integer"}),
    ("[*].b", {"required": False}),
    (".*", {"type": "integer"}),
    (".b.*.b", {"required": False}),
]


def chains(rest: str, change: Field, length: int, *, renamed: bool = False) -> Pair:
    """Return a hundred ways of some steps, each of which parts at its end, before and after."""
    steps_of = rest.count(".") + rest.count("[")
    tails = [f"{number}{rest * ((length - 2) // steps_of)}.{end}" for number in range(100) for end in "xy"]
    old = [field(f"a{tail}", "string") for tail in tails]
    return load(old), load({**item, **change, "name": f"{'c' if renamed else 'a'}{item['name'][1:]}"} for item in old)


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize(("rest", "change"), LONG)
def test_a_long_path_costs_what_a_short_one_does(rest: str, change: Field, *, renamed: bool) -> None:
    short, long = (chains(rest, change, length, renamed=renamed) for length in (10, MAX_STEPS))
    assert steps(long) < 1.5 * steps(short)
    assert peak(long) < 2 * peak(short)


def test_places_that_are_not_told_need_no_names() -> None:
    long = "K" * 100_000
    maps = [field("p.*", "object"), *(field(f"p.*.x{number}", required=False) for number in range(500))]
    old, new = ([field(f"p.{long}", "object", required=required), *maps] for required in (True, False))
    new = [{**item, "type": "string"} if ".x" in item["name"] else item for item in new]
    assert peak((load(old), load(new))) < 20 * len(long)


def test_many_speakers_are_gone_through_once_for_each_way() -> None:
    """The maps that speak of a place are as many beside a long path as beside a short one."""

    def pair(length: int) -> Pair:
        maps = [field(f"p.{'.'.join(prefix)}.*{'.b' * length}") for prefix in (("a", "*"), ("*", "a"), ("*", "*"))]
        members = [field(f"p.a.a.k{number}{'.b' * length}", "string") for number in range(100)]
        return load([*maps, *members]), load([*maps, *({**item, "type": "any"} for item in members)])

    assert steps(pair(50)) < 1.5 * steps(pair(5))
