"""Fuzzing: contracts drawn by Hypothesis, and inputs made for them, asked of both sides until one differs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir

from protocolarc.parity.compare import Difference
from protocolarc.parity.draw.batches import BATCH, make_batch
from protocolarc.parity.draw.contracts import contracts
from protocolarc.parity.peer import Peer
from protocolarc.parity.python import PythonSide
from protocolarc.parity.shrink import shrink
from protocolarc.runtime.wire import Answer, Request
from protocolarc.values.jsontype import Value

ROUND = 200
"""Batches that one run of Hypothesis draws; it remembers them all, so that a long search takes many runs."""
MAX_BROKEN = 50
"""Cases that may end the runtime while one is made small, since each costs a start."""


class Failure(NamedTuple):
    """A request that the two sides answer differently, as small as it could be made, and its place in the batch."""

    position: int
    request: Request
    expected: Answer
    difference: Difference


class Fuzzer:
    """A search for a case in which the two sides differ. ``count`` is the number of cases asked so far."""

    def __init__(self, peer: Peer) -> None:
        self.count = 0
        self._peer = peer
        self._python = PythonSide()
        self._failure: Failure | None = None

    def run(self, cases: int, first_seed: int, told: Callable[[int], None]) -> Failure | None:
        """Ask at least so many cases; return the first in which the sides differ, made small.

        ``told`` hears how many there were, now and then.
        """
        number = 0
        with tempfile.TemporaryDirectory() as folder:
            set_hypothesis_home_dir(folder)  # it would leave files in the user's folder
            while self.count < cases and self._failure is None:
                self._run_round(f"{first_seed}.{number}", min(ROUND, -(-(cases - self.count) // BATCH)))
                number += 1
                told(self.count)
        return None if self._failure is None else self._small(self._failure)

    def _run_round(self, round_seed: str, examples: int) -> None:
        random = Random(round_seed)  # noqa: S311  # it goes on from batch to batch, so that no two are alike

        @seed(round_seed)
        @settings(
            max_examples=examples,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        @given(contracts())
        def ask_all(contract: Mapping[str, Value]) -> None:
            if self._failure is not None:
                return
            batch = make_batch(contract, random)
            requests = [next(batch)]
            if self._python.loads(requests[0].contract):  # else every input is answered alike
                requests += batch
            self._failure = self._ask(requests)
            self.count += len(requests) if self._failure is None else self._failure.position + 1

        ask_all()

    def _ask(self, requests: Sequence[Request]) -> Failure | None:
        expected = [self._python.validate(request) for request in requests]
        found = self._peer.first_difference(requests, expected)
        if found is None:
            return None
        index, difference = found
        return Failure(index, requests[index], expected[index], difference)

    def _small(self, failure: Failure) -> Failure:
        if self._peer.hung:  # each trial could take as long again
            return failure
        small = shrink(failure.request, self._still_differs)
        return self._ask((small,)) or failure

    def _still_differs(self, request: Request) -> bool:
        return self._peer.broken < MAX_BROKEN and self._ask((request,)) is not None
