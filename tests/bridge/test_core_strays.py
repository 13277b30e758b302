"""What a store that fails now and then leaves behind, while cancellations and further messages wait: nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Task

from protocolarc.bridge import AgentDefinition, CancellationToken, RunResult, a2a_bridge, current_run, strays
from protocolarc.bridge.wiring import Bridge
from tests.bridge.core_support import Caller, Runner, by_header, card

SEEDS = range(100)
METHODS = ("CancelTask", "SendMessage", "SendStreamingMessage", "SubscribeToTask")


class Flaky(InMemoryTaskStore):
    """Takes a few turns of the loop for a call, and fails at a part of them once it is told to."""

    def __init__(self, random: Random, share: float) -> None:
        super().__init__()
        self.random = random
        self.share = share
        self.failing = False

    async def _call(self) -> None:
        await turns(self.random.choice((0, 0, 1, 5, 20)))
        if self.failing and self.random.random() < self.share:
            raise RuntimeError("no connection")

    async def save(self, task: Task, context: ServerCallContext) -> None:
        await self._call()
        await super().save(task, context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        await self._call()
        return await super().get(task_id, context)


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def params(method: str, task_id: str) -> dict[str, Any]:
    """Return what a call on a task says."""
    if not method.startswith("Send"):
        return {"id": task_id}
    return {"message": {"messageId": "m2", "role": "ROLE_USER", "parts": [{"text": "more"}], "taskId": task_id}}


def left_of(bridge: Bridge, before: set[asyncio.Task[Any]]) -> Iterator[str]:
    """Yield what is still there of tasks that have ended."""
    yield from (f"entry {key}" for key in bridge.handler._active_task_registry._active_tasks)  # noqa: SLF001 - no count
    yield from (f"run {key}" for key in bridge.store.live)
    yield from ["a run"] * bridge.executor.active
    yield from ["a runner"] * bridge.executor.working
    yield from ["an identity"] * (current_run() is not None)
    for task in asyncio.all_tasks() - before:
        name = getattr(task.get_coro(), "__qualname__", "")
        if name != "_shutdown_watcher":  # one of the SDK's SSE library, for as long as the process
            yield f"task {name}"


async def crowd(seed: int, share: float) -> list[str]:
    """Call one task from several sides about when it ends, then return what is left of it."""
    random = Random(seed)
    store, release = Flaky(random, share), asyncio.Event()

    async def answer(text: str, token: CancellationToken) -> RunResult:
        await release.wait()
        return RunResult.completed(text)

    before = asyncio.all_tasks()
    bridge = a2a_bridge(Runner(answer), AgentDefinition("echo", "1"), card(), store, resolve=by_header)
    caller = Caller(bridge)
    task_id = (await caller.send("hello", wait=False))["id"]
    store.failing = True
    calls = []
    for _ in range(random.randrange(1, 6)):
        await turns(random.randrange(30))
        method = random.choice(METHODS)
        calls.append(asyncio.create_task(caller.call(method, **params(method, task_id))))
        if random.random() < 0.2:
            release.set()
    await turns(random.randrange(30))
    release.set()
    for response in await asyncio.wait_for(asyncio.gather(*calls), 30):
        assert response.status_code == 200
        assert share or "-32603" not in response.text  # no internal error where nothing failed
    calls.clear()
    for _ in range(200):
        if not (left := list(left_of(bridge, before))):
            break
        await turns(10)
    await bridge.aclose()
    return [f"{seed}: {line}" for line in left]


@pytest.mark.requirement("R16", "R17", "R19")
@pytest.mark.parametrize("share", [0.0, 0.4], ids=["slow", "failing"])
def test_nothing_is_left_of_a_task_that_many_wait_for(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strays, "PATIENCE_SECONDS", 0)

    async def scenario() -> list[str]:
        return [line for seed in SEEDS for line in await crowd(seed, share)]

    logging.disable(logging.CRITICAL)  # a handler that keeps its records keeps the frames of every exception
    try:
        assert asyncio.run(scenario()) == []
    finally:
        logging.disable(logging.NOTSET)
