"""Writing the outcome of ``check`` and ``gate``."""

from __future__ import annotations

from protocolarc.cli.options import wants_color
from protocolarc.cli.output import Output, say
from protocolarc.registry.outcome import Draw, Outcome


def drawing(format_name: str, color: str) -> Draw | None:
    """Return what draws a report for a terminal, where it is text and is to be coloured."""
    if format_name != "text" or not wants_color(color):
        return None
    from protocolarc.render.terminal import render_check

    return render_check


def write_outcome(outcome: Outcome) -> int:
    """Say what there is to say, write the report, and return the exit code."""
    for line in outcome.lines:
        say(line)
    with Output() as output:
        output.write(outcome.text)
    return outcome.exit_code
