"""Changes between two revisions, and the verdict that they add up to."""

from __future__ import annotations

from enum import IntEnum

from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Bump


class Impact(IntEnum):
    """What a change does to those who already speak the contract; ordered, so the verdict is the maximum."""

    COMPATIBLE = 0
    FORWARD = 1
    BREAKING = 2

    @property
    def label(self) -> str:
        """The word for reports: ``compatible``, ``forward`` or ``breaking``."""
        return self.name.lower()


class Change(NamedTuple):
    """One line of a diff.

    ``receives``: an old sender meets a new receiver and may be rejected.
    ``sends``: a new sender meets an old receiver and may be rejected.
    """

    kind: str
    field: str
    impact: Impact
    receives: bool
    sends: bool
    detail: str


class Diff(NamedTuple):
    """The classified difference of two revisions of one contract, worst change first.

    ``made``: the bump between the two revisions, or ``None`` when the new one is not higher.
    ``needed``: the bump that the verdict asks for. ``smallest``: the smallest revision that carries it.
    """

    name: str
    old: str
    new: str
    side: str
    verdict: Impact
    made: Bump | None
    needed: Bump
    smallest: str
    changes: tuple[Change, ...]

    @property
    def carried(self) -> bool:
        """True when the bump that was made is enough."""
        return self.made is not None and self.made >= self.needed
