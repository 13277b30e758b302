"""JSON that is nested: it passes whole, or is refused before anything is run; nothing in between."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocolarc.bridge import CancellationToken, RunResult
from tests.bridge.core_support import Caller, end_of, serving
from tests.bridge.test_core_owners import _memory, _sqlite, _with

SAFE = 30


def nest(objects: int, lists: int = 0, inner: Any = 1) -> dict[str, Any]:
    """Return objects inside one another, around lists inside one another."""
    for _ in range(lists):
        inner = [inner]
    for _ in range(objects):
        inner = {"a": inner}
    found: dict[str, Any] = inner
    return found


SHAPES = [nest(n) for n in (SAFE, *range(SAFE + 1, SAFE + 6))]
SHAPES += [nest(32, 1, []), nest(32, 1, {}), nest(32, 2), nest(31, 3, {}), nest(28, 8, {}), nest(20, 19, {}), nest(48)]
PLACES = ["message", "part"]
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))


@pytest.mark.requirement("R11", "R12", "R18", "R19")
@every_shape
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("making", [_memory, _sqlite])
def test_nested_metadata_is_kept_whole_or_refused(
    making: Any, place: str, shape: dict[str, Any], tmp_path: Path
) -> None:
    message: dict[str, Any] = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "x"}]}
    (message if place == "message" else message["parts"][0])["metadata"] = shape

    async def scenario(store: Any) -> None:
        async with serving(store=store) as (bridge, runner):
            caller = Caller(bridge)
            answer = (await caller.call("SendMessage", message=message)).json()
            listed = await caller.result("ListTasks", includeArtifacts=True)
            if "error" in answer:
                assert shape is not SHAPES[0], "this deep it always passes"
                assert (answer["error"]["code"], answer["error"]["message"]) == (
                    -32602,
                    "The message is nested too deeply",
                )
                assert (runner.calls, listed["tasks"]) == ([], [])
                return
            task = answer["result"]["task"]
            assert end_of(task) == ("COMPLETED", "")
            assert await caller.fetch(task["id"]) == task
            (kept,) = listed["tasks"][0]["history"]
            assert (kept if place == "message" else kept["parts"][0])["metadata"] == shape

    asyncio.run(_with(making, tmp_path, scenario))


@pytest.mark.requirement("R11", "R12", "R19")
@every_shape
@pytest.mark.parametrize("making", [_memory, _sqlite])
def test_a_nested_answer_is_sent_whole_or_is_invalid(making: Any, shape: dict[str, Any], tmp_path: Path) -> None:
    async def answer(text: str, token: CancellationToken) -> RunResult:
        return RunResult.completed(shape)

    async def scenario(store: Any) -> None:
        async with serving(answer, store=store) as (bridge, _):
            caller = Caller(bridge)
            task = await caller.send("hello")
            listed = await caller.result("ListTasks", includeArtifacts=True)
            assert end_of(task) in (
                [("COMPLETED", "")] if shape is SHAPES[0] else [("COMPLETED", ""), ("FAILED", "output_invalid")]
            )
            assert await caller.fetch(task["id"]) == task
            assert [item["id"] for item in listed["tasks"]] == [task["id"]]
            if "artifacts" in task:
                assert task["artifacts"][0]["parts"][0]["data"] == shape

    asyncio.run(_with(making, tmp_path, scenario))
