"""Callers are kept apart, one end wins, and the store is trusted with nothing but keeping."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from a2a.server.cluster.task_store import ConcurrentTaskModificationError
from a2a.server.context import ServerCallContext
from a2a.server.tasks import DatabaseTaskStore, InMemoryTaskStore, TaskStore
from a2a.server.tasks.copying_task_store import CopyingTaskStoreAdapter
from a2a.types import Task, TaskState, TaskStatus
from a2a.utils.errors import InternalError
from sqlalchemy.ext.asyncio import create_async_engine

from protocolarc.bridge import CancellationToken, Principal, RunResult
from protocolarc.bridge.resolution import Resolver
from protocolarc.bridge.store import BoundTaskStore
from tests.bridge.core_support import CANARY, Caller, WatchedStore, by_header, end_of, hang, serving

Making = Callable[[Path], AsyncIterator[TaskStore]]


async def _memory(_: Path) -> AsyncIterator[TaskStore]:
    yield InMemoryTaskStore()


async def _shared_memory(_: Path) -> AsyncIterator[TaskStore]:
    yield CopyingTaskStoreAdapter(InMemoryTaskStore(owner_resolver=lambda _: "all"))


async def _sqlite(folder: Path) -> AsyncIterator[TaskStore]:
    engine = create_async_engine(f"sqlite+aiosqlite:///{folder}/tasks.db")
    try:
        yield DatabaseTaskStore(engine)
    finally:
        await engine.dispose()


async def _shared_sqlite(folder: Path) -> AsyncIterator[TaskStore]:
    engine = create_async_engine(f"sqlite+aiosqlite:///{folder}/tasks.db")
    try:
        yield CopyingTaskStoreAdapter(DatabaseTaskStore(engine, owner_resolver=lambda _: "all"))
    finally:
        await engine.dispose()


STORES = [_memory, _shared_memory, _sqlite, _shared_sqlite]
every_store = pytest.mark.parametrize("making", STORES, ids=lambda making: making.__name__.strip("_"))


@pytest.mark.requirement("R9")
@every_store
@pytest.mark.parametrize("stranger", ["acme:bob", "other:ada", "nobody"])
def test_a_stranger_gets_what_an_unknown_id_gets_and_the_run_goes_on(
    making: Making, stranger: str, tmp_path: Path
) -> None:
    async def scenario(store: TaskStore) -> None:
        release = asyncio.Event()

        async def answer(text: str, token: CancellationToken) -> RunResult:
            await release.wait()
            return RunResult.completed(text)

        async with serving(answer, store=store) as (bridge, _):
            owner, other = Caller(bridge), Caller(bridge, stranger)
            task = await owner.send("hello", wait=False)
            unknown = "0" * len(task["id"])
            for method in ("GetTask", "CancelTask", "SubscribeToTask"):
                assert (await other.call(method, id=task["id"])).content == (
                    await other.call(method, id=unknown)
                ).content
            for path in ("/tasks/{}", "/tasks/{}:subscribe"):
                answers = [await other.http.get(path.format(name)) for name in (task["id"], unknown)]
                assert answers[0].content == answers[1].content
                assert answers[0].status_code == 404
            assert (await other.http.post(f"/tasks/{task['id']}:cancel")).status_code == 404
            assert await other.error("SendMessage", message=_message(task["id"])) == -32001
            listed = await other.result("ListTasks")
            assert (listed["tasks"], listed["totalSize"], listed["nextPageToken"]) == ([], 0, "")
            release.set()
            (event,) = [end async for end in _until_the_end(owner, task["id"])]
            assert event == ("COMPLETED", "")
            assert [item["id"] for item in (await owner.result("ListTasks"))["tasks"]] == [task["id"]]

    asyncio.run(_with(making, tmp_path, scenario))


async def _until_the_end(caller: Caller, task_id: str) -> AsyncIterator[tuple[str, str]]:
    while True:
        end = end_of(await caller.fetch(task_id))
        if end[0] not in ("SUBMITTED", "WORKING"):
            yield end
            return
        await asyncio.sleep(0)


def _message(task_id: str) -> dict[str, Any]:
    return {"messageId": "m2", "role": "ROLE_USER", "parts": [{"text": "more"}], "taskId": task_id}


async def _with(making: Making, folder: Path, scenario: Callable[[TaskStore], Any]) -> None:
    async with asynccontextmanager(making)(folder) as store:
        await scenario(store)


@every_store
def test_a_stored_task_is_not_written_by_a_stranger_and_an_end_stays(making: Making, tmp_path: Path) -> None:
    async def scenario(inner: TaskStore) -> None:
        ada, bob = Principal("acme", "ada"), Principal("acme", "bob")
        bound = BoundTaskStore(inner, Resolver(by_header, 1))
        contexts = {
            name: ServerCallContext(state={"headers": {"authorization": f"acme:{name}"}}) for name in ("ada", "bob")
        }
        task = Task(id="t1", context_id="c1", status=TaskStatus(state=TaskState.TASK_STATE_WORKING))
        with pytest.raises(InternalError):  # no run has announced it
            await bound.save(task, contexts["ada"])
        await bound.begin(task, await bound.resolver.caller(contexts["ada"]))
        with pytest.raises(InternalError):
            await bound.save(task, contexts["bob"])
        assert bound.owner_of("t1") == ada.owner != bob.owner
        task.status.state = TaskState.TASK_STATE_COMPLETED
        await bound.save(task, contexts["ada"])
        assert bound.live == frozenset()
        with pytest.raises(InternalError):
            await bound.save(task, contexts["bob"])
        task.status.state = TaskState.TASK_STATE_CANCELED
        with pytest.raises(ConcurrentTaskModificationError):
            await bound.save(task, contexts["ada"])
        await bound.delete("t1", contexts["bob"])
        stored = await bound.get("t1", contexts["ada"])
        assert stored is not None
        assert (stored.status.state, len(stored.metadata.fields)) == (TaskState.TASK_STATE_COMPLETED, 0)
        await bound.delete("t1", contexts["ada"])
        assert await bound.get("t1", contexts["ada"]) is None

    asyncio.run(_with(making, tmp_path, scenario))


@pytest.mark.requirement("R18")
def test_a_task_costs_one_read_and_two_writes() -> None:
    async def scenario() -> None:
        for text in ("hello", " "):
            store = WatchedStore()
            async with serving(store=store) as (bridge, _):
                await Caller(bridge).send(text)
                assert store.log == ["get", "save", "save"]

    asyncio.run(scenario())


@pytest.mark.requirement("R11", "R17")
@pytest.mark.parametrize("method", ["SendMessage", "SendStreamingMessage"])
@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_store_that_fails_is_told_in_fixed_words_and_before_the_run(call: int, method: str) -> None:
    async def scenario() -> None:
        store = WatchedStore(fail_at=call)
        async with serving(store=store) as (bridge, runner):
            caller = Caller(bridge)
            response = await caller.call(method, message=_message(""))
            assert '"message"' in response.text
            assert "task store unavailable" in response.text
            assert CANARY not in response.text
            assert len(runner.calls) == (call == 3)
            assert end_of(await caller.send("again"))[0] == "COMPLETED"

    asyncio.run(scenario())


@pytest.mark.requirement("R11")
def test_a_store_that_fails_to_read_or_list_is_told_in_fixed_words() -> None:
    class Broken(InMemoryTaskStore):
        async def get(self, *_: Any) -> Task | None:
            raise InternalError(CANARY)

        async def list(self, *_: Any) -> Any:
            raise InternalError(CANARY)

    async def scenario() -> None:
        async with serving(store=Broken()) as (bridge, _):
            for method, params in (("GetTask", {"id": "t"}), ("CancelTask", {"id": "t"}), ("ListTasks", {})):
                response = await Caller(bridge).call(method, **params)
                assert response.json()["error"]["message"] == "task store unavailable"
                assert CANARY not in response.text

    asyncio.run(scenario())


async def _turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_a_runner_that_ignores_its_cancellation_holds_nobody_up() -> None:
    async def scenario() -> None:
        free = asyncio.Event()

        async def answer(text: str, token: CancellationToken) -> RunResult:
            while not free.is_set():
                try:
                    await free.wait()
                except asyncio.CancelledError:
                    assert token.cancelled
            return RunResult.completed(text)

        async with serving(answer) as (bridge, _):
            caller = Caller(bridge)
            task = await caller.send("hello", wait=False)
            assert end_of(await caller.result("CancelTask", id=task["id"])) == ("CANCELED", "cancelled")
            await bridge.aclose()
            assert bridge.executor.working == 1
            free.set()
            await _turns(3)
            assert bridge.executor.working == 0

    asyncio.run(scenario())


@pytest.mark.requirement("N8")
def test_a_shutdown_in_mid_run_leaves_an_end() -> None:
    async def scenario() -> None:
        store = InMemoryTaskStore()
        async with serving(hang, store=store) as (bridge, _):
            caller = Caller(bridge)
            tasks = [await caller.send("hello", wait=False) for _ in range(5)]
            waiting = asyncio.create_task(caller.send("hello"))
            await _turns(50)
            await bridge.aclose()
            await bridge.aclose()
            assert end_of(await waiting) == ("FAILED", "interrupted")
            for task in tasks:
                assert end_of(await caller.fetch(task["id"])) == ("FAILED", "interrupted")
            assert await caller.error("SendMessage", message=_message("")) == -32603

    asyncio.run(scenario())
