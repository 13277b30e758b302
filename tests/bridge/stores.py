"""The official stores, and one that fails where a test wants it to."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from a2a.server.context import ServerCallContext
from a2a.server.tasks import DatabaseTaskStore, InMemoryTaskStore, TaskStore
from a2a.types import ListTasksRequest, ListTasksResponse, Task
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine


class Kind(StrEnum):
    """Where tasks are kept. The database is SQLite, or the one that ``PROTOCOLARC_TEST_DATABASE`` names."""

    MEMORY = "memory"
    DATABASE = "database"


@asynccontextmanager
async def database(folder: Path) -> AsyncIterator[DatabaseTaskStore]:
    """Open the official database store of a folder: as an earlier process left it, or empty."""
    server = os.environ.get("PROTOCOLARC_TEST_DATABASE")
    if server is None:
        # One connection: SQLite lets one write at a time, and answers a second one that it is locked.
        place = f"sqlite+aiosqlite:///{folder / 'tasks.db'}"
        engine = create_async_engine(place, pool_size=1, max_overflow=0)
    else:
        schema = f"s{sha256(bytes(folder)).hexdigest()[:16]}"
        engine = create_async_engine(server, connect_args={"server_settings": {"search_path": schema}})
        async with engine.begin() as connection:
            await connection.execute(text(f"create schema if not exists {schema}"))
    try:
        store = DatabaseTaskStore(engine)
        await store.initialize()  # its first calls would all make the table, and PostgreSQL refuses all but one
        yield store
    finally:
        await engine.dispose()


@asynccontextmanager
async def opened(kind: Kind, folder: Path) -> AsyncIterator[TaskStore]:
    """Open an official store."""
    if kind is Kind.MEMORY:
        yield InMemoryTaskStore()
    else:
        async with database(folder) as store:
            yield store


async def everything(store: TaskStore) -> str:
    """Return all that a store holds of all owners, as text."""
    if isinstance(store, DatabaseTaskStore):
        async with store.engine.connect() as connection:
            rows = await connection.execute(text("select * from tasks"))
            return "\n".join(str(tuple(row)) for row in rows)
    assert isinstance(store, InMemoryTaskStore)
    return repr(store._impl.tasks)  # noqa: SLF001 - the store has no other way to see the tasks of all owners


class StoreDownError(Exception):
    """What a database driver says when it is gone; its text is nobody's business."""


@dataclass
class Failing(TaskStore):
    """A store around another one that fails at chosen calls, numbered from 1 in the order they come."""

    inner: TaskStore
    fails: Callable[[int, str], bool]
    secret: str = "postgresql://canary"
    calls: list[str] = field(default_factory=list)

    def _pass(self, name: str) -> None:
        self.calls.append(name)
        if self.fails(len(self.calls), name):
            raise StoreDownError(self.secret)

    async def save(self, task: Task, context: ServerCallContext) -> None:
        self._pass("save")
        await self.inner.save(task, context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        self._pass("get")
        return await self.inner.get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        self._pass("list")
        return await self.inner.list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        self._pass("delete")
        await self.inner.delete(task_id, context)
