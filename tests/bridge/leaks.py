"""What is left after many tasks: ``python -m tests.bridge.leaks 10000``."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections import Counter

from a2a.server.tasks import InMemoryTaskStore, TaskStore
from a2a.types import CancelTaskRequest, SendMessageRequest, Task

from protocolarc.bridge import CancellationToken, RunResult, RunScope, RunState, a2a_bridge, current_run
from protocolarc.bridge.resolution import Caller
from protocolarc.bridge.runs import Run
from tests.bridge.runners import Call, Runner
from tests.bridge.scene import DEFINITION, as_caller, bearer
from tests.bridge.wire import card, said, say, steps, within

KINDS = (CancellationToken, RunScope, Run, Caller)
"""What the bridge makes per task or request."""


async def script(call: Call) -> RunResult:
    """Answer, fail, raise, or wait to be cancelled, by turns."""
    match call.text:
        case "fail":
            return RunResult(RunState.FAILED, None, "no_luck")
        case "raise":
            raise ValueError("no")
        case "wait":
            await call.cancellation.wait()
            return RunResult(RunState.CANCELLED)
    return RunResult(RunState.COMPLETED, call.text)


async def leftovers(store: TaskStore, count: int) -> dict[str, int]:
    """Run so many tasks to every kind of end, and count what is still there of them."""
    logging.disable(logging.CRITICAL)  # a handler that keeps its records keeps the frames of every exception
    runner = Runner(script)
    bridge = a2a_bridge(runner, DEFINITION, card("http://127.0.0.1"), store, resolve=bearer, gate=False)
    words = ("say", "fail", "raise", "wait", "")

    async def one(number: int) -> None:
        text = words[number % len(words)]
        request = SendMessageRequest(message=said(text))
        request.configuration.return_immediately = text == "wait"
        caller = f"tenant-{number % 7}/subject-{number % 11}"
        task = await bridge.handler.on_message_send(request, as_caller(caller))
        if text == "wait":
            assert isinstance(task, Task)
            await bridge.handler.on_cancel_task(CancelTaskRequest(id=task.id), as_caller(caller))

    for begin in range(0, count, 100):
        await within(asyncio.gather(*(one(number) for number in range(begin, min(begin + 100, count)))), "a hundred")
        runner.calls.clear()
    await steps(100)  # what was scheduled by the last ends runs now
    gc.collect()
    left = Counter(type(thing).__name__ for thing in gc.get_objects() if isinstance(thing, KINDS))
    left["active runs"] = bridge.executor.active
    left["live tasks of the store"] = len(bridge.store.live)
    left["active tasks of the SDK"] = len(bridge.handler._active_task_registry._active_tasks)  # noqa: SLF001 - it has no count
    left["tasks of the loop"] = len(asyncio.all_tasks()) - 1
    left["bound identity"] = int(current_run() is not None)
    await bridge.aclose()
    logging.disable(logging.NOTSET)
    return {name: number for name, number in left.items() if number}


def main(count: int) -> int:
    """Run the tasks and print what is left."""
    left = asyncio.run(leftovers(InMemoryTaskStore(), count))
    return say(f"{count} tasks, left behind: {left or 'nothing'}") + bool(left)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
