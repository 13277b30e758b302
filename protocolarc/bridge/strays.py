"""Tasks that are over and that the SDK would hold on to until the process ends, and how it lets go of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from a2a.server.agent_execution.active_task import ActiveTask
from a2a.server.agent_execution.active_task_registry import ActiveTaskRegistry

PATIENCE_SECONDS = 10.0
"""How long a task has to be over before the SDK's entry of it is closed: this long its events can still be read."""

_log = logging.getLogger(__name__)


class Strays:
    """Looks after the SDK's entries of tasks that met a fault, and closes each when its task is over.

    Without that some stay. The SDK's consumer dies of a failing store while a further message waits: the producer waits
    for the consumer to let it go on, and the consumer for the producer to end. A second cancellation, after a first one
    that failed, interrupts the closing of the queues, and the consumer waits for more. A subscription that comes while
    the queues close is counted and never counted off. And one that does not start, because its task has just ended, is
    taken out with its queues at work.
    """

    def __init__(self, registry: ActiveTaskRegistry, at_work: Callable[[str], bool]) -> None:
        self._entries = registry._active_tasks  # noqa: SLF001  # the SDK lets nobody take one out
        self._at_work = at_work
        self._watched: dict[ActiveTask, asyncio.Task[None]] = {}

    def suspect(self, task_id: str) -> None:
        """Look after the entry that a task has now, until it is closed."""
        entry = self._entries.get(task_id)
        if entry is not None and entry not in self._watched:
            self._watched[entry] = asyncio.create_task(self._watch(task_id, entry))

    async def aclose(self) -> None:
        """Look after nothing any more: the SDK closes all that it holds."""
        watches = list(self._watched.values())
        for watch in watches:
            watch.cancel()
        await asyncio.gather(*watches, return_exceptions=True)

    async def _watch(self, task_id: str, entry: ActiveTask) -> None:
        try:
            over = False
            while not over and task_id in self._entries:  # one that the SDK has taken out has no readers
                over = not self._at_work(task_id)
                await asyncio.sleep(PATIENCE_SECONDS)
            await entry.aclose()
            entry._task_created.set()  # noqa: SLF001  # whoever waits for its beginning learns that there is none
            if self._entries.get(task_id) is entry:
                _log.warning("task %s: it was over, and the SDK still held it", task_id)
                del self._entries[task_id]
        finally:
            del self._watched[entry]
