"""Runners that do what a test needs, and remember every call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from protocolarc.bridge import AgentDefinition, CancellationToken, Principal, RunResult, RunState, current_principal


@dataclass(frozen=True)
class Call:
    """One call of a runner, and who it ran as."""

    definition: AgentDefinition
    text: str
    run_id: str
    principal: Principal
    cancellation: CancellationToken
    bound: Principal | None


Script = Callable[[Call], Awaitable[RunResult]]


@dataclass
class Runner:
    """An agent that plays a script."""

    script: Script
    calls: list[Call] = field(default_factory=list)
    started: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    """Released once per call: a test awaits it instead of the clock."""

    async def run(
        self,
        definition: AgentDefinition,
        text: str,
        *,
        run_id: str,
        principal: Principal,
        cancellation: CancellationToken,
    ) -> RunResult:
        call = Call(definition, text, run_id, principal, cancellation, current_principal())
        self.calls.append(call)
        self.started.release()
        return await self.script(call)


async def echo(call: Call) -> RunResult:
    """Say what was heard."""
    return RunResult(RunState.COMPLETED, call.text)


def giving(output: Any, state: RunState = RunState.COMPLETED, code: str = "") -> Script:
    """Return the same result whatever is asked."""

    async def script(_: Call) -> RunResult:
        return RunResult(state, output, code)

    return script


def returning(anything: Any) -> Script:
    """Return what is no result at all."""

    async def script(_: Call) -> Any:
        return anything

    return script


def raising(error: BaseException) -> Script:
    """Fail with an error."""

    async def script(_: Call) -> RunResult:
        raise error

    return script


async def until_cancelled(call: Call) -> RunResult:
    """Work until somebody cancels, and say so."""
    await call.cancellation.wait()
    return RunResult(RunState.CANCELLED, None)


@dataclass
class Gate:
    """A script that works until the test lets it go on, whoever cancels."""

    release: asyncio.Event = field(default_factory=asyncio.Event)
    interrupted: int = 0
    """How often somebody tried to end it."""

    async def __call__(self, call: Call) -> RunResult:
        while not self.release.is_set():
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                self.interrupted += 1
        return RunResult(RunState.COMPLETED, call.text)
