"""``report``: summary, matrix and revision chains in one document."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import ERRORS, INPUT, OK
from protocolarc.cli.options import At, Contracts, Envelopes, help_end, one_of
from protocolarc.render.formats import REPORT, renderer

HELP_END = help_end(
    "protocolarc report --contracts contracts/ --envelopes traffic.jsonl --out report.md",
    {
        OK: "every envelope passes every revision",
        ERRORS: "a cell fails, or an envelope targets none of the contracts",
        INPUT: "usage, a contract that does not load, a malformed document, an input that cannot be read",
    },
)


def report(
    contracts: Contracts,
    envelopes: Envelopes,
    at: At = None,
    format_name: Annotated[str, one_of(REPORT, "Format of the report.")] = "markdown",
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "--output", "-o", metavar="FILE", help="Write the report to a file instead of standard output."
        ),
    ] = None,
) -> int:
    """Report on contracts and envelopes: a summary, the matrix, and the verdict of each revision step."""
    from protocolarc.cli.matrix_run import MatrixRun
    from protocolarc.cli.output import Output
    from protocolarc.engine.report import make_report

    run = MatrixRun(contracts, envelopes, at)
    with Output(out) as output:
        run.finish(output)
        output.write(renderer(REPORT, format_name)(make_report(run.matrix)))
    return run.exit_code
