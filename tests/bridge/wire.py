"""A server on the loopback in this process, what leaves it, and the official clients that call it."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import httpx
import uvicorn
from a2a.client import Client, ClientConfig, ClientFactory
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    StreamResponse,
    SubscribeToTaskRequest,
    Task,
)
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

T = TypeVar("T")
P = ParamSpec("P")

PATIENCE = 30.0
"""Seconds after which something that should have happened is a failure. No test waits for it when all is well."""

TRUSTED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nobody: nothing here speaks TLS, and a client that is told so does not read the certificates of all authorities."""


class Binding(StrEnum):
    """The two bindings of the protocol that run over HTTP."""

    JSONRPC = "JSONRPC"
    REST = "HTTP+JSON"


def play(scenario: Coroutine[Any, Any, T]) -> T:
    """Run a scenario on a new event loop; one that hangs fails and says so."""

    async def bounded() -> T:
        return await within(scenario, "the whole scenario", PATIENCE * 2)

    return asyncio.run(bounded())


def played(scenario: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make a test of a scenario: it runs on a new event loop."""

    @wraps(scenario)
    def test(*args: P.args, **kwargs: P.kwargs) -> None:
        play(scenario(*args, **kwargs))

    return test


async def within(what: Awaitable[T], name: str, seconds: float = PATIENCE) -> T:
    """Await something that is expected to happen; a hang is a failure with a name."""
    try:
        async with asyncio.timeout(seconds):
            return await what
    except TimeoutError:
        raise AssertionError(f"{name} did not happen within {seconds:g} s") from None


def say(*lines: str) -> int:
    """Print what a script has to say, and return the exit code of one that has no more to say."""
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()
    return 0


async def steps(count: int) -> None:
    """Let everything that is ready go on, so often."""
    for _ in range(count):
        await asyncio.sleep(0)


@dataclass
class Tap:
    """An ASGI application around another one that keeps every byte that leaves it."""

    app: ASGIApp
    sent: bytearray = field(default_factory=bytearray)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def keep(message: AsgiMessage) -> None:
            for name, value in message.get("headers", ()):
                self.sent += bytes(name) + b": " + bytes(value) + b"\n"
            self.sent += message.get("body", b"")
            await send(message)

        await self.app(scope, receive, keep)


@asynccontextmanager
async def listening(make: Callable[[str], ASGIApp]) -> AsyncIterator[tuple[str, Tap]]:
    """Serve what ``make`` returns for its own URL on a free port; give the URL and what leaves the server."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        tap = Tap(make(url))
        config = uvicorn.Config(tap, log_config=None, ws="none", lifespan="off")
        config.load()
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listener])
        try:
            yield url, tap
        finally:
            await within(hang_up(server), "the last answer of the server")


async def hang_up(server: uvicorn.Server) -> None:
    """End a server whose callers have left, when its last answer is out.

    Its own shutdown does the same and sleeps for a tenth of a second, which all tests together would wait long for.
    """
    for listener in server.servers:
        listener.close()
    for connection in list(server.server_state.connections):
        connection.shutdown()
    while server.server_state.connections or server.server_state.tasks:
        await steps(1)


def card(url: str, **capabilities: bool) -> AgentCard:
    """Return the card of an agent that is served at a URL in both bindings."""
    return AgentCard(
        name="echo",
        description="Says what it hears",
        version="1.0.0",
        capabilities=AgentCapabilities(streaming=True, **capabilities),  # type: ignore[arg-type]  # the stub mixes up its keywords
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain", "application/json"],
        supported_interfaces=[
            AgentInterface(url=f"{url}/", protocol_binding=Binding.JSONRPC, protocol_version="1.0"),
            AgentInterface(url=url, protocol_binding=Binding.REST, protocol_version="1.0"),
        ],
        skills=[AgentSkill(id="echo", name="echo", description="Says what it hears", tags=["test"])],
    )


def said(*texts: str, **fields: Any) -> Message:
    """Return a message of the user; a field that is named replaces the usual one."""
    usual = {"message_id": "m-1", "role": Role.ROLE_USER, "parts": [Part(text=text) for text in texts]}
    return Message(**{**usual, **fields})


class Caller:
    """Somebody who calls the agent: the official client under one identity, and bare HTTP under the same one."""

    def __init__(self, url: str, binding: Binding, identity: str, *, streaming: bool = True) -> None:
        self.http = httpx.AsyncClient(base_url=url, headers=self.headers(identity), timeout=PATIENCE, verify=TRUSTED)
        self.binding = binding
        config = ClientConfig(streaming=streaming, httpx_client=self.http, supported_protocol_bindings=[binding])
        self.client: Client = ClientFactory(config).create(card(url))

    @staticmethod
    def headers(identity: str) -> dict[str, str]:
        """Return the headers of a caller; the authentication in front of the agent is believed here."""
        return {"authorization": f"Bearer {identity}", "a2a-version": "1.0"}

    async def send(self, message: Message, **request: Any) -> list[StreamResponse]:
        """Send a message and return all that comes back."""
        sending = self.client.send_message(SendMessageRequest(message=message, **request))
        return await within(_all(sending), "the answer to a message")

    async def task(self, message: Message, **request: Any) -> Task:
        """Send a message and return the task as it is stored when all has come back."""
        return await self.get(task_id(await self.send(message, **request)))

    async def start(self, message: Message) -> tuple[str, AsyncIterator[StreamResponse]]:
        """Send a message, read until the task has an id, and return it with what is still to come."""
        stream = self.client.send_message(SendMessageRequest(message=message))
        first = await within(anext(stream), "the first event")
        return first.task.id, stream

    async def get(self, task: str) -> Task:
        return await within(self.client.get_task(GetTaskRequest(id=task)), "get")

    async def list(self) -> list[Task]:
        request = ListTasksRequest(include_artifacts=True)
        return list((await within(self.client.list_tasks(request), "list")).tasks)

    async def cancel(self, task: str) -> Task:
        return await within(self.client.cancel_task(CancelTaskRequest(id=task)), "cancel")

    def subscribe(self, task: str) -> AsyncIterator[StreamResponse]:
        return self.client.subscribe(SubscribeToTaskRequest(id=task))

    async def post(self, body: bytes | AsyncIterator[bytes], *, streaming: bool = False) -> httpx.Response:
        """Post the bytes of a request to send a message, as they are."""
        path = "/" if self.binding is Binding.JSONRPC else f"/message:{'stream' if streaming else 'send'}"
        return await self.http.post(path, content=body, headers={"content-type": "application/json"})

    async def close(self) -> None:
        await self.client.close()
        await self.http.aclose()


async def _all(stream: AsyncIterator[T]) -> list[T]:
    return [item async for item in stream]


async def rest(stream: AsyncIterator[StreamResponse]) -> list[StreamResponse]:
    """Return what is still to come on a stream."""
    return await within(_all(stream), "the end of a stream")


def task_id(events: list[StreamResponse]) -> str:
    """Return the id that the events speak of."""
    first = events[0]
    return first.task.id or first.status_update.task_id or first.artifact_update.task_id
