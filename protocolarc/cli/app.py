"""The Typer application. A command is one module and one line here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

from protocolarc import __version__
from protocolarc.cli.options import SeveralValues

COMMANDS = (
    "validate",
    "diff",
    "matrix",
    "report",
    "describe",
    "parity",
    "init",
    "check",
    "gate",
    "bump",
    "waive",
    "log",
    "show",
    "blame",
    "bisect",
    "rules",
    "demo",
)
"""Each is a module here and the function in it that has its name."""

_RUNS_OTHERS = "demo"


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"protocolarc {__version__}")
        raise typer.Exit


def protocolarc(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Explicit, versioned contracts for the messages that agents and tools exchange."""


def build(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the application with some of its commands; to build one costs Typer as much as many a command takes."""
    built = typer.Typer(
        name="protocolarc",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    built.callback()(protocolarc)
    for name in names:
        module = import_module(f"protocolarc.cli.{name}")
        built.command(cls=SeveralValues, epilog=module.HELP_END)(getattr(module, name))
    return built


def build_for(arguments: Sequence[str]) -> typer.Typer:
    """Return the application with what these arguments need: one command, none for the version, else all."""
    first = arguments[0] if arguments else ""
    if first in COMMANDS and first != _RUNS_OTHERS:
        return build((first,))
    return build(COMMANDS if first != "--version" else COMMANDS[:1])
