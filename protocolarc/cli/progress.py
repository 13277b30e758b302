"""Progress on standard error for work that takes long: a bar where the size is known, else a counter."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from protocolarc.cli.output import Output, note
from protocolarc.loader.inputs import STDIN, Source, Watcher

if TYPE_CHECKING:
    from rich.progress import Progress

LINE_CASES = 100_000
"""How many cases are between two lines of progress, where no bar is drawn."""

_LONG_BYTES = 8 * 1024 * 1024


class TellingWatcher(Watcher):
    """Says why an input cannot be read, where the person sees it."""

    def unreadable(self, label: str, reason: str) -> None:
        """Say the reason on standard error."""
        note(f"{label}: {reason}")


class FlushingWatcher(TellingWatcher):
    """Hands results on before each read, so that a pipeline sees them as its input comes."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def before_read(self) -> None:
        """Flush, because the read may have to wait."""
        self._output.flush()


class _BarWatcher(FlushingWatcher):
    def __init__(self, output: Output, progress: Progress, total: int | None) -> None:
        super().__init__(output)
        self._progress = progress
        self._task = progress.add_task("", total=total)

    def after_read(self, count: int) -> None:
        self._progress.advance(self._task, count)


@contextmanager
def watching(sources: Sequence[Source], output: Output) -> Iterator[Watcher]:
    """Give the watcher for a run over these sources.

    A bar is drawn only on a terminal that the results do not use, and only for input that is large or of
    unknown length.
    """
    total = _total_bytes(sources)
    is_long = total is None or total >= _LONG_BYTES
    if output.is_terminal or not is_long or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield FlushingWatcher(output) if total is None else TellingWatcher()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

    bar = [BarColumn()] if total is not None else []
    console = Console(stderr=True)
    with Progress(*bar, DownloadColumn(), TransferSpeedColumn(), console=console, transient=True) as progress:
        yield _BarWatcher(output, progress, total)


class _Lines:
    def __init__(self, total: int) -> None:
        self._total = total
        self._next = LINE_CASES

    def told(self, count: int) -> None:
        if count >= self._next:
            note(f"{count} of {self._total} cases")
            self._next = (count // LINE_CASES + 1) * LINE_CASES


@contextmanager
def counting(total: int) -> Iterator[Callable[[int], None]]:
    """Give what is to be told how many of so many cases are done.

    A bar is drawn where a person can see it; a log gets a line now and then.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield _Lines(total).told
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task("", total=total)
        yield lambda count: progress.update(task, completed=count)


def _total_bytes(sources: Sequence[Source]) -> int | None:
    """Return the size of all inputs, or ``None`` when standard input or a pipe is among them."""
    total = 0
    for source in sources:
        if source.path == STDIN:
            return None
        if source.fault is None and os.path.isfile(source.path):
            total += os.path.getsize(source.path)
    return total
