"""Cancellation: one winner, whenever it comes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import CancelTaskRequest, GetTaskRequest, ListTasksRequest, SendMessageRequest, Task
from a2a.utils.errors import TaskNotCancelableError, TaskNotFoundError

from protocolarc.bridge import a2a_bridge
from tests.bridge.events import code, state, story
from tests.bridge.race import Moment, by_marks, by_steps, races
from tests.bridge.runners import Gate, Runner, echo, until_cancelled
from tests.bridge.scene import DEFINITION, as_caller, bearer, over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Kind, opened
from tests.bridge.wire import Binding, card, played, rest, said, steps, within


@pytest.mark.requirement("R15")
@pytest.mark.parametrize(
    ("kind", "moments"),
    [(Kind.MEMORY, list(by_steps())), (Kind.DATABASE, list(by_marks()) * 2)],
    ids=["memory", "database"],
)
@played
async def test_a_cancellation_at_every_moment_around_the_end_has_one_winner(
    kind: Kind, moments: list[Moment], tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as store:
        winners, found = await races(store, moments, len(moments))
    assert found == []
    assert set(winners) == {"TASK_STATE_COMPLETED", "TASK_STATE_CANCELED"}, "the race was not run from both sides"


@pytest.mark.requirement("R15", "R17")
@pytest.mark.parametrize("moment", range(16))
@played
async def test_a_cancellation_at_the_beginning_is_heard(moment: int) -> None:
    # The task is in the store before anything is said of it, so its owner can find and cancel it at once.
    bridge = a2a_bridge(
        Runner(until_cancelled), DEFINITION, card("http://127.0.0.1"), InMemoryTaskStore(), resolve=bearer
    )
    sending = asyncio.create_task(
        bridge.handler.on_message_send(SendMessageRequest(message=said("hello")), as_caller())
    )

    async def found() -> str:
        while True:
            page = await bridge.handler.on_list_tasks(ListTasksRequest(), as_caller())
            if page.tasks:
                return str(page.tasks[0].id)
            await steps(1)

    task = await within(found(), "the task in the store")
    await steps(moment)
    cancelled = await within(bridge.handler.on_cancel_task(CancelTaskRequest(id=task), as_caller()), "the cancellation")
    answered = await within(sending, "the answer to the message")
    stored = await bridge.handler.on_get_task(GetTaskRequest(id=task), as_caller())
    assert isinstance(answered, Task)
    assert {state(each.status) for each in (cancelled, answered, stored) if each is not None} == {"CANCELED"}
    await bridge.aclose()


@pytest.mark.requirement("R15", "R12")
@over_both_bindings
@with_both_stores
@pytest.mark.parametrize("deaf", [False, True], ids=["listens", "ignores it"])
@played
async def test_a_run_is_cancelled_whether_it_listens_or_not(
    binding: Binding, kind: Kind, deaf: bool, tmp_path: Path
) -> None:
    gate = Gate()
    runner = Runner(gate if deaf else until_cancelled)
    async with opened(kind, tmp_path) as store, serving(runner, store) as scene:
        caller = await scene.caller(binding)
        task, stream = await caller.start(said("hello"))
        await within(runner.started.acquire(), "the run")
        cancelled = await caller.cancel(task)
        assert state(cancelled.status) == "CANCELED"
        assert story(await rest(stream)) == ["WORKING", "CANCELED"]
        gate.release.set()
        stored = await caller.get(task)
        assert (state(stored.status), code(stored), list(stored.artifacts)) == ("CANCELED", "cancelled", [])
        assert runner.calls[0].cancellation.cancelled


@pytest.mark.requirement("R15", "R16")
@over_both_bindings
@played
async def test_what_has_ended_or_never_was_cannot_be_cancelled(binding: Binding) -> None:
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(echo), store) as scene:
        caller = await scene.caller(binding)
        task = await caller.task(said("hello"))
        with pytest.raises(TaskNotCancelableError):
            await caller.cancel(task.id)
        with pytest.raises(TaskNotFoundError):
            await caller.cancel("unknown")


@pytest.mark.requirement("R15")
@over_both_bindings
@with_both_stores
@played
async def test_of_many_cancellations_at_once_all_are_told_the_same(
    binding: Binding, kind: Kind, tmp_path: Path
) -> None:
    runner = Runner(until_cancelled)

    async with opened(kind, tmp_path) as store, serving(runner, store) as scene:
        caller = await scene.caller(binding)
        task, stream = await caller.start(said("hello"))
        await within(runner.started.acquire(), "the run")
        answers = await asyncio.gather(*(caller.cancel(task) for _ in range(8)), return_exceptions=True)
        told = {state(each.status) for each in answers if not isinstance(each, BaseException)}
        refused = {type(each) for each in answers if isinstance(each, BaseException)}
        assert told == {"CANCELED"}
        assert refused <= {TaskNotCancelableError}
        assert story(await rest(stream)) == ["WORKING", "CANCELED"]
        assert state((await caller.get(task)).status) == "CANCELED"
