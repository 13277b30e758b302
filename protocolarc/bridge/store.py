"""The task store, bound to owners: around the deployment's own store, which keeps its partitions and its database."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable

from a2a.server.cluster.task_store import ConcurrentTaskModificationError
from a2a.server.context import ServerCallContext
from a2a.server.tasks import TaskStore
from a2a.types import ListTasksRequest, ListTasksResponse, Task, TaskState
from a2a.utils.constants import DEFAULT_LIST_TASKS_PAGE_SIZE
from a2a.utils.errors import InternalError, InvalidParamsError

from protocolarc.bridge.locks import TaskLocks
from protocolarc.bridge.ownership import keeps_owners_apart, mark, owner_context, unmark
from protocolarc.bridge.resolution import Caller, Resolver
from protocolarc.bridge.statuses import explain_end

TERMINAL = frozenset(
    {
        TaskState.TASK_STATE_COMPLETED,
        TaskState.TASK_STATE_CANCELED,
        TaskState.TASK_STATE_FAILED,
        TaskState.TASK_STATE_REJECTED,
    }
)
_log = logging.getLogger(__name__)


class StoreUnavailableError(InternalError):
    """The store failed. The text is all that a caller learns; the reason goes to the log."""

    message = "task store unavailable"


class _Live:
    """A task that a run of this process is behind, from before its first write to its last one."""

    __slots__ = ("finished", "owner")

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.finished = asyncio.Event()


_claims: weakref.WeakValueDictionary[int, BoundTaskStore] = weakref.WeakValueDictionary()
"""Which store serves a bridge, by the identity of what is behind it: not every store can be a key."""


class BoundTaskStore(TaskStore):
    """Separates callers by tenant and subject, whatever the store behind it does.

    A task of another owner is not there; an end is never overwritten; nobody's tasks are not stored at all. Texts
    of the store reach no caller. A task costs one read and two writes: its beginning, before anything is said of it,
    and its end together with the artifact. What the SDK would write in between says nothing new.
    """

    def __init__(self, store: TaskStore, resolver: Resolver) -> None:
        self.inner = store
        self.resolver = resolver
        self._live: dict[str, _Live] = {}
        self.locks = TaskLocks()
        self.on_failure: Callable[[str], None] = lambda _: None
        """Is told the id of a task that the store behind failed to read or to save."""

    def claim(self) -> None:
        """Take the store behind for one bridge: with two, each would take the other's runs for dead ones.

        Raises:
            ValueError: it serves another one that has not been closed.
        """
        if _claims.setdefault(id(self.inner), self) is not self:
            raise ValueError("the task store serves another bridge; give every agent a store and a table of its own")

    def release(self) -> None:
        """Give the store behind free: the bridge is closed."""
        if _claims.get(id(self.inner)) is self:
            del _claims[id(self.inner)]

    async def begin(self, task: Task, caller: Caller) -> None:
        """Store a new task, before anything is said of it. Without it a task has to be there to be written.

        To the request that it belongs to it stays absent until the SDK writes it, too, which takes it for new.

        Raises:
            StoreUnavailableError: the store failed, and nothing of this task will be written.
        """
        async with self.locks.of(task.id):
            self._live[task.id] = _Live(caller.owner)
            try:
                await self._write(task, caller.owner)
            except StoreUnavailableError:
                caller.lost.add(task.id)
                raise

    async def at_rest(self, task_id: str) -> None:
        """Wait until no write of a task is on its way."""
        async with self.locks.of(task_id):
            pass

    def forget(self, task_id: str) -> None:
        """Take back that a run is behind a task: it is gone without an end."""
        live = self._live.pop(task_id, None)
        if live is not None:
            live.finished.set()

    def owner_of(self, task_id: str) -> str | None:
        """Return the owner of a task that a run of this process is behind, else nothing."""
        live = self._live.get(task_id)
        return None if live is None else live.owner

    @property
    def live(self) -> frozenset[str]:
        """The tasks that runs of this process are behind."""
        return frozenset(self._live)

    async def finished(self) -> None:
        """Wait until the end of every live task is stored, or could not be."""
        for live in list(self._live.values()):
            await live.finished.wait()

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Store a task of the caller.

        Raises:
            StoreUnavailableError: the store failed.
            InternalError: the task is not the caller's.
            ConcurrentTaskModificationError: the task has ended, and says otherwise.
        """
        caller = await self.resolver.caller(context)
        if caller.principal is None or task.id in caller.lost:
            return
        explain_end(task)
        async with self.locks.of(task.id):
            await self._save(task, caller.owner)
        caller.absent.discard(task.id)

    async def _save(self, task: Task, owner: str) -> None:
        live = self._live.get(task.id)
        if live is None:
            stored = await self._read(task.id, owner)
            if stored is None:
                _log.error("task %s: a write by one who does not own it was refused", task.id)
                raise InternalError
            if stored.status.state in TERMINAL:
                raise ConcurrentTaskModificationError(task.id)
        elif live.owner != owner:
            _log.error("task %s: a write by one who does not own it was refused", task.id)
            raise InternalError
        elif task.status.state not in TERMINAL:
            return
        await self._write(task, owner)

    async def _write(self, task: Task, owner: str) -> None:
        try:
            kept = mark(task, owner)
            if task.status.state != TaskState.TASK_STATE_COMPLETED:
                kept.ClearField("artifacts")
            await self.inner.save(kept, owner_context(owner))
        except Exception:  # noqa: BLE001  # its text must not reach the caller
            _log.exception("task %s: the store failed to save", task.id)
            self.forget(task.id)
            self.on_failure(task.id)
            raise StoreUnavailableError from None
        if task.status.state in TERMINAL:
            self.forget(task.id)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task of the caller; of any other owner it is not there.

        Raises:
            StoreUnavailableError: the store failed.
        """
        caller = await self.resolver.caller(context)
        if caller.principal is None or task_id in caller.absent:
            return None
        task = await self._read(task_id, caller.owner)
        if task is None:
            caller.absent.add(task_id)
        return task

    async def _read(self, task_id: str, owner: str) -> Task | None:
        try:
            task = await self.inner.get(task_id, owner_context(owner))
            return None if task is None else unmark(task, owner)
        except Exception:  # noqa: BLE001  # its text must not reach the caller
            _log.exception("task %s: the store failed to read", task_id)
            self.on_failure(task_id)
            raise StoreUnavailableError from None

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return tasks of the caller.

        Raises:
            InvalidParamsError: the page token is none.
            StoreUnavailableError: the store failed.
        """
        caller = await self.resolver.caller(context)
        if caller.principal is None:
            return ListTasksResponse(page_size=params.page_size or DEFAULT_LIST_TASKS_PAGE_SIZE)
        try:
            page = await self.inner.list(params, owner_context(caller.owner))
            tasks = [own for task in page.tasks if (own := unmark(task, caller.owner)) is not None]
        except InvalidParamsError:
            raise InvalidParamsError("Invalid page token") from None
        except Exception:  # noqa: BLE001  # its text must not reach the caller
            _log.exception("the store failed to list")
            raise StoreUnavailableError from None
        known = keeps_owners_apart(self.inner)
        whole = len(tasks) == len(page.tasks)  # else there is one partition for all, and its cursors speak of others
        return ListTasksResponse(
            tasks=tasks,
            total_size=page.total_size if known and whole else len(tasks),
            page_size=page.page_size,
            next_page_token=page.next_page_token if whole else "",
        )

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Delete a task of the caller; any other one stays.

        Raises:
            StoreUnavailableError: the store failed.
        """
        caller = await self.resolver.caller(context)
        if await self._read(task_id, caller.owner) is None:
            return
        try:
            await self.inner.delete(task_id, owner_context(caller.owner))
        except Exception:  # noqa: BLE001  # its text must not reach the caller
            _log.exception("task %s: the store failed to delete", task_id)
            raise StoreUnavailableError from None
