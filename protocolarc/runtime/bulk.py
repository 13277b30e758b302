"""The runtime's own ``validate`` command, for inputs of any length."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from typing import cast

from protocolarc.runtime.errors import RuntimeBrokenError
from protocolarc.values.envelope import Fault
from protocolarc.values.finding import Finding, Result, Severity

FORMAT_OPTIONS = {"text": (), "json": ("--json",), "jsonl": ("--jsonl",)}
"""The options for each format of the results."""

_CODES = (0, 1, 3)


class Run:
    """A running ``validate``. Its exit code is known when it is over."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.stdout = cast("BufferedReader", process.stdout)

    @property
    def exit_code(self) -> int:
        """The exit code of a run that is over."""
        return int(self._process.returncode)

    def check(self) -> None:
        """See that the run ended as ``validate`` may.

        Raises:
            RuntimeBrokenError: it did not.
        """
        if self.exit_code not in _CODES:
            raise RuntimeBrokenError(f"the runtime failed with exit code {self.exit_code}")


@contextmanager
def run_validate(
    command: Sequence[str],
    contract: str,
    envelopes: Sequence[str],
    raw: bool,  # noqa: FBT001  # the order of the command line
    *,
    format_name: str,
) -> Iterator[Run]:
    """Run ``validate`` with our standard input and error; leave its output to the block, then wait for its end."""
    options = [*(["--raw"] if raw else []), *FORMAT_OPTIONS[format_name]]
    words = ["validate", *options, "--", contract, *envelopes]
    try:
        process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE)  # noqa: S603  # the user names the runtime
    except OSError as error:
        raise RuntimeBrokenError(f"the runtime does not start: {error.strerror or error}") from None
    run = Run(process)
    try:
        yield run
    finally:
        run.stdout.close()
        process.wait()


def read_result(line: bytes) -> Result:
    """Return the result that a line of ``--jsonl`` holds.

    Raises:
        RuntimeBrokenError: it holds none.
    """
    try:
        told = json.loads(line)
        if "error" in told:
            return Result(told["envelope"], (), Fault(told["error"]["code"], told["error"]["offset"]))
        findings = (
            Finding(item["rule"], item["field"], Severity(item["severity"]), item["message"])
            for item in told["findings"]
        )
        return Result(told["envelope"], tuple(findings))
    except (ValueError, TypeError, KeyError) as error:
        raise RuntimeBrokenError(f"the runtime wrote what is no result: {error}") from None
