"""The Typer application. A command is one module and one line here."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc import __version__
from protocolarc.cli import (
    bisect,
    blame,
    bump,
    check,
    demo,
    describe,
    diff,
    gate,
    init,
    log,
    matrix,
    parity,
    report,
    rules,
    show,
    validate,
    waive,
)
from protocolarc.cli.options import SeveralValues

app = typer.Typer(
    name="protocolarc",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"protocolarc {__version__}")
        raise typer.Exit


@app.callback()
def protocolarc(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Explicit, versioned contracts for the messages that agents and tools exchange."""


for _module, _command in (
    (validate, validate.validate),
    (diff, diff.diff),
    (matrix, matrix.matrix),
    (report, report.report),
    (describe, describe.describe),
    (parity, parity.parity),
    (init, init.init),
    (check, check.check),
    (gate, gate.gate),
    (bump, bump.bump),
    (waive, waive.waive),
    (log, log.log),
    (show, show.show),
    (blame, blame.blame),
    (bisect, bisect.bisect),
    (rules, rules.rules),
    (demo, demo.demo),
):
    app.command(cls=SeveralValues, epilog=_module.HELP_END)(_command)
