"""Which stores a bridge takes, and what a store that hangs or is shared costs others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.tasks import DatabaseTaskStore, InMemoryTaskStore, TaskStore
from a2a.server.tasks.copying_task_store import CopyingTaskStoreAdapter
from a2a.types import Task
from a2a.utils.task import ListTasksCursor, encode_list_tasks_cursor
from sqlalchemy.ext.asyncio import create_async_engine

from protocolarc.bridge import AgentDefinition, Principal, RunScope, a2a_agent_executor, a2a_bridge, handler
from tests.bridge.core_support import Caller, Runner, WatchedStore, by_header, card, echo, hang, serving


def bridge_on(store: TaskStore) -> Any:
    return a2a_bridge(Runner(echo), AgentDefinition("echo", "1"), card(), store, resolve=by_header)


@pytest.mark.requirement("R15")
def test_a_store_serves_one_bridge_at_a_time() -> None:
    async def scenario() -> None:
        store = InMemoryTaskStore()
        first = bridge_on(store)
        with pytest.raises(ValueError, match="serves another bridge; give every agent a store and a table of its own"):
            bridge_on(store)
        other = bridge_on(InMemoryTaskStore())
        await first.aclose()
        second = bridge_on(store)
        await first.aclose()  # once more: the store is no longer the first one's to give
        with pytest.raises(ValueError, match="serves another bridge"):
            bridge_on(store)
        await second.aclose()
        await other.aclose()

    asyncio.run(scenario())


@pytest.mark.requirement("R9")
@pytest.mark.parametrize("kind", [InMemoryTaskStore, DatabaseTaskStore])
def test_a_store_of_the_sdk_keeps_its_owner_resolver(kind: type[TaskStore]) -> None:
    engine = [create_async_engine("sqlite+aiosqlite://")] if kind is DatabaseTaskStore else []
    with pytest.raises(ValueError, match="owner_resolver"):
        bridge_on(kind(*engine, owner_resolver=lambda _: "all"))  # type: ignore[call-arg]  # of both kinds


@pytest.mark.requirement("R9")
def test_a_list_says_nothing_of_the_tasks_of_others_in_a_shared_partition() -> None:
    past = encode_list_tasks_cursor(ListTasksCursor(timestamp_ns=0, task_id="0"))
    asked: list[dict[str, Any]] = [{}, {"contextId": "victim"}, {"pageToken": past}, {"pageSize": 1}]

    async def lists(identity: str, others: int) -> list[tuple[Any, ...]]:
        store = CopyingTaskStoreAdapter(InMemoryTaskStore(owner_resolver=lambda _: "all"))
        async with serving(store=store) as (bridge, _):
            for _number in range(others):
                await Caller(bridge).send("secret", contextId="victim")
            caller = Caller(bridge, identity)
            found = []
            for params in asked:
                page = await caller.result("ListTasks", **params)
                found.append((len(page["tasks"]), page["totalSize"], page["nextPageToken"], page["pageSize"]))
            return found

    async def scenario() -> None:
        for identity in ("nobody", "acme:bob"):
            assert await lists(identity, 3) == await lists(identity, 0)
        store = CopyingTaskStoreAdapter(InMemoryTaskStore(owner_resolver=lambda _: "all"))
        async with serving(store=store) as (bridge, _):
            for identity in ("acme:ada", "acme:ada", "acme:bob"):
                await Caller(bridge, identity).send("hello")
            assert (await Caller(bridge, "acme:bob").result("ListTasks", pageSize=1))["totalSize"] <= 1

    asyncio.run(scenario())


@pytest.mark.requirement("R10")
def test_nobody_costs_the_store_nothing() -> None:
    async def scenario() -> None:
        store = WatchedStore()
        async with serving(store=store) as (bridge, _):
            nobody = Caller(bridge, "nobody")
            await nobody.send("hello")
            for method in ("GetTask", "CancelTask", "SubscribeToTask"):
                assert await nobody.error(method, id="x") == -32001
            empty = await nobody.result("ListTasks")
            assert empty == await Caller(bridge).result("ListTasks")
            assert store.log == []

    asyncio.run(scenario())


class Stuck(InMemoryTaskStore):
    """Never comes back from a write, once it is told so."""

    stuck = False

    async def save(self, task: Task, context: ServerCallContext) -> None:
        if self.stuck:
            await asyncio.Event().wait()
        await super().save(task, context)


@pytest.mark.requirement("R17")
def test_a_cancellation_waits_for_a_store_that_hangs_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "STORE_TIMEOUT_SECONDS", 0.05)

    async def scenario() -> None:
        store = Stuck()
        bridge = a2a_bridge(Runner(hang), AgentDefinition("echo", "1"), card(), store, resolve=by_header)
        caller = Caller(bridge)
        task = await caller.send("hello", wait=False)
        store.stuck = True
        answers = await asyncio.gather(*(caller.call("CancelTask", id=task["id"]) for _ in range(3)))
        for answer in answers:
            assert answer.json()["error"]["message"] == "task store unavailable"
        await bridge.aclose()

    asyncio.run(asyncio.wait_for(scenario(), 30))


@pytest.mark.requirement("N8")
@pytest.mark.parametrize("method", ["SendMessage", "SendStreamingMessage"])
@pytest.mark.parametrize("identity", ["acme:ada", "nobody"])
def test_a_message_that_is_on_its_way_when_the_bridge_closes_is_answered(identity: str, method: str) -> None:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "hello"}]}

    async def scenario() -> None:
        for turns in range(40):
            async with serving(hang) as (bridge, _):
                caller = Caller(bridge, identity)
                sends = [asyncio.create_task(caller.call(method, message=message)) for _ in range(2)]
                for _ in range(turns):
                    await asyncio.sleep(0)
                await bridge.aclose()
                for response in await asyncio.wait_for(asyncio.gather(*sends), 20):
                    assert response.status_code == 200
                for task in (await caller.result("ListTasks"))["tasks"]:
                    assert task["status"]["state"] == "TASK_STATE_FAILED"

    asyncio.run(scenario())


def test_an_executor_has_the_resolver_of_its_store() -> None:
    async def other(context: ServerCallContext) -> Principal:
        raise LookupError(context)

    async def scenario() -> None:
        async with serving() as (bridge, _):
            definition = AgentDefinition("echo", "1")
            a2a_agent_executor(Runner(echo), definition, resolve=by_header, store=bridge.store)
            with pytest.raises(ValueError, match="its own resolver"):
                a2a_agent_executor(Runner(echo), definition, resolve=other, store=bridge.store)

    asyncio.run(scenario())


@pytest.mark.requirement("R7", "R9")
def test_a_conversation_is_its_owners() -> None:
    def name(tenant: str, subject: str, context_id: str) -> str:
        return RunScope(Principal(tenant, subject, frozenset({context_id})), "run", context_id).conversation

    assert name("acme", "ada", "c") == name("acme", "ada", "c")
    others = [name("acme", "bob", "c"), name("other", "ada", "c"), name("acme", "ada", "d"), name("acme", "adac", "")]
    assert len({name("acme", "ada", "c"), *others}) == 5
