"""Options and arguments that several commands share, and the help that each command ends with."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from protocolarc.cli.exit_codes import FAULT, INTERRUPTED, MEANINGS

if TYPE_CHECKING:
    from typer._click.core import Context  # the signature that ``parse_args`` overrides


class SeveralValues(TyperCommand):
    """A command whose repeatable options also take several values at once: ``--contracts a b --contracts c``."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Repeat the option's name before each further value."""
        repeatable = {name for param in self.params if getattr(param, "multiple", False) for name in param.opts}
        spread: list[str] = []
        option, given = "", 0
        for position, word in enumerate(args):
            if word == "--":
                spread += args[position:]
                break
            if word.startswith("-") and word != "-":
                name, equals, _ = word.partition("=")
                option, given = (name if name in repeatable else ""), int(bool(equals))
            elif option:
                given += 1
                if given > 1:
                    spread.append(option)
            spread.append(word)
        return super().parse_args(ctx, spread)


def help_end(example: str, codes: Mapping[int, str]) -> str:
    """Return the end of a command's help: an example, and the exit codes that it can give."""
    meanings = "\n".join(f"  {code:>3}  {codes.get(code, MEANINGS[code])}" for code in (*codes, FAULT, INTERRUPTED))
    return f"\b\nExample:\n  {example}\n\n\b\nExit codes:\n{meanings}"


def one_of(names: Collection[str], text: str, flag: str = "--format") -> Any:  # noqa: ANN401  # as typer.Option does
    """Return an option that takes one of several words."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(names)}")
        return value

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return typer.Option(flag, metavar="|".join(names), help=text, callback=check, autocompletion=complete)


Color = Annotated[str, one_of(("auto", "always", "never"), "Colour the text output.", "--color")]
OutputFile = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the results to a file instead of standard output."),
]
RuntimePath = Annotated[
    str | None,
    typer.Option("--runtime", metavar="PATH", help="The .NET runtime: an executable, an assembly (.dll), or a folder."),
]
CONTRACT_HELP = "Contract: a file, NAME, NAME@REVISION or REF:PATH."
At = Annotated[
    str | None, typer.Option("--at", metavar="REF", help="Look names up in this commit, not in the work tree.")
]
Contracts = Annotated[
    list[str],
    typer.Option(
        "--contracts",
        metavar="CONTRACT...",
        help="Contracts: files, directories of them (*.json), NAME, NAME@REVISION or REF:PATH.",
    ),
]
Envelopes = Annotated[
    list[str],
    typer.Option("--envelopes", metavar="PATH...", help="Envelope files or directories; - for JSONL on stdin."),
]


def wants_color(choice: str, *, to_file: bool = False, environ: Mapping[str, str] | None = None) -> bool:
    """Decide whether text may be coloured: --color, then NO_COLOR, FORCE_COLOR, TERM=dumb, then the terminal."""
    variables = os.environ if environ is None else environ
    if choice != "auto":
        return choice == "always"
    if variables.get("NO_COLOR"):
        return False
    if variables.get("FORCE_COLOR"):
        return True
    return not to_file and variables.get("TERM") != "dumb" and sys.stdout is not None and sys.stdout.isatty()
