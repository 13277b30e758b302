"""Judgements: what the registry's rules say about a change, and the outcome of a whole check."""

from __future__ import annotations

from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # an outcome without judgements, the most common one in a hook, needs none of this
    from protocolarc.values.change import Diff
    from protocolarc.values.snapshot import Unread

ERROR, NOTICE = "error", "notice"


class Judgement(NamedTuple):
    """One thing that the rules have to say about one contract.

    ``exit_code`` is 0 for a notice, 2 for a breaking change that its revision does not carry, else 1.
    ``old`` and ``new`` are the revisions that were compared, as text. ``path`` is escaped, and where the
    contract is in the head, or was in the base. ``message`` is one line of ASCII. ``smallest`` is the smallest
    revision that would do, where a bump is what is missing.
    """

    code: str
    level: str
    exit_code: int
    contract: str
    old: str | None
    new: str | None
    path: str
    message: str
    diff: Diff | None = None
    smallest: str | None = None


class CheckResult(NamedTuple):
    """The outcome of ``check`` or ``gate``.

    ``head``, ``base`` and ``anchor`` say what was compared; the anchor is what others can already have, and
    equals the base where there is no difference. ``contracts`` counts those of the head. ``notes`` are lines about
    the comparison as a whole. ``unread`` are the files of the head that gave no contract.
    """

    head: str
    base: str
    anchor: str
    contracts: int
    judgements: tuple[Judgement, ...]
    notes: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def exit_code(self) -> int:
        """The worst that applies: 3 for a file that gave no contract, then 2, 1, 0."""
        if self.unread:
            return 3
        return max((item.exit_code for item in self.judgements), default=0)


def sort_key(item: Judgement) -> tuple[int, str, str, str, str]:
    """Order judgements: what weighs most first, then by contract, revision, code and path."""
    return -item.exit_code - (item.level == ERROR), item.contract, item.new or "", item.code, item.path
