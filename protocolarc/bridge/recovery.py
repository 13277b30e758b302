"""Closing the tasks that a process left active when it was killed."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime, timedelta

from a2a.server.tasks import InMemoryTaskStore, TaskStore
from a2a.types import ListTasksRequest, Task, TaskState

from protocolarc.bridge import codes
from protocolarc.bridge.identity import Principal
from protocolarc.bridge.locks import TaskLocks
from protocolarc.bridge.ownership import marked, owner_context
from protocolarc.bridge.statuses import end_status
from protocolarc.bridge.store import TERMINAL, BoundTaskStore

_log = logging.getLogger(__name__)

ACTIVE = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)


async def close_left(store: TaskStore, owners: Iterable[Principal] | None, older_than: timedelta) -> tuple[str, ...]:
    """End as interrupted what is stored as active, and return the ids. A second time there is nothing to do."""
    bound = store if isinstance(store, BoundTaskStore) else None
    locks, store = (TaskLocks(), store) if bound is None else (bound.locks, bound.inner)
    found = _of_owners(store, owners) if owners is not None else _of_store(store)
    before = datetime.now(UTC) - older_than
    closed: list[str] = []
    for owner, task_id in [item async for item in found]:
        try:
            async with locks.of(task_id):
                task = await store.get(task_id, owner_context(owner))
                if task is None or task.status.state in TERMINAL or not _is_older(task, before):
                    continue
                by = marked(task)
                if by is None or (owners is not None and by != owner):  # another program's, or one partition for all
                    continue
                if bound is not None and bound.owner_of(task_id) is not None:
                    continue
                task.status.CopyFrom(end_status(codes.INTERRUPTED, task.id, task.context_id))
                await store.save(task, owner_context(owner))
        except Exception:  # noqa: BLE001  # one task that cannot be read or written keeps no other one open
            _log.exception("task %s: it could not be ended", task_id)
            continue
        closed.append(task_id)
    return tuple(closed)


def _is_older(task: Task, before: datetime) -> bool:
    return not task.status.HasField("timestamp") or task.status.timestamp.ToDatetime(UTC) <= before


async def _of_owners(store: TaskStore, owners: Iterable[Principal]) -> AsyncIterator[tuple[str, str]]:
    """Yield owner and id of the active tasks of some owners, by the store's own listing."""
    for owner in dict.fromkeys(principal.owner for principal in owners):
        for state in ACTIVE:
            request = ListTasksRequest(status=state, page_size=100)
            while True:
                page = await store.list(request, owner_context(owner))
                for task in page.tasks:
                    yield owner, task.id
                if not page.next_page_token:
                    break
                request.page_token = page.next_page_token


async def _of_store(store: TaskStore) -> AsyncIterator[tuple[str, str]]:
    """Yield owner and id of every active task of a store that the SDK ships.

    Raises:
        TypeError: it is another one, which only lists by owner.
    """
    if isinstance(store, InMemoryTaskStore):
        kept = store._impl.tasks  # noqa: SLF001  # the SDK has no other way to see the owners
        for owner, task_id in [(owner, task_id) for owner, tasks in kept.items() for task_id in tasks]:
            yield owner, task_id
        return
    try:
        from a2a.server.tasks.database_task_store import DatabaseTaskStore  # noqa: PLC0415  # needs SQLAlchemy
        from sqlalchemy import select  # noqa: PLC0415  # the same
    except ImportError:
        raise TypeError(f"{type(store).__name__} lists tasks by owner only; say owners=") from None
    if not isinstance(store, DatabaseTaskStore):
        raise TypeError(f"{type(store).__name__} lists tasks by owner only; say owners=")
    await store.initialize()
    model = store.task_model
    names = [TaskState.Name(state) for state in ACTIVE]
    query = select(model.owner, model.id).where(model.status["state"].as_string().in_(names)).order_by(model.id)
    async with store.async_session_maker() as session:
        rows = (await session.execute(query)).all()
    for owner, task_id in rows:
        yield owner, task_id
