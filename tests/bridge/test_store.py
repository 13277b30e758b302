"""Stores that fail, processes that end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from a2a.utils.errors import A2AError, InternalError, TaskNotFoundError, UnsupportedOperationError

from protocolarc.bridge import Principal, reconcile
from tests.bridge.events import TERMINAL, code, state, story
from tests.bridge.runners import Gate, Runner, echo, until_cancelled
from tests.bridge.scene import as_caller, over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Failing, Kind, database, opened
from tests.bridge.wire import Binding, Caller, played, rest, said, steps, within
from tests.support.cli import ROOT

NO_TIME = timedelta(0)
"""How long a run may take elsewhere when there is no other process."""

CALLS = 5
"""More than a task costs, so that the last ones show the undisturbed run."""


def once(failing: int) -> Callable[[int, str], bool]:
    """Fail at one call."""
    return lambda number, _: number == failing


def from_then_on(failing: int) -> Callable[[int, str], bool]:
    """Fail at a call and at every later one."""
    return lambda number, _: number >= failing


@pytest.mark.requirement("R17", "R11")
@over_both_bindings
@pytest.mark.parametrize("outage", [once, from_then_on])
@pytest.mark.parametrize("streaming", [True, False], ids=["stream", "answer"])
@pytest.mark.parametrize("failing", range(1, CALLS + 1))
@played
async def test_a_store_that_fails_at_any_call_costs_the_request_and_not_the_truth(
    binding: Binding, streaming: bool, failing: int, outage: Callable[[int], Callable[[int, str], bool]]
) -> None:
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as inner:
        store = Failing(inner, outage(failing))
        async with serving(runner, store) as scene:
            caller = await scene.caller(binding, streaming=streaming)
            try:
                told = story(await caller.send(said("hello")))[-1]
            except A2AError as error:
                told = type(error).__name__
            calls = store.calls[:]
            assert b"canary" not in scene.tap.sent
            store.fails = lambda *_: False
            kept = [state(task.status) for task in await caller.list()]
    if len(calls) < failing:
        assert (told, kept) == ("COMPLETED", ["COMPLETED"])
    else:
        assert told != "COMPLETED" or kept == ["COMPLETED"], "the peer was told of an end that is not stored"
    if "save" not in calls[: failing - 1]:
        assert runner.calls == [], "the runner ran for a task that is not stored"
        assert told == InternalError.__name__


@pytest.mark.requirement("R17", "R15")
@over_both_bindings
@pytest.mark.parametrize("outage", [once, from_then_on])
@pytest.mark.parametrize("failing", range(1, CALLS + 1))
@played
async def test_a_store_that_fails_while_a_task_is_cancelled_hangs_nobody(
    binding: Binding, failing: int, outage: Callable[[int], Callable[[int, str], bool]]
) -> None:
    runner = Runner(until_cancelled)
    async with opened(Kind.MEMORY, Path()) as inner:
        store = Failing(inner, lambda *_: False)
        async with serving(runner, store) as scene:
            caller = await scene.caller(binding)
            task, stream = await caller.start(said("hello"))
            await within(runner.started.acquire(), "the run")
            begun = len(store.calls)
            store.fails = lambda number, name: outage(failing)(number - begun, name)
            try:
                told = state((await caller.cancel(task)).status)
            except A2AError as error:
                told = type(error).__name__
            store.fails = lambda *_: False
            kept = state((await caller.get(task)).status)
            assert (told == "CANCELED") <= (kept == "CANCELED"), "the canceller was told of an end that is not stored"
            if kept == "WORKING":  # the end was lost with the store; it is made up for
                await caller.cancel(task)
            with suppress(A2AError):
                await rest(stream)
            assert state((await caller.get(task)).status) in TERMINAL
            assert b"canary" not in scene.tap.sent
            assert scene.bridge.executor.active == 0


@pytest.mark.requirement("R17")
@over_both_bindings
@played
async def test_while_the_store_is_down_every_request_fails_and_nothing_runs(binding: Binding) -> None:
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as inner:
        store = Failing(inner, lambda *_: True)
        async with serving(runner, store) as scene:
            caller = await scene.caller(binding)
            for _ in range(3):
                with pytest.raises(InternalError):
                    await caller.send(said("hello"))
            with pytest.raises(InternalError):
                await caller.list()
            store.fails = lambda *_: False
            assert await caller.list() == []
            assert story(await caller.send(said("hello")))[-1] == "COMPLETED"
    assert len(runner.calls) == 1


@pytest.mark.requirement("R18")
@over_both_bindings
@played
async def test_a_task_costs_one_read_and_two_writes(binding: Binding) -> None:
    async with opened(Kind.MEMORY, Path()) as inner:
        store = Failing(inner, lambda *_: False)
        async with serving(Runner(echo), store) as scene:
            events = await (await scene.caller(binding)).send(said("hello"))
            assert story(events)[-1] == "COMPLETED"
    assert store.calls == ["get", "save", "save"]


@pytest.mark.requirement("R18", "N8")
@played
async def test_after_a_kill_tasks_are_there_and_reconcile_closes_what_was_working(tmp_path: Path) -> None:
    url, process = await child(tmp_path)
    caller = Caller(url, Binding.JSONRPC, "acme/ann")
    ended = await caller.task(said("say"))
    task, stream = await caller.start(said("work"))
    assert story([await within(anext(stream), "the beginning of the run")]) == ["WORKING"]
    os.kill(process.pid, signal.SIGKILL)
    await within(process.wait(), "the end of the process")
    await caller.close()
    async with database(tmp_path) as store, serving(Runner(echo), store) as scene:
        owner = await scene.caller()
        assert await owner.get(ended.id) == ended
        assert state((await owner.get(task)).status) == "WORKING"
        other = Principal(tenant="acme", subject="ben")
        assert await reconcile(store, owners=[other], older_than=NO_TIME) == ()
        assert await reconcile(store, older_than=NO_TIME) == (task,)
        assert await reconcile(store, older_than=NO_TIME) == ()
        closed = await owner.get(task)
        assert (state(closed.status), code(closed)) == ("FAILED", "interrupted")
        assert await owner.get(ended.id) == ended


async def child(folder: Path) -> tuple[str, asyncio.subprocess.Process]:
    """Start a server in a process of its own, whose runs last until it ends; return its URL once it listens."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bridge.child", str(folder), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = await within(process.stdout.readline(), "the URL of the process")
    return line.decode().strip(), process


