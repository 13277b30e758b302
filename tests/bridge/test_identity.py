"""Who calls, and what that one may see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.server.tasks.copying_task_store import CopyingTaskStoreAdapter
from a2a.utils.errors import TaskNotFoundError
from google.protobuf.json_format import MessageToDict

from protocolarc.bridge import Principal, RunResult, RunState, current_principal
from tests.bridge.events import code, state, story
from tests.bridge.runners import Call, Gate, Runner, echo, until_cancelled
from tests.bridge.scene import ANN, DEFINITION, bearer, over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Kind, opened
from tests.bridge.wire import Binding, Caller, played, rest, said, within

BEN = "acme/ben"
EVE = "evil/ann"
UNKNOWN = "00000000-0000-4000-8000-000000000000"


async def untenanted(context: ServerCallContext) -> Principal:
    """Believe the authentication, and be nobody's where the tenant of a request shows."""
    assert context.tenant == ""
    return await bearer(context)


@pytest.mark.requirement("R6")
@pytest.mark.parametrize("path", ["/message:send", "/evil/message:send"])
@played
async def test_what_a_rest_request_says_about_its_tenant_is_nobodys_identity(path: str) -> None:
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store, resolve=untenanted) as scene:
        caller = await scene.caller(Binding.REST)
        body = {"tenant": "evil", "message": message_with_claims()}
        answered = await caller.http.post(path, json=body)
        assert answered.status_code == 200, answered.text
    assert [(call.principal.tenant, call.principal.subject) for call in runner.calls] == [("acme", "ann")]


@pytest.mark.requirement("R6")
@played
async def test_what_a_json_rpc_request_says_about_its_tenant_is_nobodys_identity() -> None:
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store, resolve=untenanted) as scene:
        caller = await scene.caller(Binding.JSONRPC)
        params = {"tenant": "evil", "message": message_with_claims(), "metadata": {"tenant": "evil"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params}
        answered = await caller.http.post("/", json=body)
        assert "result" in answered.json()
    assert [(call.principal.tenant, call.principal.subject) for call in runner.calls] == [("acme", "ann")]


def message_with_claims() -> dict[str, Any]:
    """Return a message that claims to come from somebody else."""
    claims = {"tenant": "evil", "subject": "eve", "principal": {"tenant": "evil"}, "authorization": "Bearer evil/eve"}
    return {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "hello", "metadata": claims}], "metadata": claims}


@pytest.mark.requirement("R6")
@over_both_bindings
@played
async def test_execution_and_cancellation_ask_who_calls_from_server_context(binding: Binding) -> None:
    seen: list[tuple[Any, Any, Any]] = []

    async def resolve(context: ServerCallContext) -> Principal:
        seen.append((type(context), context.tenant, context.state["headers"]["authorization"]))
        return await bearer(context)

    runner = Runner(until_cancelled)
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store, resolve=resolve) as scene:
        caller = await scene.caller(binding)
        task, stream = await caller.start(said("hello"))
        await within(runner.started.acquire(), "the run")
        asked = len(seen)
        assert asked
        assert state((await caller.cancel(task)).status) == "CANCELED"
        assert len(seen) > asked
        assert story(await rest(stream)) == ["WORKING", "CANCELED"]
    assert set(seen) == {(ServerCallContext, "", f"Bearer {ANN}")}


@pytest.mark.requirement("R7", "R8", "R19")
@over_both_bindings
@with_both_stores
@played
async def test_interleaved_runs_each_keep_their_own_identity(binding: Binding, kind: Kind, tmp_path: Path) -> None:
    count = 12
    together = asyncio.Barrier(count)

    async def script(call: Call) -> RunResult:
        before = current_principal()
        await within(together.wait(), "all runs at once")
        after = current_principal()
        assert before is after is call.bound
        assert after is not None
        return RunResult(RunState.COMPLETED, {"run": call.run_id, "who": [after.tenant, after.subject, *after.scopes]})

    async def one(caller: Caller, number: int) -> None:
        task = await caller.task(said("hello", context_id=f"context-{number}"))
        (artifact,) = task.artifacts
        answer = MessageToDict(artifact.parts[0].data)
        assert answer == {"run": task.id, "who": [f"tenant-{number % 3}", f"subject-{number}", "read"]}
        assert task.context_id == f"context-{number}"

    async with opened(kind, tmp_path) as store, serving(Runner(script), store) as scene:
        callers = [await scene.caller(binding, f"tenant-{number % 3}/subject-{number}/read") for number in range(count)]
        await asyncio.gather(*(one(caller, number) for number, caller in enumerate(callers)))
        assert current_principal() is None


