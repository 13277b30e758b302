"""What is left to the official handler and store: duplicates, lookup, subscription, a client that leaves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from a2a.types import GetTaskRequest, SendMessageRequest, Task
from a2a.utils.errors import TaskNotFoundError, UnsupportedOperationError

from protocolarc.bridge import a2a_bridge
from tests.bridge.events import state, story
from tests.bridge.runners import Gate, Runner, echo
from tests.bridge.scene import DEFINITION, as_caller, bearer, over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Kind, opened
from tests.bridge.wire import Binding, card, played, rest, said, steps, within


@pytest.mark.requirement("R16")
@over_both_bindings
@with_both_stores
@played
async def test_the_same_message_twice_is_two_tasks(binding: Binding, kind: Kind, tmp_path: Path) -> None:
    runner = Runner(echo)
    async with opened(kind, tmp_path) as store, serving(runner, store) as scene:
        caller = await scene.caller(binding)
        first, second = await caller.task(said("hello")), await caller.task(said("hello"))
        assert first.id != second.id
        assert {task.id for task in await caller.list()} == {first.id, second.id}
    assert [call.run_id for call in runner.calls] == [first.id, second.id]


@pytest.mark.requirement("R16")
@over_both_bindings
@with_both_stores
@played
async def test_a_message_to_a_task_that_has_ended_or_never_was_runs_nothing(
    binding: Binding, kind: Kind, tmp_path: Path
) -> None:
    runner = Runner(echo)
    async with opened(kind, tmp_path) as store, serving(runner, store) as scene:
        caller = await scene.caller(binding)
        ended = await caller.task(said("hello"))
        with pytest.raises(UnsupportedOperationError):
            await caller.send(said("more", task_id=ended.id))
        with pytest.raises(TaskNotFoundError):
            await caller.send(said("more", task_id="made-up-by-the-client"))
        assert await caller.get(ended.id) == ended
    assert len(runner.calls) == 1


@pytest.mark.requirement("R16")
@played
async def test_a_message_to_a_running_task_waits_for_its_end_and_runs_nothing() -> None:
    gate = Gate()
    runner = Runner(gate)
    async with opened(Kind.MEMORY, Path()) as store:
        bridge = a2a_bridge(runner, DEFINITION, card("http://127.0.0.1"), store, resolve=bearer)
        first = SendMessageRequest(message=said("hello"))
        first.configuration.return_immediately = True
        task = await within(bridge.handler.on_message_send(first, as_caller()), "the task")
        assert isinstance(task, Task)
        await within(runner.started.acquire(), "the run")
        more = SendMessageRequest(message=said("more", task_id=task.id))
        second = asyncio.create_task(bridge.handler.on_message_send(more, as_caller()))
        await steps(50)
        assert not second.done()
        gate.release.set()
        ended = await within(second, "the answer to the second message")
        assert isinstance(ended, Task)
        assert (ended.id, state(ended.status)) == (task.id, "COMPLETED")
        await bridge.aclose()
    assert [call.text for call in runner.calls] == ["hello"]


@pytest.mark.requirement("R16")
@over_both_bindings
@with_both_stores
@played
async def test_a_client_that_leaves_does_not_end_the_run_and_may_come_back(
    binding: Binding, kind: Kind, tmp_path: Path
) -> None:
    gate = Gate()
    runner = Runner(gate)
    async with opened(kind, tmp_path) as store, serving(runner, store) as scene:
        leaving = await scene.caller(binding)
        task, _ = await leaving.start(said("hello"))
        await within(runner.started.acquire(), "the run")
        await leaving.close()
        caller = await scene.caller(binding)
        stream = caller.subscribe(task)
        snapshot = await within(anext(stream), "the snapshot")
        assert (snapshot.task.id, state(snapshot.task.status)) == (task, "WORKING")
        gate.release.set()
        assert story(await rest(stream)) == ["artifact_update", "COMPLETED"]
        assert state((await caller.get(task)).status) == "COMPLETED"
        with pytest.raises(UnsupportedOperationError):
            await within(anext(caller.subscribe(task)), "the refusal")
    assert gate.interrupted == 0


@pytest.mark.requirement("R16")
@over_both_bindings
@with_both_stores
@played
async def test_a_client_that_does_not_wait_for_its_answer_loses_nothing(
    binding: Binding, kind: Kind, tmp_path: Path
) -> None:
    gate = Gate()
    runner = Runner(gate)
    async with opened(kind, tmp_path) as store, serving(runner, store) as scene:
        leaving = await scene.caller(binding, streaming=False)
        sending = asyncio.create_task(leaving.send(said("hello")))
        await within(runner.started.acquire(), "the run")
        sending.cancel()
        await leaving.close()
        caller = await scene.caller(binding)
        (task,) = await caller.list()
        stream = caller.subscribe(task.id)
        await within(anext(stream), "the snapshot")
        gate.release.set()
        assert story(await rest(stream)) == ["artifact_update", "COMPLETED"]
    assert gate.interrupted == 0


@pytest.mark.requirement("R16")
@over_both_bindings
@with_both_stores
@played
async def test_a_task_is_looked_up_with_its_history_and_artifact(binding: Binding, kind: Kind, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store, serving(Runner(echo), store) as scene:
        caller = await scene.caller(binding)
        task = await caller.task(said("hello", message_id="m-7"))
        assert [message.message_id for message in task.history if message.role == 1] == ["m-7"]
        assert [part.text for artifact in task.artifacts for part in artifact.parts] == ["hello"]
        short = await caller.client.get_task(GetTaskRequest(id=task.id, history_length=0))
        assert list(short.history) == []
