"""No text of an exception reaches the peer or the store."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.utils.errors import A2AError

from protocolarc.bridge import Principal
from tests.bridge.runners import Runner, echo, raising
from tests.bridge.scene import Scene, over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Failing, Kind, everything, opened
from tests.bridge.wire import Binding, played, said

CANARY = "canary-7f3a"


class SecretError(Exception):
    """An exception that would tell too much."""

    def __str__(self) -> str:
        return CANARY


ERRORS: list[BaseException] = [
    SecretError(),
    ValueError(f"api_key={CANARY}"),
    A2AError(CANARY),
    KeyError(CANARY),
    ExceptionGroup(CANARY, [ValueError(CANARY)]),
    TimeoutError(CANARY),
]


async def call_everything(scene: Scene, binding: Binding) -> None:
    """Call all that there is, streaming and not; errors are what is looked at."""
    for streaming in (True, False):
        caller = await scene.caller(binding, streaming=streaming)
        await quietly(caller.send(said("hello")))
        await quietly(caller.list())
        await quietly(caller.get("unknown"))
        await quietly(caller.cancel("unknown"))
        if streaming:
            await quietly(anext(caller.subscribe("unknown")))


async def quietly(call: Awaitable[Any]) -> None:
    """Await a call that may well fail."""
    try:
        await call
    except A2AError as error:
        assert CANARY not in repr(error)


@pytest.mark.requirement("R11")
@over_both_bindings
@with_both_stores
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@played
async def test_what_a_runner_raises_stays_here(
    binding: Binding, kind: Kind, error: BaseException, tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as store, serving(Runner(raising(error)), store) as scene:
        await call_everything(scene, binding)
        assert scene.tap.sent
        assert CANARY.encode() not in scene.tap.sent
        assert CANARY not in await everything(store)


@pytest.mark.requirement("R11", "R10")
@over_both_bindings
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@played
async def test_what_a_resolver_raises_stays_here(binding: Binding, error: BaseException) -> None:
    async def resolve(_: ServerCallContext) -> Principal:
        raise error

    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(echo), store, resolve=resolve) as scene:
        await call_everything(scene, binding)
        assert scene.tap.sent
        assert CANARY.encode() not in scene.tap.sent
        assert CANARY not in await everything(store)


@pytest.mark.requirement("R11", "R17")
@over_both_bindings
@pytest.mark.parametrize("method", ["save", "get", "list"])
@played
async def test_what_a_store_raises_stays_here(binding: Binding, method: str) -> None:
    def fails(_: int, name: str) -> bool:
        return name == method

    async with opened(Kind.MEMORY, Path()) as inner:
        store = Failing(inner, fails, secret=CANARY)
        async with serving(Runner(echo), store) as scene:
            await call_everything(scene, binding)
            assert method in store.calls
            assert CANARY.encode() not in scene.tap.sent
