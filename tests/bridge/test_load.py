"""Many tasks at once. What the bridge adds to each is a matter of ``benchmarks/bridge.py``, which has to run."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from protocolarc.bridge import RunResult, RunState
from tests.bridge.events import state
from tests.bridge.runners import Call, Runner
from tests.bridge.scene import serving
from tests.bridge.stores import Kind, opened
from tests.bridge.wire import Binding, played, said, within
from tests.support.cli import ROOT


@pytest.mark.requirement("R5")
@played
async def test_a_hundred_tasks_run_at_once() -> None:
    together = asyncio.Barrier(100)

    async def script(call: Call) -> RunResult:
        await within(together.wait(), "a hundred runs at once")
        return RunResult(RunState.COMPLETED, call.text)

    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(script), store) as scene:
        callers = [await scene.caller(binding) for binding in Binding]
        tasks = await asyncio.gather(*(callers[number % 2].task(said(str(number))) for number in range(100)))
        assert scene.bridge.executor.active == 0
    assert [state(task.status) for task in tasks] == ["COMPLETED"] * 100
    assert [task.artifacts[0].parts[0].text for task in tasks] == [str(number) for number in range(100)]


@pytest.mark.requirement("R5")
def test_the_benchmark_measures_both_agents() -> None:
    words = ("--rounds", "1", "--tasks", "10", "--active", "5", "--rate", "50", "--load", "1")
    done = subprocess.run(
        [sys.executable, "benchmarks/bridge.py", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr  # the figures of so short a run say nothing
    assert "inside execute()" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("added p99")
