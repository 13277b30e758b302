"""The .NET runtime as commands need it: found, checked, and asked for bulk work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from protocolarc import __version__
from protocolarc.cli.exit_codes import FAULT
from protocolarc.cli.output import Output, StopError, fail, note
from protocolarc.runtime.bulk import read_result, run_validate
from protocolarc.runtime.client import Client
from protocolarc.runtime.errors import RuntimeBrokenError, RuntimeMissingError
from protocolarc.runtime.find import find_runtime
from protocolarc.runtime.hello import connect
from protocolarc.values.finding import Result

_CHUNK_BYTES = 1 << 16


def require_runtime(named: str | None) -> tuple[str, ...]:
    """Return the words that start the runtime of this version, or end the command with one line that says why not."""
    try:
        command = find_runtime(named, note)
        with start(command) as client:
            client.bye()
    except (RuntimeMissingError, RuntimeBrokenError) as error:
        raise fail(str(error)) from None
    return command


def start(command: Sequence[str]) -> Client:
    """Start the runtime's ``serve``, which has to be of this version."""
    return connect(command, __version__)


@contextmanager
def guarded() -> Iterator[None]:
    """End the command as an internal fault when the runtime breaks."""
    try:
        yield
    except (RuntimeBrokenError, RuntimeMissingError) as error:
        note(f"error: {error}")
        raise StopError(FAULT) from None


class BulkJob(NamedTuple):
    """``validate`` done by the runtime: the same bytes and the same exit code."""

    command: Sequence[str]
    contract: str
    envelopes: Sequence[str]
    raw: bool

    def copy(self, format_name: str, output_file: str | None) -> int:
        """Write the runtime's report as it comes, and return its exit code."""
        with guarded(), Output(output_file) as output:
            with run_validate(*self, format_name=format_name) as run:
                while chunk := run.stdout.read1(_CHUNK_BYTES):
                    output.write_bytes(chunk)
                    output.flush()
            run.check()
        return run.exit_code

    @contextmanager
    def results(self) -> Iterator[Iterator[Result]]:
        """Give the runtime's results one by one, for what it has no options for."""
        with guarded():
            with run_validate(*self, format_name="jsonl") as run:
                yield map(read_result, run.stdout)
            run.check()
