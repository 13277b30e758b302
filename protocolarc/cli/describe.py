"""``describe``: the field table of a contract."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import CONTRACT_HELP, At, Color, help_end, wants_color

HELP_END = help_end(
    "protocolarc describe contract.json", {OK: "success", INPUT: "usage, a contract that does not load"}
)


def describe(
    contract: Annotated[str, typer.Argument(metavar="CONTRACT", help=CONTRACT_HELP)],
    at: At = None,
    color: Color = "auto",
) -> int:
    """Show the fields of a contract as a table."""
    from protocolarc.cli.inputs import try_load
    from protocolarc.cli.output import Output
    from protocolarc.render.text import render_contract

    loaded = try_load(contract, at=at)
    if loaded is None:
        return INPUT
    with Output() as output:
        if wants_color(color):
            from protocolarc.render.terminal import render_contract as render_table

            output.write(render_table(loaded))
        else:
            output.write(render_contract(loaded))
    return OK
