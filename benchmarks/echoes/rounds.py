"""Rounds of both agents by turns, and the figures over them."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from starlette.types import ASGIApp

from echoes.agents import CONTRACT, bare, bridged
from echoes.load import load
from echoes.times import Clock, Pauses, Times, collected


class Load(NamedTuple):
    """How much is asked: tasks at once, starts a second, tasks of a round, and rounds."""

    active: int
    rate: float
    tasks: int
    rounds: int

    def times(self, more: int) -> Load:
        """Return one round of so many times as much of all."""
        return Load(self.active * more, self.rate * more, self.tasks * more, 1)


class Figures(NamedTuple):
    """The median over the rounds, in milliseconds: the bare agent's, the bridge's, and what is added."""

    bare: tuple[float, float]
    bridge: tuple[float, float]
    added: tuple[float, float]
    """Each at the median and at the 99th percentile of the tasks."""


class Comparison(NamedTuple):
    """What the rounds gave: the figures by what was timed, and the pauses of each agent."""

    figures: dict[str, Figures]
    pauses: tuple[list[Pauses], list[Pauses]]


def compare(asked: Load, clock: Clock, *, collector: bool) -> Comparison:
    """Run the rounds, ABAB."""
    rows: dict[str, list[tuple[tuple[float, float], tuple[float, float]]]] = {}
    pauses: tuple[list[Pauses], list[Pauses]] = [], []
    seconds = asked.active / asked.rate
    with tempfile.TemporaryDirectory() as folder:
        contract = Path(folder) / "send.json"
        contract.write_text(json.dumps(CONTRACT), encoding="ascii")
        makers: tuple[Callable[[Times], ASGIApp], ...] = (
            lambda times: bare(times, seconds),
            lambda times: bridged(times, seconds, str(contract)),
        )
        for _ in range(asked.rounds):
            both = []
            for make, seen in zip(makers, pauses, strict=True):
                times = Times(clock)
                app = make(times)
                with collected(on=collector) as found:
                    asyncio.run(load(app, times, asked.rate, asked.tasks))
                seen.append(found)
                both.append(times.rows())
            for name in both[0]:
                rows.setdefault(name, []).append((summary(both[0][name]), summary(both[1][name])))
    return Comparison({name: figures_of(pairs) for name, pairs in rows.items()}, pauses)


def summary(values: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    return median(values), quantiles(values, n=100, method="inclusive")[98]


def figures_of(pairs: list[tuple[tuple[float, float], tuple[float, float]]]) -> Figures:
    """Return the median of each figure over the rounds, and that of the rounds' own differences."""
    middle = [tuple(median(pair[side][at] for pair in pairs) for at in (0, 1)) for side in (0, 1)]
    added = tuple(median(pair[1][at] - pair[0][at] for pair in pairs) for at in (0, 1))
    return Figures(*((one, other) for one, other in (*middle, added)))


def report(asked: Load, found: Comparison) -> None:
    """Print the figures."""
    print(f"{asked.active} active, {asked.rate:g} starts/s, {asked.tasks} tasks, {asked.rounds} rounds; ms, median")
    print(f"{'':18} {'bare p50':>9} {'p99':>7} {'bridge p50':>11} {'p99':>7} {'added p50':>10} {'added p99':>10}")
    for name, figures in found.figures.items():
        columns = zip((*figures.bare, *figures.bridge, *figures.added), (9, 7, 11, 7, 10, 10), strict=True)
        print(f"{name:18} " + " ".join(f"{figure:{width}.2f}" for figure, width in columns))
    for name, pauses in zip(("bare", "bridge"), found.pauses, strict=True):
        tasks = asked.tasks * asked.rounds / 1000
        told = [
            f"{sum(one.runs[age] for one in pauses) / tasks:.1f} of {1000 * mean_seconds(pauses, age):.1f} ms"
            for age in range(3)
        ]
        objects = sorted(one.tracked for one in pauses)
        print(f"collector, {name:7} {objects[0]} to {objects[-1]} objects before; per 1000 tasks: {', '.join(told)}")


def mean_seconds(pauses: list[Pauses], age: int) -> float:
    """Return how long a run over objects of this age took."""
    return sum(one.seconds[age] for one in pauses) / max(1, sum(one.runs[age] for one in pauses))
