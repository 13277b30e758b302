"""From what a command was asked to what it says: the report, the exit code, and lines for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from protocolarc.config.policy import ConfigError
from protocolarc.engine.places import TooManyPlacesError
from protocolarc.gitstore.plumbing import GitError, open_repository
from protocolarc.registry import snapshots
from protocolarc.registry.check import Request, check_range, check_staged
from protocolarc.render.formats import CHECK, renderer
from protocolarc.render.text import render_problem
from protocolarc.values.judgement import CheckResult
from protocolarc.values.literal import escape_label

INPUT = 3


class Outcome(NamedTuple):
    """What to print on standard output, what to say on standard error, and how to leave."""

    exit_code: int
    text: str
    lines: tuple[str, ...] = ()


class WrongOptionsError(ValueError):
    """Options that contradict each other, or a value that none takes."""


def read_request(
    base: str | None, head: str | None, now: str | None, *, worktree: bool = False, transitive: bool | None = None
) -> Request:
    """Make a request of options.

    Raises:
        WrongOptionsError: they make no sense.
    """
    if worktree and (base is not None or head is not None):
        raise WrongOptionsError("--worktree compares the disk with HEAD; it takes neither --from nor --to")
    try:
        today = None if now is None else date.fromisoformat(now)
    except ValueError:
        raise WrongOptionsError(f"--now {escape_label(str(now))} is no date such as 2026-12-31") from None
    return Request(base, head, worktree, transitive, today)


Draw = Callable[[CheckResult], str]


def run_check(request: Request, format_name: str, environ: Mapping[str, str], draw: Draw | None = None) -> Outcome:
    """Check the repository of the current directory: a range of commits, the disk, or what is staged.

    In a pre-push hook the runners say which commits are pushed.
    """
    if request.base is None and request.head is None and not request.worktree and environ.get("PRE_COMMIT_TO_REF"):
        request = request._replace(base=environ.get("PRE_COMMIT_FROM_REF") or None, head=environ["PRE_COMMIT_TO_REF"])
    ranged = request.base is not None or request.head is not None

    def answer() -> CheckResult:
        with open_repository(".", environ, bare=ranged) as git:
            return check_range(git, request) if ranged else check_staged(git, request, environ)

    return conclude(answer, format_name, draw)


def run_files(paths: Sequence[str]) -> Outcome:
    """Check the shape of contract files on the disk, each for itself, without git."""
    lines = [render_problem(path, problem) for path in paths for problem in snapshots.read_path(path)]
    return Outcome(INPUT if lines else 0, "", tuple(lines))


def conclude(answer: Callable[[], CheckResult], format_name: str, draw: Draw | None = None) -> Outcome:
    """Render what a comparison found, in a format or by a function of the caller, or say why there is none."""
    try:
        result = answer()
    except GitError as error:
        hints = (f"hint: {escape_label(error.hint)}",) if error.hint else ()
        return Outcome(INPUT, "", (f"error: {escape_label(error.reason)}", *hints))
    except (ConfigError, TooManyPlacesError) as error:
        return Outcome(INPUT, "", (f"error: {escape_label(str(error))}",))
    lines = [render_problem(unread.path, problem) for unread in result.unread for problem in unread.problems]
    return Outcome(result.exit_code, (draw or renderer(CHECK, format_name))(result), tuple(lines))
