"""The entry point: runs a command and maps everything that can happen to an exit code."""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Sequence

from protocolarc.cli.exit_codes import FAULT, INPUT, INTERRUPTED, OK
from protocolarc.hook import leave

_COLLECT_AFTER = 10_000, 100
"""Containers between two runs of the cycle collector, and runs before it looks at what survived one. The usual 700 and
10 let it look again and again at contracts, which hold no cycles and stay. What a command drops is freed without it,
but for the cycles that ``json`` leaves with every report: the first figure is what they may pile up to."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; for the arguments of the process itself, leave with it at once.

    Nothing is raised but by a broken interpreter.
    """
    if argv is None:
        gc.set_threshold(*_COLLECT_AFTER)
    code = _guarded(list(sys.argv[1:] if argv is None else argv))
    if argv is None:
        leave(code)
    return code


def _guarded(arguments: list[str]) -> int:
    try:
        code = _run(arguments)
    except KeyboardInterrupt:  # wherever it strikes, also while modules are loaded
        code = INTERRUPTED
    if code == INTERRUPTED and sys.stderr is not None:
        sys.stderr.write("interrupted\n")
    return code


def _run(arguments: list[str]) -> int:
    import typer

    from protocolarc.cli.app import build_for
    from protocolarc.cli.output import StopError

    try:
        return int(build_for(arguments)(arguments, prog_name="protocolarc", standalone_mode=False) or OK)
    except StopError as stop:
        return stop.code
    except typer.TyperException as error:
        _show(error)
        return INPUT
    except typer.Abort:
        return INTERRUPTED
    except SystemExit as end:
        # Typer's own answer to a pipe that closed while it printed help.
        return OK if end.code == 1 else int(end.code or 0)
    except Exception as error:  # noqa: BLE001  # the last resort: people get a pointer, never a traceback
        return _last_words(error)


def _show(error: Exception) -> None:
    """Print usage and reason on standard error, as Typer does; its public base class does not declare how."""
    from contextlib import suppress

    show = getattr(error, "show", None)
    if sys.stderr is not None and show is not None:
        with suppress(OSError):  # nobody listens; the exit code still speaks
            show()


def _last_words(error: Exception) -> int:
    from protocolarc.cli.output import say

    if isinstance(error, OSError) and error.errno == errno.ENOSPC:  # Typer's help does not go through our own output
        say(f"error: cannot write: {error.strerror}")
        return INPUT
    say(_report_fault(error))
    return FAULT


def _report_fault(error: Exception) -> str:
    """Write the traceback to a file of its own and return one line that points there."""
    import tempfile
    import traceback

    from protocolarc import __version__

    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="ascii", errors="backslashreplace", prefix="protocolarc-fault-", suffix=".txt", delete=False
        ) as report:
            report.write(f"protocolarc {__version__}, Python {sys.version}\n{text}")
    except OSError:
        return f"internal fault: {type(error).__name__}; please report it"
    return f"internal fault: {type(error).__name__}; please report it with {report.name}"
