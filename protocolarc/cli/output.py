"""Writing results: bytes to standard output or to a file, LF everywhere, and a reader that leaves is no error."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO, Self

from protocolarc.cli.exit_codes import INPUT
from protocolarc.values.label import one_line

_BUFFER_BYTES = 64 * 1024


class StopError(Exception):
    """The command ends here with this exit code; what there is to say was said."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def say(line: str) -> None:
    """Say a line, already escaped, to the person at the terminal, on standard error."""
    if sys.stderr is None:  # it was closed before the program began
        return
    try:
        sys.stderr.write(line.rstrip("\n") + "\n")
        sys.stderr.flush()
    except OSError:  # nobody listens; the results are not affected
        _discard(sys.stderr.fileno())


def note(text: str) -> None:
    """Say something that may hold data, which stays ASCII."""
    say(one_line(text))


def fail(text: str) -> StopError:
    """Say why there is no result, and return the exception that ends the command."""
    note(f"error: {text}")
    return StopError(INPUT)


class _ClosedPipeError(Exception):
    """The reader of the results has left."""


class Output:
    """Where results go. Use it as a context: a closed pipe ends the block, not the program.

    A file is written beside its name and moved there at the end, so that a run that fails or is
    interrupted leaves an earlier file as it was.
    """

    def __init__(self, path: str | None = None) -> None:
        self.path = path
        self._temporary: str | None = None
        self._stream: BinaryIO = self._open(path) if path is not None else _standard_output()

    @property
    def is_terminal(self) -> bool:
        """True when a person sees the results as they are written."""
        return self._stream.isatty()

    def write(self, text: str) -> None:
        """Write one piece of a report, which is ASCII but for the frames and colours of a terminal."""
        self.write_all((text,))

    def write_bytes(self, data: bytes) -> None:
        """Write a piece of a report that is bytes already."""
        try:
            self._stream.write(data)
        except OSError as error:
            raise self._refused(error) from None

    def write_all(self, pieces: Iterable[str]) -> None:
        """Write the pieces of a report as they come."""
        for piece in pieces:
            self.write_bytes(piece.encode("utf-8"))

    def flush(self) -> None:
        """Hand on what was written so far."""
        try:
            self._stream.flush()
        except OSError as error:
            raise self._refused(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        try:
            self._stream.flush()
            if error is None and self._temporary is not None and self.path is not None:
                os.replace(self._temporary, os.path.realpath(self.path))
                self._temporary = None
        except OSError as late:
            if error is None:  # else it was said already, or something worse was
                error = self._refused(late)
                if not isinstance(error, _ClosedPipeError):
                    raise error from None
        finally:
            self._close()
        return isinstance(error, _ClosedPipeError)

    def _open(self, path: str) -> BinaryIO:
        try:
            if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
                return open(path, "wb")  # a device or pipe is written directly; closed on exit
            if not os.path.basename(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            target = os.path.realpath(path)
            name = os.path.basename(target)[:100]
            handle, self._temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=f".{name}.")
            os.chmod(self._temporary, _mode_of(target))
            return os.fdopen(handle, "wb")
        except OSError as error:
            raise self._refused(error) from None

    def _close(self) -> None:
        """Close the stream, and drop a file that is not whole."""
        with suppress(OSError):  # what could not be written was said already
            self._stream.close()
        if self._temporary is not None:
            os.unlink(self._temporary)

    def _refused(self, error: OSError) -> Exception:
        if isinstance(error, BrokenPipeError):
            return _ClosedPipeError()
        target = "standard output" if self.path is None else repr(self.path)
        return fail(f"cannot write {target}: {error.strerror or error}")


def _standard_output() -> BinaryIO:
    """Return a buffered stream of our own over standard output, whatever buffering the interpreter was asked for."""
    if sys.stdout is None:
        raise fail("cannot write standard output: it is closed")
    return os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=_BUFFER_BYTES)


def _mode_of(target: str) -> int:
    """Keep the permissions of a file that is replaced; give a new one what the umask allows."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def _discard(descriptor: int) -> None:
    """Point a descriptor whose reader has left at nothing, so that the interpreter's last flush is silent."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, descriptor)
    os.close(sink)
