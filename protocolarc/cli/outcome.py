"""Writing the outcome of ``check`` and ``gate``."""

from __future__ import annotations

from protocolarc.cli.output import Output, say
from protocolarc.registry.outcome import Outcome


def write_outcome(outcome: Outcome) -> int:
    """Say what there is to say, write the report, and return the exit code."""
    for line in outcome.lines:
        say(line)
    with Output() as output:
        output.write(outcome.text)
    return outcome.exit_code
