"""Cancel at every moment around the end of a run: ``python -m tests.bridge.race 1000``.

What the canceller was told, what is stored and what a subscriber saw last have to agree. A moment is a step of the
event loop, or a call of the store with its beginning and its end, where a store takes many steps: one side goes first,
and the other follows at the moment.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import NamedTuple

from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore, TaskStore
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    ListTasksResponse,
    SendMessageRequest,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import TaskNotCancelableError

from protocolarc.bridge import RunResult, RunState, a2a_bridge
from tests.bridge.runners import Call, Runner
from tests.bridge.scene import DEFINITION, as_caller, bearer
from tests.bridge.wire import card, said, say, steps, within

STEPS = 60
"""More steps than either side needs with a store in memory."""
MARKS = 9
"""More beginnings and ends of store calls than either side needs."""
TERMINAL = {
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_CANCELED,
    TaskState.TASK_STATE_REJECTED,
}


@dataclass
class Marked(TaskStore):
    """A store around another one that tells when its calls begin and end."""

    inner: TaskStore
    passed: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def _mark(self) -> None:
        async with self.changed:
            self.passed += 1
            self.changed.notify_all()

    async def reach(self, mark: int) -> None:
        """Wait until so many beginnings and ends have passed."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.passed >= mark)

    async def save(self, task: Task, context: ServerCallContext) -> None:
        await self._mark()
        await self.inner.save(task, context)
        await self._mark()

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        await self._mark()
        found = await self.inner.get(task_id, context)
        await self._mark()
        return found

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        return await self.inner.list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        await self.inner.delete(task_id, context)


class Moment(NamedTuple):
    """When the second side follows the first: after so many steps of the loop, or marks of the store."""

    end_first: bool
    steps: int = 0
    marks: int = 0
    obedient: bool = False


def by_steps() -> Iterator[Moment]:
    """Yield every moment in steps."""
    for number in range(STEPS):
        for end_first in (True, False):
            for obedient in (True, False):
                yield Moment(end_first, steps=number, obedient=obedient)


def by_marks() -> Iterator[Moment]:
    """Yield every moment in calls of the store."""
    for number in range(MARKS):
        for end_first in (True, False):
            for obedient in (True, False):
                yield Moment(end_first, marks=number, obedient=obedient)


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


async def race(inner: TaskStore, moment: Moment) -> tuple[str, list[str]]:
    """Run one race; return who won and what does not agree."""
    ending = Ending(obedient=moment.obedient)
    runner = Runner(ending)
    store = Marked(inner)
    bridge = a2a_bridge(runner, DEFINITION, card("http://127.0.0.1"), store, resolve=bearer, gate=False)
    ids: asyncio.Queue[str] = asyncio.Queue()
    events: list[object] = []

    async def watch() -> None:
        request = SendMessageRequest(message=said("hello"))
        async with aclosing(bridge.handler.on_message_send_stream(request, as_caller())) as stream:
            async for event in stream:
                events.append(event)
                if isinstance(event, Task):
                    ids.put_nowait(event.id)

    async def cancel() -> Task | None:
        try:
            return await bridge.handler.on_cancel_task(CancelTaskRequest(id=task), as_caller())
        except TaskNotCancelableError:
            return None

    async def come(first: asyncio.Task[None] | asyncio.Task[Task | None]) -> None:
        if moment.marks:
            reached = asyncio.create_task(store.reach(begun + moment.marks))
            await asyncio.wait((reached, first), return_when=asyncio.FIRST_COMPLETED)
            reached.cancel()
        await steps(moment.steps)

    watching = asyncio.create_task(watch())
    task = await within(ids.get(), "the task")
    await within(runner.started.acquire(), "the run")
    begun = store.passed
    if moment.end_first:
        ending.end.set()
        await come(watching)
        cancelling = asyncio.create_task(cancel())
    else:
        cancelling = asyncio.create_task(cancel())
        await come(cancelling)
        ending.end.set()
    returned = await within(cancelling, f"the answer to a cancellation, {moment},")
    await within(watching, f"the end of the stream after a cancellation, {moment},")
    stored = await bridge.handler.on_get_task(GetTaskRequest(id=task), as_caller())
    await bridge.aclose()
    assert stored is not None
    return TaskState.Name(stored.status.state), list(disagreements(returned, stored, events))


def disagreements(returned: Task | None, stored: Task, events: list[object]) -> Iterator[str]:
    """Yield what does not agree after a race."""
    state = stored.status.state
    sent = [
        event.status.state
        for event in events
        if isinstance(event, TaskStatusUpdateEvent | Task) and event.status.state in TERMINAL
    ]
    artifacts = sum(isinstance(event, TaskArtifactUpdateEvent) for event in events)
    completed = state == TaskState.TASK_STATE_COMPLETED
    cancelled = state == TaskState.TASK_STATE_CANCELED
    if not completed and not cancelled:
        yield f"ended {state}"
    if sent != [state]:
        yield f"stored {state}, sent {sent}"
    if (returned is not None) != cancelled:
        yield f"stored {state}, the canceller was told {returned is not None}"
    if returned is not None and returned.status.state != state:
        yield f"stored {state}, returned {returned.status.state}"
    if (len(stored.artifacts), artifacts) != (completed, completed):
        yield f"stored {state} with {len(stored.artifacts)} artifacts, sent {artifacts}"


async def races(store: TaskStore, moments: list[Moment], count: int) -> tuple[Counter[str], list[str]]:
    """Run so many races, over the moments again and again; return the winners and what did not agree."""
    winners: Counter[str] = Counter()
    found: list[str] = []
    for number in range(count):
        moment = moments[number % len(moments)]
        winner, wrong = await race(store, moment)
        winners[winner] += 1
        found += [f"{moment}: {line}" for line in wrong]
    return winners, found


def main(count: int) -> int:
    """Run the races and print who won."""
    moments = [*by_steps(), *by_marks()]
    winners, found = asyncio.run(races(InMemoryTaskStore(), moments, count))
    say(f"{count} races at {len(moments)} moments, {len(found)} inconsistent; {dict(winners)}")
    return say(*found[:20]) + bool(found)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
