"""``gate``: the judgement that counts, in CI."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.check import From, Now, To
from protocolarc.cli.exit_codes import BREAKING, ERRORS, INPUT, OK
from protocolarc.cli.options import help_end, one_of
from protocolarc.render.formats import CHECK

HELP_END = help_end(
    "protocolarc gate --from origin/main --to HEAD",
    {
        OK: "every change is carried by its revision",
        ERRORS: "a rule of the registry is broken, and nobody by the change",
        BREAKING: "a breaking change that its revision does not carry",
        INPUT: "usage, nothing to compare, a contract that does not load",
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
    now: Now = None,
    format_name: Annotated[str, one_of(CHECK, "Format of the report.")] = "text",
) -> int:
    """Judge a pull request, a push or a release: the check with authority, under the base's policy and waivers.

    The commits come from --from and --to, else from what GitHub or GitLab say about the run; else HEAD is compared
    with where it left the default branch.
    """
    import os

    from protocolarc.cli.outcome import write_outcome
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

    def answer() -> CheckResult:
        with open_repository(".", bare=True) as git:
            return judge_commits(git, request, os.environ, release=release)

    return write_outcome(conclude(answer, format_name))
