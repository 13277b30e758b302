"""What the options of ``check`` and ``gate`` ask for."""

from __future__ import annotations

from collections.abc import Sequence

from protocolarc.values.label import escape_label
from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # a date is an option that hooks do not have
    from datetime import date


class WrongOptionsError(ValueError):
    """Options that contradict each other, or a value that none takes."""


class Request(NamedTuple):
    """What is compared, and how. ``pushed`` names what a pre-push hook is asked about, as the remote has it."""

    base: str | None = None
    head: str | None = None
    worktree: bool = False
    transitive: bool | None = None
    now: date | None = None
    pushed: str | None = None


def read_request(
    base: str | None, head: str | None, now: str | None, *, worktree: bool = False, transitive: bool | None = None
) -> Request:
    """Make a request of options.

    Raises:
        WrongOptionsError: they make no sense.
    """
    if worktree and (base is not None or head is not None):
        raise WrongOptionsError("--worktree compares the disk with HEAD; it takes neither --from nor --to")
    return Request(base, head, worktree, transitive, None if now is None else _read_date(now))


def read_files(files: Sequence[str], request: Request, format_name: str, *, each: bool, pre_push: bool) -> bool:
    """Tell whether files are asked about, each for itself.

    Raises:
        WrongOptionsError: something else is asked as well, or files without saying so.
    """
    if not each:
        if files:
            raise WrongOptionsError(f"{escape_label(files[0])}: only --files checks files, each for itself")
        return False
    if request != Request() or pre_push or format_name != "text":
        raise WrongOptionsError("--files checks each file for itself and says so as text; it takes no other option")
    return True


def read_pre_push(request: Request, format_name: str) -> Request:
    """Return a request that asks about what is pushed, and about nothing else.

    Raises:
        WrongOptionsError: it asks about something else, or for another format than text.
    """
    if request.base is not None or request.head is not None or request.worktree:
        raise WrongOptionsError("--pre-push is told what to compare; it takes neither --from, --to nor --worktree")
    if format_name != "text":
        raise WrongOptionsError("--pre-push gives a report for each reference, as text alone")
    return request


def _read_date(text: str) -> date:
    from datetime import date  # noqa: PLC0415  # see above

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise WrongOptionsError(f"--now {escape_label(text)} is no date such as 2026-12-31") from None
