"""One run and its events: submitted, working, and exactly one end, whoever asks for it first."""

from __future__ import annotations

import asyncio

from a2a.server.events import EventQueue
from a2a.types import (
    Artifact,
    Message,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from protocolarc.bridge.cancellation import CancellationToken
from protocolarc.bridge.codes import Outcome
from protocolarc.bridge.resolution import Caller
from protocolarc.bridge.runner import RunResult
from protocolarc.bridge.statuses import end_status, status
from protocolarc.bridge.store import BoundTaskStore, StoreUnavailableError


class Run:
    """An active task: whose it is, its token, and the only way to its event queue.

    The lock makes an end whole: whoever comes second finds the first one's events in the queue, none missing.
    """

    __slots__ = (
        "_caller",
        "_context_id",
        "_lock",
        "_opened",
        "_queue",
        "_store",
        "_task_id",
        "_unsaid",
        "closed",
        "returned",
        "token",
    )

    def __init__(
        self, caller: Caller, task_id: str, context_id: str, queue: EventQueue, store: BoundTaskStore | None
    ) -> None:
        self.token = CancellationToken()
        self.closed = False
        self.returned: asyncio.Future[RunResult | None] = asyncio.get_running_loop().create_future()
        self._task_id = task_id
        self._context_id = context_id
        self._queue = queue
        self._caller = caller
        self._store = store
        self._lock = asyncio.Lock()
        self._unsaid: Task | None = None
        self._opened = False

    @property
    def owner(self) -> str:
        """Whose task it is."""
        return self._caller.owner

    async def open(self, message: Message | None) -> None:
        """Store the task. A message that is given becomes its history.

        Raises:
            StoreUnavailableError: it could not be stored, and nothing will be said.
        """
        async with self._lock:
            await self._open(message)

    async def announce(self) -> None:
        """Say that the task, which has been stored, is there and under way; of one that has ended that was said."""
        async with self._lock:
            await self._announce()

    async def close(self, outcome: Outcome, artifact: Artifact | None = None, detail: str = "") -> None:
        """Say how the task ends, the artifact first. An end that it has already stands."""
        async with self._lock:
            if self.closed:
                return
            self.closed = True
            await self._open(None)
            await self._announce()
            if artifact is not None:
                await self._queue.enqueue_event(
                    TaskArtifactUpdateEvent(
                        task_id=self._task_id, context_id=self._context_id, artifact=artifact, last_chunk=True
                    )
                )
            await self._status(end_status(outcome, self._task_id, self._context_id, detail))

    def settle(self, result: RunResult | None) -> None:
        """Hand over what the runner returned, or wait for it no longer. The first word stays."""
        if not self.returned.done():
            self.returned.set_result(result)

    def resume(self) -> None:
        """Take over a task that is stored already, so that it only has to be ended."""
        self._opened = True

    async def _open(self, message: Message | None) -> None:
        if self._opened:
            return
        submitted = Task(id=self._task_id, context_id=self._context_id, status=status(TaskState.TASK_STATE_SUBMITTED))
        if message is not None:
            submitted.history.append(message)
        if self._store is not None and self._caller.principal is not None:  # what nobody sends is not stored
            stored = Task()
            stored.CopyFrom(submitted)
            stored.status.CopyFrom(status(TaskState.TASK_STATE_WORKING))
            try:
                await self._store.begin(stored, self._caller)
            except StoreUnavailableError:
                self.closed = True  # the SDK tells the caller, and whoever would end the run finds none
                raise
        self._unsaid = submitted
        self._opened = True  # not before: what comes later has to follow the task

    async def _announce(self) -> None:
        submitted, self._unsaid = self._unsaid, None
        if submitted is not None:
            await self._queue.enqueue_event(submitted)
            await self._status(status(TaskState.TASK_STATE_WORKING))

    async def _status(self, now: TaskStatus) -> None:
        event = TaskStatusUpdateEvent(task_id=self._task_id, context_id=self._context_id, status=now)
        await self._queue.enqueue_event(event)
