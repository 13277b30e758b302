"""The request handler: the SDK's own, with the caller authorised first and no internal text let out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, aclosing, contextmanager

from a2a.server.cluster.task_store import ConcurrentTaskModificationError
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.events.event_queue import QueueShutDown  # type: ignore[attr-defined]  # by Python's version its own
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    ListTasksResponse,
    Message,
    SendMessageRequest,
    SubscribeToTaskRequest,
    Task,
    TaskState,
)
from a2a.utils.errors import (
    A2AError,
    InternalError,
    InvalidParamsError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from protocolarc.bridge import codes
from protocolarc.bridge.executor import BridgeExecutor
from protocolarc.bridge.judgement import judgement_of
from protocolarc.bridge.locks import TaskLocks
from protocolarc.bridge.nesting import fits
from protocolarc.bridge.resolution import Resolver
from protocolarc.bridge.statuses import end_status
from protocolarc.bridge.store import TERMINAL, BoundTaskStore, StoreUnavailableError
from protocolarc.bridge.strays import Strays

MAX_CONTEXT_ID = 36
"""Characters of a context id: the width of its column in the SDK's database store."""

STORE_TIMEOUT_SECONDS = 10.0
"""How long a shutdown waits for the store to take the last states, and a cancellation for its one."""

_log = logging.getLogger(__name__)


