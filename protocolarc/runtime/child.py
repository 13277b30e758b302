"""A child process on three pipes, which can neither fill one of them unread nor outlive its deadline."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from io import BufferedReader, BufferedWriter
from typing import cast

from protocolarc.runtime.errors import RuntimeBrokenError, RuntimeHungError

_KEPT_BYTES = 2000


class Child:
    """A running process. ``kill`` it in the end, whatever became of it."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603  # the user names the runtime
                command, stdin=pipe, stdout=pipe, stderr=pipe, process_group=0
            )
        except OSError as error:
            raise RuntimeBrokenError(f"it does not start: {error.strerror or error}") from None
        self.stdin = cast("BufferedWriter", self._process.stdin)
        self.stdout = cast("BufferedReader", self._process.stdout)
        self._stderr = cast("BufferedReader", self._process.stderr)
        self._said = b""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @contextlib.contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """Kill the process when the block takes longer, which ends every read and write in it.

        Raises:
            RuntimeHungError: it came to that.
        """
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            self._signal()

        timer = threading.Timer(seconds, expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (RuntimeBrokenError, OSError):
            if not expired.is_set():
                raise
        finally:
            timer.cancel()
        if expired.is_set():
            raise RuntimeHungError(f"no answer within {seconds:g} seconds")

    @contextlib.contextmanager
    def feeding(self, frames: Sequence[bytes]) -> Iterator[None]:
        """Write frames while the block reads, so that neither side waits for the other with its pipe full."""

        def feed() -> None:
            with contextlib.suppress(OSError):  # it has gone; what it said before is worth reading
                self.stdin.writelines(frames)
                self.stdin.flush()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        try:
            yield
        except BaseException:  # what is not written by now will not be read
            self._signal()
            raise
        finally:
            feeder.join()

    def wait(self) -> int:
        """Wait for the end of the process and return its exit code."""
        return self._process.wait()

    def kill(self) -> str:
        """End the process and all that it started, and return the last line that it said on standard error."""
        self._signal()
        self._process.wait()
        with contextlib.suppress(OSError):  # bytes that were never taken
            self.stdin.close()
        self.stdout.close()
        self._listener.join()
        self._stderr.close()
        return self._said.decode("utf-8", "replace").strip().rpartition("\n")[2]

    def _signal(self) -> None:
        if self._process.returncode is not None:
            return
        if sys.platform == "win32":
            self._process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _listen(self) -> None:
        """Take what the process says on standard error, so that it never has to wait; keep the end of it."""
        while chunk := self._stderr.read1(_KEPT_BYTES):
            self._said = (self._said + chunk)[-_KEPT_BYTES:]
