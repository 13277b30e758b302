"""A lock per task, for as long as anybody holds it or waits for it."""

from __future__ import annotations

import asyncio
import weakref


class TaskLocks:
    """Locks by the id of a task. Nothing is left of one that nobody uses."""

    def __init__(self) -> None:
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    def of(self, task_id: str) -> asyncio.Lock:
        """Return the lock of a task; it lives as long as the reference."""
        return self._locks.setdefault(task_id, asyncio.Lock())
