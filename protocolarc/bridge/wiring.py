"""The supported wiring: executor, store, handler and gate around one resolver, and the routes that use them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from a2a.server.routes import (
    ServerCallContextBuilder,
    create_agent_card_routes,
    create_jsonrpc_routes,
    create_rest_routes,
)
from a2a.types import AgentCard
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route

from protocolarc.bridge.contracts import Pinned
from protocolarc.bridge.errors import AgentCardError
from protocolarc.bridge.executor import BridgeExecutor
from protocolarc.bridge.gate import ContractGate, JudgedContextBuilder, judge_jsonrpc, judge_rest
from protocolarc.bridge.handler import BridgeRequestHandler
from protocolarc.bridge.refusals import jsonrpc_answer, rest_answer
from protocolarc.bridge.store import BoundTaskStore

CARD_CACHE = "public, max-age=300"
_SENDING = ("/message:send", "/message:stream")

JUDGING_THREADS = 1
"""Large bodies that are judged at a time. One thread more would only slow the event loop down."""


class Bridge:
    """An agent on A2A, ready to be served. Close it when the server stops."""

    def __init__(  # noqa: PLR0913  # every part of the wiring, by name
        self,
        *,
        executor: BridgeExecutor,
        store: BoundTaskStore,
        handler: BridgeRequestHandler,
        card: AgentCard,
        request_contract: Pinned | None,
        rest_contract: Pinned | None,
        gate: bool,
    ) -> None:
        store.claim()
        self.executor = executor
        self.store = store
        self.handler = handler
        self.card = card
        judged = request_contract is not None or rest_contract is not None
        self._jsonrpc = judge_jsonrpc(request_contract, closed=judged and request_contract is None) if gate else None
        self._rest = judge_rest(rest_contract, closed=judged and rest_contract is None) if gate else None
        self._turn = asyncio.Semaphore(JUDGING_THREADS)

    def routes(
        self,
        rpc_url: str = "/",
        *,
        rest: bool = True,
        context_builder: ServerCallContextBuilder | None = None,
    ) -> list[BaseRoute]:
        """Return the routes of the card, of JSON-RPC and of REST, each behind the gate.

        The last one takes every path below a first segment, which REST allows to name a tenant: put your own first.
        """
        builder = JudgedContextBuilder(context_builder)
        jsonrpc = create_jsonrpc_routes(self.handler, rpc_url, context_builder=builder)
        for route in jsonrpc:
            route.app = ContractGate(route.app, answer=jsonrpc_answer, judge=self._jsonrpc, turn=self._turn)
        routes: list[BaseRoute] = [*create_agent_card_routes(self.card, cache_control=CARD_CACHE), *jsonrpc]
        if rest:
            served = create_rest_routes(self.handler, context_builder=builder)
            self._guard(served, set())
            routes += served
        return routes

    def app(self, rpc_url: str = "/", *, context_builder: ServerCallContextBuilder | None = None) -> Starlette:
        """Return an application with these routes alone, which closes the bridge when it stops."""

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            try:
                yield
            finally:
                await self.aclose()

        return Starlette(routes=self.routes(rpc_url, context_builder=context_builder), lifespan=lifespan)

    async def aclose(self) -> None:
        """End every run as interrupted, and wait until the store has it."""
        await self.handler.aclose()
        self.store.release()

    def _guard(self, routes: list[BaseRoute], done: set[int]) -> None:
        """Put each route behind the gate; the SDK uses a route twice, for paths with a tenant and without."""
        for route in routes:
            if isinstance(route, Mount):
                self._guard(route.routes, done)
            elif isinstance(route, Route) and id(route) not in done:
                done.add(id(route))
                judge = self._rest if route.path.endswith(_SENDING) else None
                route.app = ContractGate(route.app, answer=rest_answer, judge=judge, turn=self._turn)


def check_card(card: AgentCard) -> None:
    """Refuse a card that advertises what the bridge does not do.

    Raises:
        AgentCardError: it promises push notifications, an extended card, an extension, or no text input.
    """
    offered = card.capabilities
    if offered.push_notifications:
        raise AgentCardError("the card advertises push notifications; the bridge sends none")
    if offered.extended_agent_card:
        raise AgentCardError("the card advertises an extended card; the bridge has none")
    if offered.extensions:
        raise AgentCardError(f"the card advertises the extension {offered.extensions[0].uri!r}; the bridge has none")
    modes = [mode for mode in card.default_input_modes if mode.startswith("text/") or mode == "*/*"]
    if card.default_input_modes and not modes:
        raise AgentCardError("the card takes no text; the bridge takes nothing else")
