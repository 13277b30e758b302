"""Cancel at every moment around the end of a run: ``python -m tests.bridge.race 1000``.

A moment is a step of the event loop: the canceller waits until the run ends, goes so many steps on, and cancels. What
the canceller was told, what is stored and what a subscriber saw last have to agree.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from contextlib import aclosing

from a2a.server.tasks import InMemoryTaskStore, TaskStore
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    SendMessageRequest,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import TaskNotCancelableError

from protocolarc.bridge import RunResult, RunState, a2a_bridge
from protocolarc.bridge.wiring import Bridge
from tests.bridge.runners import Call, Runner
from tests.bridge.scene import DEFINITION, as_caller, bearer
from tests.bridge.wire import card, said, within

STEPS = 60
"""Steps from before the run ends to long after its task is stored."""
TERMINAL = {
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_CANCELED,
    TaskState.TASK_STATE_REJECTED,
}


class Ending:
    """A run that ends at the word of the test, and listens to a cancellation or not."""

    def __init__(self, *, obedient: bool) -> None:
        self.obedient = obedient
        self.end = asyncio.Event()

    async def __call__(self, call: Call) -> RunResult:
        if not self.obedient:
            await self.end.wait()
            return RunResult(RunState.COMPLETED, call.text)
        waiting = {asyncio.ensure_future(self.end.wait()), asyncio.ensure_future(call.cancellation.wait())}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for waiter in waiting:
                waiter.cancel()
        if call.cancellation.cancelled and not self.end.is_set():
            return RunResult(RunState.CANCELLED, None)
        return RunResult(RunState.COMPLETED, call.text)


async def steps(count: int) -> None:
    """Let everything that is ready go on so often."""
    for _ in range(count):
        await asyncio.sleep(0)


async def race(store: TaskStore, moment: int, *, obedient: bool) -> tuple[str, list[str]]:
    """Run one race; return who won and what does not agree. A negative moment cancels before the run ends."""
    ending = Ending(obedient=obedient)
    runner = Runner(ending)
    bridge = a2a_bridge(runner, DEFINITION, card("http://127.0.0.1"), store, resolve=bearer)
    ids: asyncio.Queue[str] = asyncio.Queue()
    events: list[object] = []

    async def watch() -> None:
        request = SendMessageRequest(message=said("hello"))
        async with aclosing(bridge.handler.on_message_send_stream(request, as_caller())) as stream:
            async for event in stream:
                events.append(event)
                if isinstance(event, Task):
                    ids.put_nowait(event.id)

    async def cancel(task: str) -> Task | None:
        try:
            return await bridge.handler.on_cancel_task(CancelTaskRequest(id=task), as_caller())
        except TaskNotCancelableError:
            return None

    watching = asyncio.create_task(watch())
    task = await within(ids.get(), "the task")
    await within(runner.started.acquire(), "the run")
    if moment < 0:
        cancelling = asyncio.create_task(cancel(task))
        await steps(-moment)
        ending.end.set()
    else:
        ending.end.set()
        await steps(moment)
        cancelling = asyncio.create_task(cancel(task))
    returned = await within(cancelling, f"the answer to a cancellation at moment {moment}")
    await within(watching, f"the end of the stream after a cancellation at moment {moment}")
    stored = await bridge.handler.on_get_task(GetTaskRequest(id=task), as_caller())
    await bridge.aclose()
    assert stored is not None
    return TaskState.Name(stored.status.state), list(disagreements(returned, stored, events, bridge))


def disagreements(returned: Task | None, stored: Task, events: list[object], bridge: Bridge) -> list[str]:
    """Return what does not agree after a race."""
    found = []
    ends = [
        event.status.state
        for event in events
        if isinstance(event, TaskStatusUpdateEvent | Task) and event.status.state in TERMINAL
    ]
    artifacts = [event for event in events if isinstance(event, TaskArtifactUpdateEvent)]
    completed = stored.status.state == TaskState.TASK_STATE_COMPLETED
    cancelled = stored.status.state == TaskState.TASK_STATE_CANCELED
    if ends != [stored.status.state]:
        found.append(f"stored {stored.status.state}, sent {ends}")
    if (returned is not None) != cancelled:
        found.append(f"stored {stored.status.state}, the canceller was told {returned is not None}")
    if returned is not None and returned.status.state != stored.status.state:
        found.append(f"stored {stored.status.state}, returned {returned.status.state}")
    if bool(artifacts) != completed or bool(stored.artifacts) != completed:
        found.append(f"stored {stored.status.state} with {len(stored.artifacts)} artifacts, sent {len(artifacts)}")
    if not completed and not cancelled:
        found.append(f"ended {stored.status.state}")
    return found


async def races(store: TaskStore, count: int) -> tuple[Counter[str], list[str]]:
    """Run so many races over all moments, with runners that obey and that do not; return winners and disagreements."""
    winners: Counter[str] = Counter()
    found: list[str] = []
    for number in range(count):
        moment = number // 2 % (2 * STEPS) - STEPS // 2
        winner, wrong = await race(store, moment, obedient=number % 2 == 0)
        winners[winner] += 1
        found += [f"moment {moment}: {line}" for line in wrong]
    return winners, found


def main(count: int) -> int:
    """Run the races and print who won."""
    winners, found = asyncio.run(races(InMemoryTaskStore(), count))
    print(f"{count} races, {len(found)} inconsistent; {dict(winners)}")
    print("\n".join(found[:20]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
