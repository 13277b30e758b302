"""A bridge that is served over HTTP, and those who may call it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.tasks import TaskStore
from a2a.types import AgentCard

from protocolarc.bridge import AgentDefinition, AgentRunner, Principal, a2a_bridge
from protocolarc.bridge.wiring import Bridge
from tests.bridge.stores import Kind
from tests.bridge.wire import Binding, Caller, Tap, card, listening

over_both_bindings = pytest.mark.parametrize("binding", list(Binding), ids=["jsonrpc", "rest"])
with_both_stores = pytest.mark.parametrize("kind", list(Kind), ids=["memory", "database"])

DEFINITION = AgentDefinition(name="echo", version="1.0.0", description="Says what it hears")
ANN = "acme/ann"
"""Who calls where nothing else is said: tenant and subject."""

Resolve = Callable[[ServerCallContext], Awaitable[Principal]]


async def bearer(context: ServerCallContext) -> Principal:
    """Believe the authentication in front of the agent: ``Bearer TENANT/SUBJECT[/SCOPE...]``."""
    _, _, identity = context.state["headers"]["authorization"].partition(" ")
    tenant, subject, *scopes = identity.split("/")
    return Principal(tenant=tenant, subject=subject, scopes=frozenset(scopes))


async def anybody(_: ServerCallContext) -> Principal:
    """Take everybody for the same caller."""
    return Principal(tenant="acme", subject="ann")


def as_caller(identity: str = ANN) -> ServerCallContext:
    """Return the context of a call that came without HTTP."""
    return ServerCallContext(state={"headers": {"authorization": f"Bearer {identity}"}})


@dataclass
class Scene:
    """What a test has in its hands."""

    url: str
    tap: Tap
    bridge: Bridge
    stack: AsyncExitStack

    async def caller(
        self, binding: Binding = Binding.JSONRPC, identity: str = ANN, *, streaming: bool = True
    ) -> Caller:
        caller = Caller(self.url, binding, identity, streaming=streaming)
        self.stack.push_async_callback(caller.close)
        return caller


@asynccontextmanager
async def serving(
    runner: AgentRunner,
    store: TaskStore,
    *,
    definition: AgentDefinition = DEFINITION,
    resolve: Resolve = bearer,
    make_card: Callable[[str], AgentCard] = card,
    **options: Any,
) -> AsyncIterator[Scene]:
    """Serve a bridge until the scenario ends; callers leave first, then the bridge closes."""
    built: list[Bridge] = []

    def make(url: str) -> Any:
        built.append(a2a_bridge(runner, definition, make_card(url), store, resolve=resolve, **options))
        return built[0].app()

    async with listening(make) as (url, tap):
        try:
            async with AsyncExitStack() as stack:
                yield Scene(url, tap, built[0], stack)
        finally:
            await built[0].aclose()
