"""Writing results: bytes to standard output or to a file, LF everywhere, and a reader that leaves is no error."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO, Self

from protocolarc.cli.exit_codes import INPUT
from protocolarc.values.literal import escape_label


class StopError(Exception):
    """The command ends here with this exit code; what there is to say was said."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def say(line: str) -> None:
    """Say a line, already escaped, to the person at the terminal, on standard error."""
    try:
        sys.stderr.write(line.rstrip("\n") + "\n")
        sys.stderr.flush()
    except OSError:  # nobody listens; the results are not affected
        _discard(sys.stderr.fileno())


def note(text: str) -> None:
    """Say something that may hold data, which stays ASCII."""
    say(escape_label(text))


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
        self._stream: BinaryIO = self._open(path) if path is not None else sys.stdout.buffer

    @property
    def is_terminal(self) -> bool:
        """True when a person sees the results as they are written."""
        return self._stream.isatty()

    def write(self, text: str) -> None:
        """Write one piece of a report, which is ASCII but for the frames and colours of a terminal."""
        self.write_all((text,))

    def write_all(self, pieces: Iterable[str]) -> None:
        """Write the pieces of a report as they come."""
        for piece in pieces:
            self.write_bytes(piece.encode("utf-8"))

    def write_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        try:
            self._stream.write(data)
        except OSError as error:
            raise self._refused(error) from None

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
        whole = False
        try:
            self._stream.flush()
            if error is None and self._temporary is not None and self.path is not None:
                os.replace(self._temporary, os.path.realpath(self.path))
                self._temporary = None
            whole = True
        except OSError as late:
            if error is None:  # else it was said already, or something worse was
                error = self._refused(late)
                if not isinstance(error, _ClosedPipeError):
                    raise error from None
        finally:
            self._close(whole=whole)
        return isinstance(error, _ClosedPipeError)

    def _open(self, path: str) -> BinaryIO:
        target = os.path.realpath(path)
        try:
            if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
                return open(target, "wb")  # a device or pipe is written directly; closed on exit
            name = os.path.basename(target)[:100]
            handle, self._temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=f".{name}.")
            os.chmod(self._temporary, _mode_of(target))
            return os.fdopen(handle, "wb")
        except OSError as error:
            raise self._refused(error) from None

    def _close(self, *, whole: bool) -> None:
        """Close a file, and drop what is not whole; what standard output still holds back is given up."""
        if self.path is None:
            if not whole:
                _discard(sys.stdout.fileno())
            return
        with suppress(OSError):  # what could not be written was said already
            self._stream.close()
        if self._temporary is not None:
            os.unlink(self._temporary)

    def _refused(self, error: OSError) -> Exception:
        if isinstance(error, BrokenPipeError):
            return _ClosedPipeError()
        return fail(f"cannot write {self.path or 'standard output'}: {error.strerror or error}")


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