@pytest.mark.requirement("R9")
@over_both_bindings
@pytest.mark.parametrize("where", ["memory", "database", "one partition for all"])
@pytest.mark.parametrize("stranger", [BEN, EVE])
@played
async def test_to_a_stranger_a_task_does_not_exist_and_its_run_goes_on(
    binding: Binding, where: str, stranger: str, tmp_path: Path
) -> None:
    gate = Gate()
    runner = Runner(gate)
    kind = Kind.DATABASE if where == "database" else Kind.MEMORY
    async with opened(kind, tmp_path) as official:
        shared = CopyingTaskStoreAdapter(InMemoryTaskStore(owner_resolver=lambda _: "all"))
        store = shared if where.startswith("one") else official
        async with serving(runner, store) as scene:
            owner = await scene.caller(binding)
            other = await scene.caller(binding, stranger)
            task, stream = await owner.start(said("hello"))
            await within(runner.started.acquire(), "the run")
            for method in ("GetTask", "CancelTask", "SubscribeToTask", "SendMessage"):
                foreign = await bare(other, method, task)
                unknown = await bare(other, method, UNKNOWN)
                assert foreign == unknown, method
            assert await other.list() == []
            assert [listed.id for listed in await owner.list()] == [task]
            gate.release.set()
            assert [event.status_update.status async for event in stream][-1].state  # the owner's stream ended
            assert state((await owner.get(task)).status) == "COMPLETED"
            assert await bare(other, "GetTask", task) == await bare(other, "GetTask", UNKNOWN)
            assert await bare(other, "CancelTask", task) == await bare(other, "CancelTask", UNKNOWN)
    assert gate.interrupted == 0
    assert len(runner.calls) == 1


async def bare(caller: Caller, method: str, task: str) -> tuple[int, bytes]:
    """Return status and body of the answer to a bare request about a task, with the id itself left out."""
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "hello"}], "taskId": task}
    if caller.binding is Binding.JSONRPC:
        params = {"message": message} if method == "SendMessage" else {"id": task}
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answered = await caller.http.post("/", json=request)
    elif method == "GetTask":
        answered = await caller.http.get(f"/tasks/{task}")
    elif method == "SendMessage":
        answered = await caller.http.post("/message:send", json={"message": message})
    else:
        verb = {"CancelTask": "cancel", "SubscribeToTask": "subscribe"}[method]
        answered = await caller.http.post(f"/tasks/{task}:{verb}")
    return answered.status_code, answered.content.replace(task.encode(), b"ID")


async def fails(_: ServerCallContext) -> Principal:
    raise LookupError("canary: the directory is down")


async def hangs(_: ServerCallContext) -> Principal:
    await asyncio.Event().wait()
    raise AssertionError


async def lies(_: ServerCallContext) -> Any:
    return {"tenant": "acme", "subject": "ann"}


async def nobody(_: ServerCallContext) -> Any:
    return None


async def lapsed(context: ServerCallContext) -> Principal:
    return replace(await bearer(context), expires_at=1.0)


WRONG: list[Callable[[ServerCallContext], Awaitable[Any]]] = [fails, hangs, lies, nobody, lapsed]


@pytest.mark.requirement("R10", "R6")
@over_both_bindings
@with_both_stores
@pytest.mark.parametrize("wrong", WRONG, ids=["raises", "hangs", "lies", "gives nothing", "gives one that is over"])
@played
async def test_without_an_answer_to_who_calls_nothing_runs_and_nothing_is_found(
    binding: Binding, kind: Kind, wrong: Callable[[ServerCallContext], Awaitable[Any]], tmp_path: Path
) -> None:
    gate, reliable = Gate(), True
    runner = Runner(gate)

    async def resolve(context: ServerCallContext) -> Principal:
        return await (bearer(context) if reliable else wrong(context))

    impatient = replace(DEFINITION, resolve_timeout_seconds=0.05)
    async with (
        opened(kind, tmp_path) as store,
        serving(runner, store, resolve=resolve, definition=impatient) as scene,
    ):
        caller = await scene.caller(binding)
        task, stream = await caller.start(said("hello"))
        await within(runner.started.acquire(), "the run")
        reliable = False
        assert story(await caller.send(said("hello")))[-1] == "REJECTED"
        for method in ("CancelTask", "GetTask", "SubscribeToTask"):
            assert await bare(caller, method, task) == await bare(caller, method, UNKNOWN)
        with pytest.raises(TaskNotFoundError):
            await caller.cancel(task)
        reliable = True
        gate.release.set()
        async for _ in stream:
            pass
        owned = await caller.list()
        assert [(each.id, state(each.status), code(each)) for each in owned] == [(task, "COMPLETED", "")]
    assert len(runner.calls) == 1
    assert b"canary" not in scene.tap.sent


@pytest.mark.requirement("R10", "N7")
@over_both_bindings
@pytest.mark.parametrize(("scopes", "expected"), [("", "REJECTED"), ("/read", "REJECTED"), ("/read/ask", "COMPLETED")])
@played
async def test_who_lacks_a_scope_is_rejected(binding: Binding, scopes: str, expected: str) -> None:
    runner = Runner(echo)
    definition = replace(DEFINITION, required_scopes=frozenset({"read", "ask"}))
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store, definition=definition) as scene:
        caller = await scene.caller(binding, f"{ANN}{scopes}")
        assert story(await caller.send(said("hello")))[-1] == expected
        assert ["hello" in str(task.history) for task in await caller.list()] == [expected == "COMPLETED"]
    assert len(runner.calls) == (expected == "COMPLETED")


@pytest.mark.requirement("R10")
@pytest.mark.parametrize(("tenant", "subject"), [("", "ann"), ("acme", ""), (" ", "ann"), ("acme", "\t")], ids=repr)
def test_a_blank_identity_is_none(tenant: str, subject: str) -> None:
    with pytest.raises(ValueError, match=r"^the (tenant|subject) of a principal"):
        Principal(tenant=tenant, subject=subject)
