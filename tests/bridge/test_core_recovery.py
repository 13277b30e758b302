"""Tasks that a killed process left active: what can be done with them, and how they are closed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore, TaskStore
from a2a.server.tasks.copying_task_store import CopyingTaskStoreAdapter
from a2a.types import Task, TaskState, TaskStatus

from protocolarc.bridge import CancellationToken, Principal, RunResult, reconcile
from protocolarc.bridge.ownership import OWNER_KEY, owner_context
from tests.bridge.core_support import Caller, end_of, hang, serving
from tests.bridge.stores import database
from tests.bridge.test_core_owners import Making, _with, every_store

ADA, BOB = Principal("acme", "ada"), Principal("acme", "bob")
LEFT = [
    ("submitted", ADA, TaskState.TASK_STATE_SUBMITTED, 0),
    ("working", ADA, TaskState.TASK_STATE_WORKING, 5),
    ("other", BOB, TaskState.TASK_STATE_WORKING, 5),
    ("ended", ADA, TaskState.TASK_STATE_COMPLETED, 5),
]


async def leave(store: TaskStore) -> None:
    """Put into a store what a process that was killed leaves there."""
    for task_id, principal, state, hours in LEFT:
        task = Task(id=task_id, context_id="c", status=TaskStatus(state=state))
        task.status.timestamp.FromDatetime(datetime.now(UTC) - timedelta(hours=hours))
        task.metadata[OWNER_KEY] = principal.owner
        await store.save(task, owner_context(principal.owner))


NO_TIME = timedelta(0)
"""How long a run may take elsewhere when there is no other process."""

CALLS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["other", "submitted", "working"]),
    ({"owners": [ADA]}, ["submitted", "working"]),
    ({"owners": [ADA, BOB, ADA]}, ["other", "submitted", "working"]),
    ({"owners": []}, []),
    ({"older_than": timedelta(hours=1)}, ["other", "working"]),
]


@pytest.mark.requirement("R18")
@every_store
@pytest.mark.parametrize(("options", "closed"), CALLS, ids=["all", "one owner", "owners", "nobody", "older"])
def test_what_was_left_is_closed_once(
    making: Making, options: dict[str, Any], closed: list[str], tmp_path: Path
) -> None:
    async def scenario(store: TaskStore) -> None:
        await leave(store)
        asked = {"older_than": NO_TIME} | options
        if isinstance(store, CopyingTaskStoreAdapter):  # of a store that is not the SDK's the owners have to be named
            asked = {"owners": [ADA, BOB]} | asked
        assert sorted(await reconcile(store, **asked)) == closed
        assert await reconcile(store, **asked) == ()
        async with serving(store=store) as (bridge, _):
            ends = {}
            for task_id, principal, _state, _hours in LEFT:
                caller = Caller(bridge, f"{principal.tenant}:{principal.subject}")
                ends[task_id] = end_of(await caller.fetch(task_id))
        assert {task_id for task_id, end in ends.items() if end == ("FAILED", "interrupted")} == set(closed)
        assert ends["ended"] == ("COMPLETED", "")

    asyncio.run(_with(making, tmp_path, scenario))


def test_a_store_of_another_kind_needs_the_owners() -> None:
    async def scenario() -> None:
        store = CopyingTaskStoreAdapter(InMemoryTaskStore())
        await leave(store)
        with pytest.raises(TypeError, match="CopyingTaskStoreAdapter lists tasks by owner only"):
            await reconcile(store, older_than=NO_TIME)
        assert set(await reconcile(store, owners=[BOB], older_than=NO_TIME)) == {"other"}

    asyncio.run(scenario())


def test_the_runs_of_this_process_are_left_alone() -> None:
    async def scenario() -> None:
        async with serving(hang) as (bridge, _):
            task = await Caller(bridge).send("hello", wait=False)
            await leave(bridge.store.inner)
            assert set(await reconcile(bridge.store, older_than=NO_TIME)) == {"submitted", "working", "other"}
            assert end_of(await Caller(bridge).fetch(task["id"]))[0] in ("SUBMITTED", "WORKING")

    asyncio.run(scenario())


@every_store
def test_without_it_the_owner_can_read_follow_and_cancel_but_not_continue(making: Making, tmp_path: Path) -> None:
    async def scenario(store: TaskStore) -> None:
        await leave(store)
        async with serving(store=store) as (bridge, runner):
            caller = Caller(bridge)
            message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "more"}], "taskId": "working"}
            assert await caller.error("SendMessage", message=message) == -32004
            followed = await caller.call("SubscribeToTask", id="working")
            assert followed.text.count("data: ") == 1
            assert "TASK_STATE_WORKING" in followed.text
            assert end_of(await caller.result("CancelTask", id="working")) == ("CANCELED", "cancelled")
            assert end_of(await caller.fetch("working")) == ("CANCELED", "cancelled")
            assert await caller.error("CancelTask", id="working") == -32002
            assert await caller.error("SubscribeToTask", id="working") == -32004
            assert runner.calls == []

    asyncio.run(_with(making, tmp_path, scenario))


@pytest.mark.requirement("R18")
def test_a_task_that_cannot_be_read_keeps_no_other_one_open() -> None:
    class Damaged(InMemoryTaskStore):
        async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
            if task_id == "submitted":
                raise ValueError("not a task")
            return await super().get(task_id, context)

    async def scenario() -> None:
        store = Damaged()
        await leave(store)
        assert set(await reconcile(store, older_than=NO_TIME)) == {"working", "other"}

    asyncio.run(scenario())


@pytest.mark.requirement("R12", "R18")
def test_a_run_of_another_process_that_shares_the_store_is_left_alone_for_its_time(tmp_path: Path) -> None:
    begun, release = asyncio.Event(), asyncio.Event()

    async def answer(text: str, token: CancellationToken) -> RunResult:
        begun.set()
        await release.wait()
        return RunResult.completed(text)

    async def scenario(theirs: TaskStore, ours: TaskStore) -> None:
        async with serving(answer, store=theirs) as (bridge, _):
            sending = asyncio.create_task(Caller(bridge).send("hello"))
            await asyncio.wait_for(begun.wait(), 20)
            with pytest.raises(TypeError, match="older_than"):
                await reconcile(ours)  # type: ignore[call-arg]  # nobody else knows how long theirs may take
            with pytest.raises(ValueError, match="not negative"):
                await reconcile(ours, older_than=timedelta(seconds=-1))
            assert await reconcile(ours, older_than=timedelta(hours=1)) == ()
            release.set()
            assert end_of(await sending) == ("COMPLETED", "")
            assert await reconcile(ours, older_than=NO_TIME) == ()

    async def both() -> None:
        async with database(tmp_path) as theirs, database(tmp_path) as ours:
            await scenario(theirs, ours)

    asyncio.run(both())


@pytest.mark.requirement("R15", "R18")
def test_reconcile_does_not_overwrite_a_cancellation() -> None:
    class Slow(InMemoryTaskStore):
        async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
            task = await super().get(task_id, context)
            for _ in range(50):
                await asyncio.sleep(0)
            return task

    async def scenario() -> None:
        store = Slow()
        await leave(store)
        async with serving(store=store) as (bridge, _):
            caller = Caller(bridge)
            closing = asyncio.create_task(reconcile(bridge.store, owners=[ADA], older_than=NO_TIME))
            answer = (await caller.call("CancelTask", id="working")).json()
            closed = await closing
            end = end_of(await caller.fetch("working"))
            assert end == (("CANCELED", "cancelled") if "result" in answer else ("FAILED", "interrupted"))
            assert ("working" in closed) == (end[0] == "FAILED")

    asyncio.run(scenario())
