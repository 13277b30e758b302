"""What a compatibility rule is made of: the kinds of change that it may report, and how it finds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from protocolarc.rules.entry import Entry
from protocolarc.values.change import Impact
from protocolarc.values.contract import Contract
from protocolarc.values.place import View
from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


class ChangeKind(NamedTuple):
    """A kind of change and its row of the table.

    ``receives`` and ``sends`` are the axes that it breaks; ``policy`` makes it breaking whatever the side.
    ``otherwise`` is its impact on a side whose axis it does not break.
    """

    entry: Entry
    receives: bool = False
    sends: bool = False
    policy: bool = False
    otherwise: Impact = Impact.FORWARD


class Line(NamedTuple):
    """One observation of a rule. The axes are those of the kind, thinned to where the values really differ."""

    kind: ChangeKind
    field: str
    detail: str
    receives: bool
    sends: bool


class PlacePair(NamedTuple):
    """One path that either revision speaks of, with what each says.

    ``demanded`` tells, for a place that one revision lacks, whether the other requires it of every object
    that both know: its field is required, with member steps alone down from a place where the lacking
    revision admits an object.
    """

    name: str
    is_wildcard: bool
    old: View
    new: View
    demanded: bool = False

    @property
    def receives(self) -> bool:
        """True when an accepted value of the old revision is none of the new."""
        return not self.new.values.contains(self.old.values)

    @property
    def sends(self) -> bool:
        """True when an accepted value of the new revision is none of the old."""
        return not self.old.values.contains(self.new.values)


def line(kind: ChangeKind, field: str, detail: str) -> Line:
    """Report a change with the axes of its row."""
    return Line(kind, field, detail, kind.receives, kind.sends)


def thinned(kind: ChangeKind, place: PlacePair, detail: str) -> Line:
    """Report a change of values with only the axes on which the accepted values of the place differ."""
    return Line(kind, place.name, detail, kind.receives and place.receives, kind.sends and place.sends)


PlaceCheck: TypeAlias = Callable[[PlacePair], Iterator[Line]]
ContractCheck: TypeAlias = Callable[[Contract, Contract], Iterator[Line]]


class PlaceRule(NamedTuple):
    """A rule that compares what two revisions say about one place."""

    kinds: tuple[ChangeKind, ...]
    compare: PlaceCheck


class ContractRule(NamedTuple):
    """A rule that compares two revisions as documents."""

    kinds: tuple[ChangeKind, ...]
    compare: ContractCheck
