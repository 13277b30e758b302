"""``gate``: the judgement that counts, in CI."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.check import From, Now, To
from protocolarc.cli.exit_codes import BREAKING, ERRORS, INPUT, OK
from protocolarc.cli.options import Color, RuntimePath, help_end, one_of
from protocolarc.render.formats import CHECK

HELP_END = help_end(
    "protocolarc gate --from origin/main --to HEAD",
    {
        OK: "every change is carried by its revision",
        ERRORS: "a rule of the registry is broken, and nobody by the change; with --parity, the validators differ",
        BREAKING: "a breaking change that its revision does not carry",
        INPUT: "usage, nothing to compare, a contract that does not load; with --parity, no runtime or no fixture",
    },
)


def gate(
    base: From = None,
    head: To = None,
    release: Annotated[bool, typer.Option("--release", help="Compare with the last release (tag-pattern).")] = False,
    transitive: Annotated[
        bool | None,
        typer.Option("--transitive/--pairwise", help="Compare with all earlier revisions, or the last alone."),
    ] = None,
    parity: Annotated[
        bool, typer.Option("--parity", help="Ask both validators about the policy's fixtures as well.")
    ] = False,
    runtime: RuntimePath = None,
    now: Now = None,
    format_name: Annotated[str, one_of(CHECK, "Format of the report.")] = "text",
    color: Color = "auto",
) -> int:
    """Judge a pull request, a push or a release: the check with authority, under the base's policy and waivers.

    The commits come from --from and --to, else from what GitHub or GitLab say about the run; else HEAD is compared
    with where it left the default branch.
    """
    import os
    from contextlib import nullcontext

    from protocolarc.cli.outcome import drawing, write_outcome
    from protocolarc.cli.output import fail
    from protocolarc.gitstore.plumbing import open_repository
    from protocolarc.registry.gate import gate as judge_commits
    from protocolarc.registry.outcome import conclude
    from protocolarc.registry.request import WrongOptionsError, read_request
    from protocolarc.values.judgement import CheckResult

    try:
        request = read_request(base, head, now, transitive=transitive)
    except WrongOptionsError as error:
        raise fail(str(error)) from None

    if runtime is not None and not parity:
        raise typer.BadParameter("--runtime goes with --parity")
    if parity:
        from protocolarc.cli.parity_runs import comparing

    with comparing(runtime) if parity else nullcontext() as differ:

        def answer() -> CheckResult:
            with open_repository(".", bare=True) as git:
                return judge_commits(git, request, os.environ, release=release, differ=differ)

        return write_outcome(conclude(answer, format_name, drawing(format_name, color)))
