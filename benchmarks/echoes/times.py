"""The time that tasks take beside the agent's own work, and what the garbage collector does meanwhile."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from time import perf_counter, thread_time
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]
CLOCKS: dict[bool, Clock] = {False: thread_time, True: perf_counter}
"""By whether it is the clock on the wall."""

SPREAD = 0.3
"""How far the work of a task may be from the middle. All alike, the end of one task would always meet the start of the
same later one, in step with each other through the whole round."""


@dataclass
class Times:
    """Seconds of every task: of the agent's own work, inside ``execute()``, waiting for the store, of the request."""

    clock: Clock
    work: dict[str, float] = field(default_factory=dict)
    inside: dict[str, float] = field(default_factory=dict)
    stored: dict[str, float] = field(default_factory=dict)
    whole: dict[str, float] = field(default_factory=dict)
    random: Random = field(default_factory=lambda: Random(1))

    async def pause(self, task: str, seconds: float) -> None:
        """Do the agent's work, of about so many seconds: the same ones in every round of both agents."""
        begun = self.clock()
        await asyncio.sleep(seconds * self.random.uniform(1 - SPREAD, 1 + SPREAD))
        self.work[task] = self.clock() - begun

    def rows(self) -> dict[str, list[float]]:
        """Return milliseconds that were not the agent's own work."""
        return {
            "inside execute()": [(spent - self.work[task]) * 1000 for task, spent in self.inside.items()],
            "without the store": [
                (spent - self.work[task] - self.stored.get(task, 0.0)) * 1000 for task, spent in self.inside.items()
            ],
            "whole request": [(spent - self.work[task]) * 1000 for task, spent in self.whole.items()],
        }


@dataclass
class Pauses:
    """What the collector did in a round: its runs by generation, their seconds, and the objects at the beginning."""

    tracked: int = 0
    runs: list[int] = field(default_factory=lambda: [0, 0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])


@contextmanager
def collected(*, on: bool) -> Iterator[Pauses]:
    """Begin a round without anything of the one before, and watch the collector, or hold it off."""
    gc.collect()
    found = Pauses(len(gc.get_objects()))
    begun = 0.0

    def watch(phase: str, info: dict[str, int]) -> None:
        nonlocal begun
        if phase == "start":
            begun = perf_counter()
            return
        found.runs[info["generation"]] += 1
        found.seconds[info["generation"]] += perf_counter() - begun

    if not on:
        gc.disable()
    gc.callbacks.append(watch)
    try:
        yield found
    finally:
        gc.callbacks.remove(watch)
        gc.enable()
