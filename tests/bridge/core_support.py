"""An agent in this process, called over its own routes: enough to see what the bridge does without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore, TaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Task
from starlette.types import ASGIApp

from protocolarc.bridge import AgentDefinition, CancellationToken, Principal, RunResult, a2a_bridge
from protocolarc.bridge.wiring import Bridge

OWNER = "acme:ada"
CANARY = "canary-7f3a"
"""Must reach no caller."""

Answer = Callable[[str, CancellationToken], Awaitable[RunResult]]


def card(**capabilities: Any) -> AgentCard:
    """Return the card of an agent that takes text."""
    return AgentCard(
        name="echo",
        description="says it again",
        version="1.0.0",
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        capabilities=AgentCapabilities(streaming=True, **capabilities),
        skills=[AgentSkill(id="echo", name="echo", description="says it again", tags=["echo"])],
        supported_interfaces=[
            AgentInterface(url="http://agent/", protocol_binding="JSONRPC", protocol_version="1.0"),
            AgentInterface(url="http://agent", protocol_binding="HTTP+JSON", protocol_version="1.0"),
        ],
    )


class Runner:
    """Answers with a function, and keeps what it was called with."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.calls: list[tuple[str, str, Principal]] = []

    async def run(
        self,
        definition: AgentDefinition,
        text: str,
        *,
        run_id: str,
        principal: Principal,
        cancellation: CancellationToken,
    ) -> RunResult:
        del definition
        self.calls.append((run_id, text, principal))
        return await self.answer(text, cancellation)


async def echo(text: str, token: CancellationToken) -> RunResult:
    return RunResult.completed(text)


async def hang(text: str, token: CancellationToken) -> RunResult:
    await asyncio.Event().wait()
    raise AssertionError


async def by_header(context: ServerCallContext) -> Principal:
    """Trust the header: the tests stand for a deployment whose proxy has verified it."""
    tenant, subject = context.state["headers"]["authorization"].split(":")
    return Principal(tenant, subject)


class WatchedStore(InMemoryTaskStore):
    """Keeps a log of what it was asked, and fails at one call of it, counted from one."""

    def __init__(self, fail_at: int = 0, **options: Any) -> None:
        super().__init__(**options)
        self.fail_at = fail_at
        self.log: list[str] = []

    def _note(self, word: str) -> None:
        self.log.append(word)
        if len(self.log) == self.fail_at:
            raise RuntimeError(f"{CANARY}: no connection")

    async def save(self, task: Task, context: ServerCallContext) -> None:
        self._note("save")
        await super().save(task, context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        self._note("get")
        return await super().get(task_id, context)


class Caller:
    """One caller of one agent, over JSON-RPC and REST."""

    def __init__(self, bridge: Bridge, identity: str = OWNER, *, app: ASGIApp | None = None) -> None:
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app or bridge.app()),
            base_url="http://agent",
            headers={"A2A-Version": "1.0", "Authorization": identity},
        )

    async def call(self, method: str, **params: Any) -> httpx.Response:
        body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        return await self.http.post("/", json=body)

    async def result(self, method: str, **params: Any) -> dict[str, Any]:
        response = (await self.call(method, **params)).json()
        assert "result" in response, response
        found: dict[str, Any] = response["result"]
        return found

    async def error(self, method: str, **params: Any) -> int:
        found: int = (await self.call(method, **params)).json()["error"]["code"]
        return found

    async def send(self, *parts: str | dict[str, Any], wait: bool = True, **message: Any) -> dict[str, Any]:
        sent = {"messageId": "m1", "role": "ROLE_USER", "parts": [as_part(part) for part in parts]} | message
        found: dict[str, Any] = (
            await self.result("SendMessage", message=sent, configuration={"returnImmediately": not wait})
        )["task"]
        return found

    async def fetch(self, task_id: str) -> dict[str, Any]:
        return await self.result("GetTask", id=task_id)

    async def states(self, text: str) -> list[str]:
        """Stream a message and return the states of its task, and a word for the artifact."""
        message = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": text}]}
        return words_of(await self.call("SendStreamingMessage", message=message))


def words_of(response: httpx.Response) -> list[str]:
    """Return the states that a stream tells, and a word for the artifact."""
    lines = [line[6:] for line in response.text.splitlines() if line.startswith("data: ")]
    return [_word(json.loads(line)["result"]) for line in lines]


def _word(event: dict[str, Any]) -> str:
    if "artifactUpdate" in event:
        return "ARTIFACT"
    status = (event.get("task") or event["statusUpdate"])["status"]
    return str(status["state"]).removeprefix("TASK_STATE_")


def as_part(part: str | dict[str, Any]) -> dict[str, Any]:
    return {"text": part} if isinstance(part, str) else part


def end_of(task: dict[str, Any]) -> tuple[str, str]:
    """Return the state of a task, and its code when it has one."""
    metadata = task["status"].get("message", {}).get("metadata", {})
    return task["status"]["state"].removeprefix("TASK_STATE_"), metadata.get("protocolarc", {}).get("code", "")


@asynccontextmanager
async def serving(
    answer: Answer = echo, *, store: TaskStore | None = None, definition: AgentDefinition | None = None, **wiring: Any
) -> AsyncIterator[tuple[Bridge, Runner]]:
    """Serve an agent for the time of the block; nothing of it may be left when it has been closed."""
    runner = Runner(answer)
    bridge = a2a_bridge(
        runner,
        definition or AgentDefinition("echo", "1.0.0"),
        card(),
        store or InMemoryTaskStore(),
        **{"resolve": by_header} | wiring,
    )
    try:
        yield bridge, runner
        await settled(bridge)
    finally:
        await bridge.aclose()
    assert (bridge.executor.active, bridge.store.live) == (0, frozenset())


async def settled(bridge: Bridge) -> None:
    """Wait until the SDK holds no task that has ended; one that it never lets go of fails the test."""
    active = bridge.handler._active_task_registry._active_tasks  # noqa: SLF001 - it has no count
    for _ in range(500):
        if not any(task_id not in bridge.store.live for task_id in active):
            return
        await asyncio.sleep(0)
    raise AssertionError(f"{len(active)} tasks are left in the SDK's registry")