class BridgeRequestHandler(DefaultRequestHandler):
    """Serves one agent. Every method asks the one resolver who calls, before it does anything else."""

    def __init__(
        self,
        executor: BridgeExecutor,
        store: BoundTaskStore,
        card: AgentCard,
        resolver: Resolver,
        *,
        judged_only: bool,
    ) -> None:
        super().__init__(agent_executor=executor, task_store=store, agent_card=card)
        self._executor = executor
        self._bound = store
        self._resolver = resolver
        self._judged_only = judged_only
        self._cancelling = TaskLocks()
        self._strays = Strays(self._active_task_registry, self._at_work)
        store.on_failure = self._strays.suspect
        self._sending = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def on_message_send(self, params: SendMessageRequest, context: ServerCallContext) -> Message | Task:
        """Answer a message with its task, at its end or, when asked to, at once.

        Raises:
            A2AError: as the SDK documents, with fixed texts.
        """
        with self._public_errors("SendMessage", params.message.task_id), self._send():
            await self._before_sending(params, context)
            answer: Message | Task = await super().on_message_send(params, context)
            return answer

    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Answer a message with the events of its task.

        Raises:
            A2AError: as the SDK documents, with fixed texts.
        """
        with self._public_errors("SendStreamingMessage", params.message.task_id):
            async with AsyncExitStack() as stack:
                with self._send():
                    await self._before_sending(params, context)
                    events = await stack.enter_async_context(aclosing(super().on_message_send_stream(params, context)))
                    first = await anext(events, None)
                if first is not None:
                    yield first
                async for event in events:
                    yield event

    async def on_get_task(self, params: GetTaskRequest, context: ServerCallContext) -> Task | None:
        """Return a task of the caller.

        Raises:
            TaskNotFoundError: it is not there, or not the caller's.
        """
        with self._public_errors("GetTask"):
            task: Task | None = await super().on_get_task(params, context)
            return task

    async def on_list_tasks(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller."""
        with self._public_errors("ListTasks"):
            page: ListTasksResponse = await super().on_list_tasks(params, context)
            return page

    async def on_cancel_task(self, params: CancelTaskRequest, context: ServerCallContext) -> Task | None:
        """Cancel a task of the caller.

        Raises:
            TaskNotFoundError: it is not there, or not the caller's.
            TaskNotCancelableError: it has ended, or ended first.
        """
        with self._public_errors("CancelTask", params.id):
            await self._authorise(params.id, context)
            try:
                async with asyncio.timeout(STORE_TIMEOUT_SECONDS):
                    task = await self._cancel(params, context)
            except TimeoutError:
                _log.error("task %s: its cancellation was not stored in time", params.id)
                raise StoreUnavailableError from None
            if task is not None and task.status.state != TaskState.TASK_STATE_CANCELED:
                raise TaskNotCancelableError
            return task

    async def on_subscribe_to_task(
        self, params: SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Follow a task of the caller. One that no run of this process is behind ends after its snapshot.

        Raises:
            TaskNotFoundError: it is not there, or not the caller's.
            UnsupportedOperationError: it has ended.
        """
        with self._public_errors("SubscribeToTask", params.id):
            await self._authorise(params.id, context)
            orphan = await self._orphan(params.id, context)
            if orphan is not None:
                yield orphan
                return
            async with aclosing(super().on_subscribe_to_task(params, context)) as events:
                async for event in events:
                    if isinstance(event, Task) and not self._at_work(params.id):
                        # What follows is the end, or nothing: then that ends, too.
                        self._strays.suspect(params.id)
                    yield event

    async def aclose(self) -> None:
        """End every run as interrupted, wait until that is stored, and close. No more requests are taken."""
        await self._executor.interrupt()
        try:
            async with asyncio.timeout(STORE_TIMEOUT_SECONDS):
                await self._quiet.wait()  # what was on its way has a task now, ended as interrupted, or was refused
                await self._bound.finished()
        except TimeoutError:
            _log.error("the store did not take the last states in time; reconcile it")
        await self._strays.aclose()
        await super().aclose()

    async def _authorise(self, task_id: str, context: ServerCallContext) -> None:
        """Refuse a running task of another owner before the SDK can touch it; of a stored one the store will."""
        caller = await self._resolver.caller(context)
        owner = self._bound.owner_of(task_id)
        if owner is not None and owner != caller.owner:
            await self._bound.get(task_id, context)  # as for an unknown id, so that an outage tells them not apart
            raise TaskNotFoundError

    async def _cancel(self, params: CancelTaskRequest, context: ServerCallContext) -> Task | None:
        # One at a time: a second one would cancel the SDK's producer while it closes the streams, and they hang.
        async with self._cancelling.of(params.id):
            await self._bound.at_rest(params.id)  # a run whose first write fails is none, and must not be cancelled
            orphan = await self._orphan(params.id, context)
            if orphan is None:
                task: Task | None = await super().on_cancel_task(params, context)
                return task
            orphan.status.CopyFrom(end_status(codes.CANCELLED, orphan.id, orphan.context_id))
            await self._bound.save(orphan, context)
            return orphan

    @contextmanager
    def _send(self) -> Iterator[None]:
        """Let a shutdown wait for what is on its way: a message until it is answered, a stream until it begins."""
        self._sending += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._sending -= 1
            if not self._sending:
                self._quiet.set()

    async def _before_sending(self, params: SendMessageRequest, context: ServerCallContext) -> None:
        await self._resolver.caller(context)
        if self._judged_only and judgement_of(context) is None:
            _log.error("a message came past the contract gate: use the routes of the bridge")
            raise InternalError
        if len(params.message.context_id) > MAX_CONTEXT_ID:
            raise InvalidParamsError(f"contextId has more than {MAX_CONTEXT_ID} characters")
        if not fits(message=params.message):
            raise InvalidParamsError("The message is nested too deeply")
        if params.message.task_id and await self._orphan(params.message.task_id, context) is not None:
            raise UnsupportedOperationError("The task takes no further message")
        if self._executor.interrupted:  # looked at last, since then a shutdown waits for the answer
            raise InternalError("The agent is shutting down")

    async def _orphan(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task that is stored as active while no run of this process is behind it."""
        if self._bound.owner_of(task_id) is not None:
            return None
        task = await self._bound.get(task_id, context)
        return None if task is None or task.status.state in TERMINAL else task

    def _at_work(self, task_id: str) -> bool:
        return self._executor.holds(task_id) or self._bound.owner_of(task_id) is not None

    @contextmanager
    def _public_errors(self, method: str, task_id: str = "") -> Iterator[None]:
        """Let out what the protocol defines, and of anything else only that it happened."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  # its text must not reach the caller
            self._strays.suspect(task_id)
            raise _public(error, method, task_id) from None


def _public(error: Exception, method: str, task_id: str) -> A2AError:
    match error:
        case ConcurrentTaskModificationError():
            return TaskNotCancelableError()
        case StoreUnavailableError():
            return InternalError(error.message)
        case A2AError():
            return error
        case QueueShutDown() if task_id:
            return UnsupportedOperationError("The task has just ended")
    _log.error("%s failed", method, exc_info=error)
    return InternalError()