@pytest.mark.requirement("N8", "R18")
@over_both_bindings
@with_both_stores
@played
async def test_closing_in_the_middle_of_a_run_leaves_it_terminal(binding: Binding, kind: Kind, tmp_path: Path) -> None:
    gate = Gate()
    runner = Runner(gate)
    async with opened(kind, tmp_path) as store:
        async with serving(runner, store) as scene:
            caller = await scene.caller(binding)
            task, _ = await caller.start(said("hello"))
            await within(runner.started.acquire(), "the run")
            closing = asyncio.create_task(scene.bridge.aclose())
            await within(closing, "the end of the bridge")
            gate.release.set()
            await steps(50)
        stored = await scene.bridge.store.get(task, as_caller())
        assert stored is not None
        assert state(stored.status) in TERMINAL
        assert code(stored) == "interrupted"


@pytest.mark.requirement("R18", "R9")
@over_both_bindings
@with_both_stores
@played
async def test_what_another_process_left_working_hangs_nobody_and_runs_nothing(
    binding: Binding, kind: Kind, tmp_path: Path
) -> None:
    gate = Gate()
    busy, runner = Runner(gate), Runner(echo)
    async with opened(kind, tmp_path) as store, serving(busy, store) as lost:
        left = await lost.caller(binding)
        first, _ = await left.start(said("hello"))
        second, _ = await left.start(said("hello"))
        for _ in range(2):
            await within(busy.started.acquire(), "both runs")
        other = Failing(store, lambda *_: False)  # another process has a store object of its own
        async with serving(runner, other) as scene:
            caller = await scene.caller(binding)
            assert story(await rest(caller.subscribe(first))) == ["WORKING"]
            with pytest.raises(UnsupportedOperationError):
                await caller.send(said("more", task_id=first))
            stranger = await scene.caller(binding, "acme/ben")
            for call in (stranger.get(first), stranger.cancel(first), anext(stranger.subscribe(first))):
                with pytest.raises(TaskNotFoundError):
                    await call
            assert state((await caller.cancel(first)).status) == "CANCELED"
            ann = Principal(tenant="acme", subject="ann")
            assert await reconcile(scene.bridge.store, owners=[ann], older_than=NO_TIME) == (second,)
            assert code(await caller.get(second)) == "interrupted"
        gate.release.set()
    assert runner.calls == []


@pytest.mark.requirement("R18")
@played
async def test_reconcile_leaves_the_runs_of_this_process_alone_and_says_what_it_cannot_search() -> None:
    gate = Gate()
    runner = Runner(gate)
    async with opened(Kind.MEMORY, Path()) as inner:
        store = Failing(inner, lambda *_: False)
        async with serving(runner, store) as scene:
            caller = await scene.caller()
            task, stream = await caller.start(said("hello"))
            await within(runner.started.acquire(), "the run")
            ann = Principal(tenant="acme", subject="ann")
            assert await reconcile(scene.bridge.store, owners=[ann], older_than=NO_TIME) == ()
            with pytest.raises(TypeError, match="owners"):
                await reconcile(store, older_than=NO_TIME)
            assert await reconcile(store, owners=[ann], older_than=timedelta(hours=1)) == ()
            gate.release.set()
            assert story(await rest(stream))[-1] == "COMPLETED"
            assert state((await caller.get(task)).status) == "COMPLETED"
