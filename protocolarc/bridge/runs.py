"""One run and its events: submitted, working, and exactly one end, whoever asks for it first."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from a2a.server.events import EventQueue
from a2a.types import (
    Artifact,
    Message,
    Part,
    Role,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from protocolarc.bridge.cancellation import CancellationToken
from protocolarc.bridge.codes import Outcome

Begin: TypeAlias = "Callable[[Task], Awaitable[None]]"
"""Stores a task that begins."""

METADATA_KEY = "protocolarc"
"""Where the metadata of a status message holds the code."""


class Run:
    """An active task: whose it is, its token, and the only way to its event queue.

    The lock makes an end whole: whoever comes second finds the first one's events in the queue, none missing.
    """

    def __init__(self, owner: str, task_id: str, context_id: str, queue: EventQueue, begin: Begin | None) -> None:
        self.owner = owner
        self.token = CancellationToken()
        self.closed = False
        self.abandoned: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task_id = task_id
        self._context_id = context_id
        self._queue = queue
        self._begin = begin
        self._lock = asyncio.Lock()
        self._opened = False

    async def open(self, message: Message | None) -> None:
        """Store the task, then say that it is there and under way. A message that is given becomes its history.

        Raises:
            StoreUnavailableError: it could not be stored, and nothing was said.
        """
        async with self._lock:
            await self._open(message)

    async def close(self, outcome: Outcome, artifact: Artifact | None = None, detail: str = "") -> None:
        """Say how the task ends, the artifact first. An end that it has already stands."""
        async with self._lock:
            if self.closed:
                return
            self.closed = True
            await self._open(None)
            if artifact is not None:
                await self._queue.enqueue_event(
                    TaskArtifactUpdateEvent(
                        task_id=self._task_id, context_id=self._context_id, artifact=artifact, last_chunk=True
                    )
                )
            await self._status(end_status(outcome, self._task_id, self._context_id, detail))

    def abandon(self) -> None:
        """Wait no longer for the runner."""
        if not self.abandoned.done():
            self.abandoned.set_result(None)

    def resume(self) -> None:
        """Take over a task that is stored already, so that it only has to be ended."""
        self._opened = True

    async def _open(self, message: Message | None) -> None:
        if self._opened:
            return
        submitted = Task(id=self._task_id, context_id=self._context_id, status=status(TaskState.TASK_STATE_SUBMITTED))
        if message is not None:
            submitted.history.append(message)
        working = status(TaskState.TASK_STATE_WORKING)
        if self._begin is not None:
            stored = Task()
            stored.CopyFrom(submitted)
            stored.status.CopyFrom(working)
            await self._begin(stored)
        await self._queue.enqueue_event(submitted)
        self._opened = True  # not before: what comes later has to follow the task
        await self._status(working)

    async def _status(self, now: TaskStatus) -> None:
        event = TaskStatusUpdateEvent(task_id=self._task_id, context_id=self._context_id, status=now)
        await self._queue.enqueue_event(event)


def status(state: TaskState) -> TaskStatus:
    """Return a status that begins now."""
    made = TaskStatus(state=state)
    made.timestamp.GetCurrentTime()
    return made


def end_status(outcome: Outcome, task_id: str, context_id: str, detail: str = "") -> TaskStatus:
    """Return the last status of a task: its state, and for one without an answer the code and the fixed text."""
    made = status(TaskState.Value(outcome.end.value))
    if outcome.text:
        message = Message(
            message_id=str(uuid.uuid4()),
            task_id=task_id,
            context_id=context_id,
            role=Role.ROLE_AGENT,
            parts=[Part(text=outcome.text)],
        )
        message.metadata[METADATA_KEY] = {"code": outcome.code} | ({"detail": detail} if detail else {})
        made.message.CopyFrom(message)
    return made
