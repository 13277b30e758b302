"""Messages that name a running task: they wait for its end, and nothing is left of them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Task

from protocolarc.bridge import CancellationToken, RunResult
from tests.bridge.core_support import Caller, end_of, serving, settled, words_of


class Slow(InMemoryTaskStore):
    """Takes some turns of the loop for every write."""

    async def save(self, task: Task, context: ServerCallContext) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        await super().save(task, context)


def more(task_id: str) -> dict[str, Any]:
    """Return a message to a task."""
    return {"messageId": "m2", "role": "ROLE_USER", "parts": [{"text": "more"}], "taskId": task_id}


@pytest.mark.requirement("R12", "R16", "R19")
@pytest.mark.parametrize("store", [InMemoryTaskStore, Slow])
@pytest.mark.parametrize("count", [1, 3])
def test_messages_to_a_running_task_get_its_one_end_and_leave_nothing(
    count: int, store: type[InMemoryTaskStore]
) -> None:
    release = asyncio.Event()

    async def answer(text: str, token: CancellationToken) -> RunResult:
        await release.wait()
        return RunResult.completed(text)

    async def scenario() -> None:
        async with serving(answer, store=store()) as (bridge, runner):
            caller = Caller(bridge)
            task = await caller.send("hello", wait=False)
            sends = [
                asyncio.create_task(caller.call(method, message=more(task["id"])))
                for method in ("SendMessage", "SendStreamingMessage") * count
            ]
            subscription = asyncio.create_task(caller.call("SubscribeToTask", id=task["id"]))
            for _ in range(100):
                await asyncio.sleep(0)
            release.set()
            for number, response in enumerate(await asyncio.gather(*sends)):
                if number % 2:
                    assert words_of(response)[-2:] == ["ARTIFACT", "COMPLETED"]
                    assert words_of(response).count("COMPLETED") == 1
                else:
                    assert end_of(response.json()["result"]["task"]) == ("COMPLETED", "")
            assert words_of(await subscription)[1:] == ["ARTIFACT", "COMPLETED"]
            await settled(bridge)
            assert len(runner.calls) == 1

    asyncio.run(scenario())
