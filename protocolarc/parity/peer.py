"""The runtime as the other side of a comparison: what breaks it is an answer too, and the next case goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from protocolarc.parity.compare import Difference, compare_answers
from protocolarc.runtime.client import Client
from protocolarc.runtime.errors import RuntimeBrokenError, RuntimeHungError
from protocolarc.runtime.wire import Answer, Request


class Peer:
    """One long-lived runtime process, started again after a case that ended it. Use it as a context.

    ``broken`` counts the cases that ended it; ``hung`` tells that it was once too slow to answer.
    """

    def __init__(self, start: Callable[[], Client]) -> None:
        self.broken = 0
        self.hung = False
        self._start = start
        self._client: Client | None = None

    def compare(self, request: Request, expected: Answer) -> Difference | None:
        """Compare the runtime's answer with the expected one."""
        found = self.first_difference((request,), (expected,))
        return None if found is None else found[1]

    def first_difference(
        self, requests: Sequence[Request], expected: Sequence[Answer]
    ) -> tuple[int, Difference] | None:
        """Compare the runtime's answers with the expected ones; return the index of the first that differs, and how."""
        answers: list[Answer] = []
        broken: RuntimeBrokenError | None = None
        if self._client is None:
            self._client = self._start()
        try:
            answers.extend(self._client.validate_all(requests))
        except RuntimeBrokenError as error:
            self._client = None
            self.broken += 1
            self.hung = self.hung or isinstance(error, RuntimeHungError)
            broken = error
        for index, (ours, theirs) in enumerate(zip(expected, answers, strict=False)):
            difference = compare_answers(ours, theirs)
            if difference is not None:
                return index, difference
        if broken is None:
            return None
        index = len(answers)  # the oldest request that was not answered
        said = (("answer", f"exit {expected[index].exit_code}", str(broken)),)
        return index, Difference("the runtime", said)

    def finish(self) -> None:
        """Tell the runtime to end.

        Raises:
            RuntimeBrokenError: it did not, or had more to say than it was asked.
        """
        if self._client is not None:
            self._client.bye()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None:
            self._client.close()
