"""From a message to the end of its task: what is admitted, what is run, what is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Message, Part, Role, SendMessageRequest, Task, TaskState

from protocolarc.bridge import (
    AgentCardError,
    AgentDefinition,
    CancellationToken,
    Principal,
    RunResult,
    RunState,
    a2a_agent_executor,
    a2a_bridge,
    current_run,
)
from protocolarc.bridge.wiring import check_card
from tests.bridge.core_support import (
    CANARY,
    OWNER,
    Caller,
    Runner,
    WatchedStore,
    by_header,
    card,
    echo,
    end_of,
    hang,
    serving,
)
from tests.support.repository import contract

EURO = "\u20ac"

MESSAGES: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("text", ["hello"], {}, "COMPLETED"),
    ("two parts", ["hello", "you"], {}, "COMPLETED"),
    ("65,536 bytes", ["x" * 65536], {}, "COMPLETED"),
    ("65,537 bytes", ["x" * 65537], {}, "input_too_large"),
    ("65,535 bytes in threes", [EURO * 21845], {}, "COMPLETED"),
    ("65,538 bytes in threes", [EURO * 21846], {}, "input_too_large"),
    ("65,536 bytes in two parts", ["x" * 32768, "x" * 32767], {}, "COMPLETED"),
    ("65,537 bytes in two parts", ["x" * 32768, "x" * 32768], {}, "input_too_large"),
    ("an agent's message", ["hello"], {"role": "ROLE_AGENT"}, "invalid_role"),
    ("blank", [" \n\t"], {}, "empty_input"),
    ("empty", ["", ""], {}, "empty_input"),
    ("raw", ["hello", {"raw": "aGk="}], {}, "unsupported_part"),
    ("url", [{"url": "http://example.com/"}], {}, "unsupported_part"),
    ("data", [{"data": {"a": 1}}], {}, "unsupported_part"),
]


@pytest.mark.requirement("R2", "R4")
@pytest.mark.parametrize(
    ("parts", "message", "end"), [case[1:] for case in MESSAGES], ids=[case[0] for case in MESSAGES]
)
def test_only_a_users_text_within_the_limit_reaches_the_runner(
    parts: list[Any], message: dict[str, Any], end: str
) -> None:
    async def scenario() -> None:
        async with serving() as (bridge, runner):
            task = await Caller(bridge).send(*parts, **message)
            state, code = end_of(task)
            assert (code or state) == end
            assert state == ("COMPLETED" if end == "COMPLETED" else "REJECTED")
            assert len(runner.calls) == (end == "COMPLETED")
            if end == "COMPLETED":
                assert runner.calls == [(task["id"], "\n".join(parts), Principal("acme", "ada"))]

    asyncio.run(scenario())


OUTPUTS: list[tuple[str, str | Mapping[str, Any], str]] = [
    ("text", "hello", "COMPLETED"),
    ("empty text", "", "COMPLETED"),
    ("JSON", {"n": 2**53, "deep": [1.5, None, True, {"x": EURO}]}, "COMPLETED"),
    ("1,048,576 bytes", "x" * 1048576, "COMPLETED"),
    ("1,048,577 bytes", "x" * 1048577, "output_too_large"),
    ("threes of bytes", EURO * 349526, "output_too_large"),
    ("JSON of 1,048,576 bytes", {"a": "x" * 1048568}, "COMPLETED"),
    ("JSON of 1,048,577 bytes", {"a": "x" * 1048569}, "output_too_large"),
    ("a lone surrogate", "\ud800", "output_invalid"),
    ("not JSON", {"a": b"bytes"}, "output_invalid"),
    ("not finite", {"a": float("inf")}, "output_invalid"),
    ("an integer that doubles change", {"a": 2**53 + 1}, "output_invalid"),
]


@pytest.mark.requirement("R3", "R13")
@pytest.mark.parametrize(("output", "end"), [case[1:] for case in OUTPUTS], ids=[case[0] for case in OUTPUTS])
def test_one_artifact_of_text_or_json_within_the_limit(output: str | Mapping[str, Any], end: str) -> None:
    async def answer(text: str, token: CancellationToken) -> RunResult:
        return RunResult.completed(output)

    async def scenario() -> None:
        async with serving(answer) as (bridge, _):
            caller = Caller(bridge)
            task = await caller.send("hello")
            state, code = end_of(task)
            assert (code or state) == end
            assert await caller.fetch(task["id"]) == task
            if end == "COMPLETED":
                part = {"text": output} if isinstance(output, str) else {"data": output}
                kind = "text/plain" if isinstance(output, str) else "application/json"
                (artifact,) = task["artifacts"]
                assert artifact == {"artifactId": "answer", "name": "answer", "parts": [part | {"mediaType": kind}]}
            else:
                assert (state, "artifacts" in task) == ("FAILED", False)

    asyncio.run(scenario())


async def _raise(text: str, token: CancellationToken) -> RunResult:
    raise RuntimeError(CANARY)


async def _cancel_itself(text: str, token: CancellationToken) -> RunResult:
    raise asyncio.CancelledError(CANARY)


async def _lie(text: str, token: CancellationToken) -> RunResult:
    return CANARY  # type: ignore[return-value]  # that is the lie


async def _fail(text: str, token: CancellationToken) -> RunResult:
    return RunResult.failed("no_luck")


async def _stop(text: str, token: CancellationToken) -> RunResult:
    return RunResult(RunState.CANCELLED)


ENDS: list[tuple[Any, tuple[str, str]]] = [
    (echo, ("COMPLETED", "")),
    (_raise, ("FAILED", "execution_failed")),
    (_cancel_itself, ("FAILED", "execution_failed")),
    (_lie, ("FAILED", "execution_failed")),
    (_fail, ("FAILED", "run_failed")),
    (_stop, ("CANCELED", "cancelled")),
]


@pytest.mark.requirement("R11", "R12")
@pytest.mark.parametrize(("answer", "end"), ENDS, ids=[end[1] or end[0] for _, end in ENDS])
def test_submitted_working_and_one_end_without_internal_text(
    answer: Any, end: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with serving(answer) as (bridge, _):
            caller = Caller(bridge)
            task = await caller.send("hello")
            assert end_of(task) == end
            assert CANARY not in str(task)
            if end[1] == "run_failed":
                assert task["status"]["message"]["metadata"] == {
                    "protocolarc": {"code": "run_failed", "detail": "no_luck"}
                }
            artifact = ["ARTIFACT"] if end[0] == "COMPLETED" else []
            assert await caller.states("hello") == ["SUBMITTED", "WORKING", *artifact, end[0]]
            assert await caller.states(" ") == ["SUBMITTED", "WORKING", "REJECTED"]

    with caplog.at_level(logging.ERROR, "protocolarc"):
        asyncio.run(scenario())


async def _resolve_late(context: ServerCallContext) -> Principal:
    await asyncio.Event().wait()
    raise AssertionError


async def _resolve_badly(context: ServerCallContext) -> Principal:
    raise PermissionError(CANARY)


async def _resolve_to_text(context: ServerCallContext) -> Principal:
    return OWNER  # type: ignore[return-value]  # that is the lie


async def _resolve_to_the_past(context: ServerCallContext) -> Principal:
    return Principal("acme", "ada", expires_at=1)


def _resolve_at_once(context: ServerCallContext) -> Principal:
    return Principal("acme", "ada")


@pytest.mark.requirement("R10")
@pytest.mark.parametrize(
    "resolve", [_resolve_late, _resolve_badly, _resolve_to_text, _resolve_to_the_past, _resolve_at_once]
)
def test_without_a_principal_nothing_is_run_stored_or_found(resolve: Callable[..., Awaitable[Principal]]) -> None:
    async def scenario() -> None:
        definition = AgentDefinition("echo", "1.0.0", resolve_timeout_seconds=0.001)
        store = WatchedStore()
        async with serving(store=store, definition=definition, resolve=resolve) as (bridge, runner):
            caller = Caller(bridge)
            task = await caller.send("hello")
            assert end_of(task) == ("REJECTED", "not_authorised")
            for method in ("GetTask", "CancelTask", "SubscribeToTask"):
                assert await caller.error(method, id=task["id"]) == -32001
            assert (await caller.result("ListTasks"))["totalSize"] == 0
            assert (runner.calls, "save" in store.log) == ([], False)

    asyncio.run(scenario())


def test_scopes_are_demanded_of_the_sender() -> None:
    async def resolve(context: ServerCallContext) -> Principal:
        name = context.state["headers"]["authorization"]
        return Principal("acme", "ada", frozenset({"ask", "more"} if name == "full" else {"more"}))

    async def scenario() -> None:
        definition = AgentDefinition("echo", "1.0.0", required_scopes=frozenset({"ask"}))
        async with serving(definition=definition, resolve=resolve) as (bridge, runner):
            assert end_of(await Caller(bridge, "none").send("hello")) == ("REJECTED", "not_authorised")
            assert end_of(await Caller(bridge, "full").send("hello")) == ("COMPLETED", "")
            assert len(runner.calls) == 1

    asyncio.run(scenario())


@pytest.mark.requirement("R7", "R8")
def test_the_run_is_bound_to_its_caller_and_its_task_and_gone_after_it() -> None:
    async def answer(text: str, token: CancellationToken) -> RunResult:
        for _ in range(len(text)):
            await asyncio.sleep(0)
        run = current_run()
        assert run is not None
        return RunResult.completed({"tenant": run.principal.tenant, "run": run.run_id, "context": run.context_id})

    async def scenario() -> None:
        async with serving(answer) as (bridge, _):
            callers = [Caller(bridge, f"tenant{number}:ada") for number in range(30)]
            tasks = await asyncio.gather(*(caller.send("x" * (n % 7 + 1)) for n, caller in enumerate(callers)))
            for number, task in enumerate(tasks):
                (part,) = task["artifacts"][0]["parts"]
                assert part["data"] == {"tenant": f"tenant{number}", "run": task["id"], "context": task["contextId"]}
            assert (current_run(), bridge.executor.working) == (None, 0)

    asyncio.run(scenario())


REFUSED: list[tuple[Any, str]] = [
    ("plain words", "output_contract_violation"),
    ('{"a": "x"}', ""),
    ('{"a": "x", "a": "x"}', "output_contract_violation"),
    ({"a": "x"}, ""),
    ({"a": CANARY, "n": 1}, ""),
    ({"a": CANARY, "n": 1.5}, "output_contract_violation"),
    ({"n": 1}, "output_contract_violation"),
]


@pytest.mark.requirement("N3", "N4")
@pytest.mark.parametrize(("output", "code"), REFUSED, ids=str)
def test_an_artifact_keeps_its_contract_and_names_it(tmp_path: Path, output: Any, code: str) -> None:
    path = tmp_path / "answer.json"
    path.write_bytes(contract("answer", "1.2.0", "a: string; n: integer opt"))

    async def answer(text: str, token: CancellationToken) -> RunResult:
        return RunResult.completed(output)

    async def scenario() -> None:
        definition = AgentDefinition("echo", "1.0.0", artifact_contract="answer")
        async with serving(answer, definition=definition, registry=tmp_path) as (bridge, _):
            task = await Caller(bridge).send("hello")
            assert end_of(task) == (("FAILED", code) if code else ("COMPLETED", ""))
            if code:
                assert "artifacts" not in task
                assert CANARY not in str(task)
            else:
                record = task["artifacts"][0]["metadata"]["protocolarc.contract"]
                assert (record["name"], record["revision"], record["digest"][:7]) == ("answer", "1.2.0", "sha256:")

    asyncio.run(scenario())


def test_the_executor_alone_serves_the_sdks_own_handler(caplog: pytest.LogCaptureFixture) -> None:
    definition = AgentDefinition("echo", "1.0.0", request_contract="anything")

    async def scenario() -> None:
        with pytest.raises(TypeError, match="that of a bridge"):
            a2a_agent_executor(Runner(echo), definition, resolve=by_header, store=InMemoryTaskStore())  # type: ignore[arg-type]  # that is the mistake
        executor = a2a_agent_executor(Runner(echo), definition, resolve=by_header, max_input_bytes=5)
        handler = DefaultRequestHandler(executor, InMemoryTaskStore(), card())
        context = ServerCallContext(state={"headers": {"authorization": OWNER}})
        for text, state in (("hello", TaskState.TASK_STATE_COMPLETED), ("hello!", TaskState.TASK_STATE_REJECTED)):
            message = Message(message_id="m", role=Role.ROLE_USER, parts=[Part(text=text)])
            task = await handler.on_message_send(SendMessageRequest(message=message), context)
            assert isinstance(task, Task)
            assert task.status.state == state
        await handler.aclose()
        assert executor.active == 0

    asyncio.run(scenario())
    assert "does not judge requests against anything" in caplog.text


@pytest.mark.requirement("R14")
@pytest.mark.parametrize(
    "capabilities",
    [{"push_notifications": True}, {"extended_agent_card": True}, {"extensions": [{"uri": "urn:x"}]}],
    ids=str,
)
def test_a_card_that_advertises_more_is_refused(capabilities: dict[str, Any]) -> None:
    check_card(card())
    with pytest.raises(AgentCardError, match="the card advertises"):
        a2a_bridge(
            Runner(hang),
            AgentDefinition("a", "1"),
            card(**capabilities),
            InMemoryTaskStore(),
            resolve=by_header,
        )
