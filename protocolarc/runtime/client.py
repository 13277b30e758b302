"""A client of ``serve``: one long-lived process and requests to it, none of which can hang or flood the client."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

from protocolarc.runtime.child import Child
from protocolarc.runtime.errors import RuntimeBrokenError
from protocolarc.runtime.wire import MAX_REPORT_BYTES, Answer, Request, encode_request, encode_word, read_answer

TIMEOUT_SECONDS = 60.0
"""How long one request may take. The largest of them is many megabytes, on a machine that may be busy."""


class Client:
    """A running ``serve`` process. Use it as a context: the process ends with it.

    After a ``RuntimeBrokenError`` the process is gone, and the object of no further use.
    """

    def __init__(
        self, command: Sequence[str], *, timeout: float = TIMEOUT_SECONDS, limit: int = MAX_REPORT_BYTES
    ) -> None:
        self._timeout = timeout
        self._limit = limit
        self._seq = 0
        try:
            self._child = Child([*command, "serve"])
        except RuntimeBrokenError as error:
            raise RuntimeBrokenError(f"the runtime {command[0]} failed: {error}") from None

    def hello(self) -> Answer:
        """Ask who is there; the answer is a JSON object."""
        return self._ask(encode_word(self._next(), "hello"))

    def validate(self, request: Request) -> Answer:
        """Ask for the report of one request.

        Raises:
            RuntimeBrokenError: no answer came, or one that the protocol does not allow.
        """
        return self._ask(encode_request(self._next(), request))

    def validate_all(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """Yield the report of each request, in order. All are written at once, and the deadline is for all of them.

        Raises:
            RuntimeBrokenError: as above, for the first request without an answer.
        """
        first = self._seq + 1
        frames = [encode_request(self._next(), request) for request in requests]
        with self._blamed(), self._child.deadline(self._timeout), self._child.feeding(frames):
            for seq in range(first, first + len(frames)):
                yield read_answer(self._child.stdout, seq, self._limit)

    def bye(self) -> None:
        """Tell the process to end, and see that it does so without another word.

        Raises:
            RuntimeBrokenError: it did not, or said more than it was asked.
        """
        self._ask(encode_word(self._next(), "bye"))
        with self._blamed(), self._child.deadline(self._timeout):
            if self._child.stdout.read(1):
                raise RuntimeBrokenError("it said more than it was asked")
            code = self._child.wait()
            if code:
                raise RuntimeBrokenError(f"it ended with exit code {code}")

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._child.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _ask(self, frame: bytes) -> Answer:
        with self._blamed(), self._child.deadline(self._timeout):
            with contextlib.suppress(OSError):  # it has gone; what it said before is worth reading
                self._child.stdin.write(frame)
                self._child.stdin.flush()
            return read_answer(self._child.stdout, self._seq, self._limit)
        raise AssertionError("a context that swallows nothing")

    @contextlib.contextmanager
    def _blamed(self) -> Iterator[None]:
        """End a process that failed, and add its last words to the reason."""
        try:
            yield
        except RuntimeBrokenError as error:
            said = self._child.kill()
            more = f" ({said})" if said else ""
            raise type(error)(f"the runtime failed: {error}{more}") from None
