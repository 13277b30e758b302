"""``matrix``: every envelope against every revision of the contract that it names."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import ERRORS, INPUT, OK
from protocolarc.cli.options import At, Color, Contracts, Envelopes, OutputFile, help_end, one_of, wants_color
from protocolarc.render.formats import MATRIX, MATRIX_ROWS, renderer

HELP_END = help_end(
    "protocolarc matrix --contracts mcp.tool_call@1.0.0 mcp.tool_call --envelopes monday.jsonl tuesday.jsonl",
    {
        OK: "every envelope passes every revision",
        ERRORS: "a cell fails, or an envelope targets none of the contracts",
        INPUT: "usage, a contract that does not load, a malformed document, an input that cannot be read",
    },
)


def matrix(
    contracts: Contracts,
    envelopes: Envelopes,
    at: At = None,
    each: Annotated[bool, typer.Option("--each", help="A row per envelope, as it is read.")] = False,
    format_name: Annotated[str, one_of(MATRIX, "Format of the matrix.")] = "text",
    output_file: OutputFile = None,
    color: Color = "auto",
) -> int:
    """Check every envelope against every revision of the contract it names.

    A block per contract and a column per revision; the cells of a file count how many pass.
    """
    from protocolarc.cli.matrix_run import MatrixRun
    from protocolarc.cli.output import Output

    run = MatrixRun(contracts, envelopes, at)
    in_color = format_name == "text" and wants_color(color, to_file=output_file is not None)
    with Output(output_file) as output:
        if each:
            output.write_all(renderer(MATRIX_ROWS, format_name)(run.matrix, run.verdicts(output)))
        else:
            run.finish(output)
            if in_color:
                from protocolarc.render.terminal import render_matrix

                output.write(render_matrix(run.matrix))
            else:
                output.write(renderer(MATRIX, format_name)(run.matrix))
    return run.exit_code
