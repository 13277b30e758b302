"""From what a command was asked to what it says: the report, the exit code, and lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from protocolarc.config.policy import ConfigError
from protocolarc.gitstore.plumbing import GitError, open_repository
from protocolarc.registry.request import Request
from protocolarc.registry.staged import list_staged, without_a_change
from protocolarc.render.formats import CHECK, renderer
from protocolarc.values.judgement import CheckResult
from protocolarc.values.label import escape_label, one_line
from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

INPUT = 3


class Outcome(NamedTuple):
    """What to print on standard output, what to say on standard error, and how to leave."""

    exit_code: int
    text: str
    lines: tuple[str, ...] = ()


Draw = Callable[[CheckResult], str]


def run_check(request: Request, format_name: str, environ: Mapping[str, str], draw: Draw | None = None) -> Outcome:
    """Check the repository of the current directory: a range of commits, the disk, or what is staged.

    In a pre-push hook the runners say which commits are pushed.
    """
    if request.base is None and request.head is None and not request.worktree and environ.get("PRE_COMMIT_TO_REF"):
        request = request._replace(
            base=environ.get("PRE_COMMIT_FROM_REF") or None,
            head=environ["PRE_COMMIT_TO_REF"],
            pushed=environ.get("PRE_COMMIT_REMOTE_BRANCH") or "",
        )
    ranged = request.base is not None or request.head is not None

    def answer() -> CheckResult:
        with open_repository(".", environ, bare=ranged) as git:
            if ranged:
                from protocolarc.registry.ranges import check_range  # noqa: PLC0415  # hooks do without

                return check_range(git, request)
            if request.worktree:
                from protocolarc.registry.worktree import check_worktree  # noqa: PLC0415  # the same

                return check_worktree(git, request)
            listed = list_staged(git, environ)
            result = without_a_change(listed)
            if result is None:
                from protocolarc.registry.check import check_staged  # noqa: PLC0415  # most commits do without

                result = check_staged(git, listed, request)
            return result

    return conclude(answer, format_name, draw)


def run_pushed(stream: IO[bytes] | None, request: Request, environ: Mapping[str, str]) -> Outcome:
    """Check what is pushed, as git tells a plain pre-push hook: each reference against what the remote has of it.

    Raises:
        WrongOptionsError: the stream is not what git gives such a hook.
    """
    from protocolarc.registry.pushed import check_push, read_pushes  # noqa: PLC0415  # other hooks do without

    pushes = read_pushes(stream)
    try:
        with open_repository(".", environ, bare=True) as git:
            outcomes = [conclude(partial(check_push, git, push, request), "text") for push in pushes]
    except GitError as error:
        return _refused(error)
    return Outcome(
        max((outcome.exit_code for outcome in outcomes), default=0),
        "".join(outcome.text for outcome in outcomes) or "nothing is pushed\n",
        tuple(line for outcome in outcomes for line in outcome.lines),
    )


def run_files(paths: Sequence[str]) -> Outcome:
    """Check the shape of contract files on the disk, each for itself, without git."""
    from protocolarc.registry.disk import read_path  # noqa: PLC0415  # this alone reads files
    from protocolarc.render.text import render_problem  # noqa: PLC0415  # the same

    lines = [render_problem(escape_label(path), problem) for path in paths for problem in read_path(path)]
    return Outcome(INPUT if lines else 0, "", tuple(lines))


def conclude(answer: Callable[[], CheckResult], format_name: str, draw: Draw | None = None) -> Outcome:
    """Render what a comparison found, in a format or by a function of the caller, or say why there is none."""
    try:
        result = answer()
    except GitError as error:
        return _refused(error)
    except ValueError as error:
        if not _is_refusal(error):
            raise
        return Outcome(INPUT, "", (f"error: {one_line(str(error))}",))
    return Outcome(result.exit_code, (draw or renderer(CHECK, format_name))(result), tuple(_lines(result)))


def _refused(error: GitError) -> Outcome:
    hints = (f"hint: {one_line(error.hint)}",) if error.hint else ()
    return Outcome(INPUT, "", (f"error: {one_line(error.reason)}", *hints))


def _is_refusal(error: ValueError) -> bool:
    """Tell whether an error is about the input and not a fault."""
    if isinstance(error, ConfigError):
        return True
    from protocolarc.engine.places import TooManyPlacesError  # noqa: PLC0415  # not for what does not happen

    return isinstance(error, TooManyPlacesError)


def _lines(result: CheckResult) -> Iterator[str]:
    """Say why files gave no contract."""
    if not result.unread:
        return
    from protocolarc.render.text import render_problem  # noqa: PLC0415  # most files give one

    for unread in result.unread:
        for problem in unread.problems:
            yield render_problem(unread.path, problem)
