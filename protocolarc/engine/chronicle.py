"""Chronicles: the revisions of a contract with the commits that made them, and what each step changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from protocolarc.engine.chain import in_order
from protocolarc.engine.policy import Terms, diff_under_policy
from protocolarc.values.change import Diff
from protocolarc.values.contract import Contract
from protocolarc.values.jsontype import equal
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Bump, parse_revision

Entries = Mapping[bytes, Contract]
"""The contracts of one name in one tree, by path."""


class Stamp(NamedTuple):
    """Which commit it was: its id, its date in ISO 8601, and its author. The last is data."""

    commit: str
    date: str
    author: str


class State(NamedTuple):
    """What a commit made of a contract."""

    contract: Contract
    stamp: Stamp


class Event(Enum):
    """What a commit did to a revision."""

    FIRST = "first"
    REVISION = "revision"
    EDITED = "edited"
    REMOVED = "removed"


class Step(NamedTuple):
    """One revision that a commit added, edited or removed.

    ``diff`` compares it with its predecessor, or with what it was before it was edited; there is none for the
    first revision and for one that was removed. ``lower_than`` is the revision that a step back gave up.
    """

    name: str
    revision: str
    event: Event
    stamp: Stamp
    path: bytes
    diff: Diff | None = None
    lower_than: str | None = None

    @property
    def carried(self) -> bool | None:
        """Whether the bump is as large as the change asks; ``None`` where there is nothing to carry."""
        if self.diff is None:
            return None if self.lower_than is None else False
        made = Bump.NONE if self.event is Event.EDITED else self.diff.made
        return self.lower_than is None and made is not None and made >= self.diff.needed


def highest(entries: Entries) -> Contract | None:
    """Return the highest revision among the contracts of one name."""
    ordered = in_order(list(entries.values()))
    return ordered[-1] if ordered else None


def up_to_revision(states: Sequence[State], revision: str) -> list[State]:
    """Return the states until the last one of a revision; none where no state was of it."""
    wanted = parse_revision(revision).precedence
    reached = [at for at, state in enumerate(states, 1) if state.contract.revision.precedence == wanted]
    return list(states[: reached[-1]]) if reached else []


def is_new(contract: Contract, known: Iterable[Contract]) -> bool:
    """Tell whether none that is known equals a contract as JSON: moved, or written otherwise, it is what it was."""
    own = contract.revision.precedence
    return not any(
        item is contract or (item.revision.precedence == own and equal(dict(item.document), dict(contract.document)))
        for item in known
    )


def predecessor(contract: Contract, among: Iterable[Contract]) -> Contract | None:
    """Return the highest stable revision below a contract's own."""
    own = contract.revision.precedence
    below = [item for item in among if not item.revision.prerelease and item.revision.precedence < own]
    return max(below, key=_precedence, default=None)


def highest_stable(contracts: Iterable[Contract]) -> Contract | None:
    """Return the highest revision that is no pre-release."""
    return max((item for item in contracts if not item.revision.prerelease), key=_precedence, default=None)


def steps_of(
    parents: Sequence[Entries], after: Entries, stamp: Stamp, terms: Terms, *, stable: Contract | None = None
) -> Iterator[Step]:
    """Yield what one commit did to the revisions of one contract, given what its parents and it hold of it.

    What is equal to what any parent holds is nothing new. ``stable`` is the highest stable revision that there was
    before: in a file that evolves, a pre-release took its place.

    Raises:
        TooManyPlacesError: two revisions combine to more places than a comparison looks at.
    """
    known = [contract for entries in parents for contract in entries.values()]
    everything = [*known, *after.values()]
    top = max(known, key=lambda item: (item.revision.precedence, item.revision.text), default=None)
    for path, contract in sorted(after.items(), key=lambda item: (item[1].revision.precedence, item[0])):
        same = [item for item in known if item.revision.precedence == contract.revision.precedence]
        if not is_new(contract, same):
            continue
        name, text = contract.name, contract.revision.text
        if same:
            diff = diff_under_policy(same[0], contract, terms)
            yield Step(name, text, Event.EDITED, stamp, path, diff)
            continue
        earlier = predecessor(contract, everything)
        if earlier is None and known and stable is not None:
            earlier = predecessor(contract, [stable])
        lower = _lower_than(contract, top, after)
        if earlier is None:
            event = Event.REVISION if known else Event.FIRST
            yield Step(name, text, event, stamp, path, None, lower)
        else:
            diff = diff_under_policy(earlier, contract, terms)
            yield Step(name, text, Event.REVISION, stamp, path, diff, lower)
    yield from _removals(parents[0], after, stamp)


def _removals(before: Entries, after: Entries, stamp: Stamp) -> Iterator[Step]:
    """Yield the revisions whose file went away, or no longer holds the contract, with nothing in their place."""
    if before.keys() <= after.keys():
        return
    left = {contract.revision.precedence for contract in after.values()}
    for path, contract in sorted(before.items()):
        if path not in after and contract.revision.precedence not in left and not _replaced(before, after):
            yield Step(contract.name, contract.revision.text, Event.REMOVED, stamp, path)


def _replaced(before: Entries, after: Entries) -> bool:
    """Tell whether the only revision then gave way to the only one now, in whatever file."""
    return len(before) == 1 and len(after) == 1


def _lower_than(contract: Contract, top: Contract | None, after: Entries) -> str | None:
    """Return the revision that was given up for a lower one, when nothing as high as it is left."""
    if top is None or contract.revision.precedence > top.revision.precedence:
        return None
    still = any(item.revision.precedence >= top.revision.precedence for item in after.values())
    return None if still else top.revision.text


def _precedence(contract: Contract) -> Any:  # noqa: ANN401  # a sort key
    return contract.revision.precedence
