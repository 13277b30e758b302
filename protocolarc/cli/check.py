"""``check``: what the next commit changes in the registry; the same answer as the hook's."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import BREAKING, ERRORS, INPUT, OK
from protocolarc.cli.options import Color, help_end, one_of
from protocolarc.render.formats import CHECK

HELP_END = help_end(
    "protocolarc check --from main --to HEAD",
    {
        OK: "every change is carried by its revision",
        ERRORS: "a rule of the registry is broken, and nobody by the change",
        BREAKING: "a breaking change that its revision does not carry",
        INPUT: "usage, no repository, nothing to compare with, a contract that does not load",
    },
)
From = Annotated[str | None, typer.Option("--from", metavar="A", help="Where the range begins: at merge-base(A, B).")]
To = Annotated[str | None, typer.Option("--to", metavar="B", help="Where the range ends; HEAD unless it is named.")]
Now = Annotated[
    str | None, typer.Option("--now", metavar="DATE", help="The day by which waivers expire; today unless it is named.")
]


def check(
    paths: Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help="A file of --files.")] = None,
    base: From = None,
    head: To = None,
    worktree: Annotated[bool, typer.Option("--worktree", help="Check the files on disk, not what is staged.")] = False,
    transitive: Annotated[bool, typer.Option("--transitive", help="Compare with all earlier revisions.")] = False,
    pre_push: Annotated[
        bool, typer.Option("--pre-push", help="Check what is pushed: the lines of a pre-push hook on stdin.")
    ] = False,
    files: Annotated[bool, typer.Option("--files", help="Check the shape of files, each for itself.")] = False,
    now: Now = None,
    format_name: Annotated[str, one_of(CHECK, "Format of the report.")] = "text",
    color: Color = "auto",
) -> int:
    """Judge what the next commit, or a range of commits, changes in the contracts of this repository."""
    import os
    import sys

    from protocolarc.cli.outcome import drawing, write_outcome
    from protocolarc.cli.output import fail
    from protocolarc.registry.outcome import run_check, run_files, run_pushed
    from protocolarc.registry.request import WrongOptionsError, read_files, read_pre_push, read_request

    try:
        request = read_request(base, head, now, worktree=worktree, transitive=transitive or None)
        if read_files(paths or (), request, format_name, each=files, pre_push=pre_push):
            return write_outcome(run_files(paths or ()))
        if pre_push:
            stream = sys.stdin.buffer if sys.stdin else None
            return write_outcome(run_pushed(stream, read_pre_push(request, format_name), os.environ))
    except WrongOptionsError as error:
        raise fail(str(error)) from None
    return write_outcome(run_check(request, format_name, os.environ, drawing(format_name, color)))
