"""A place that only the old revision declares, and the new one leaves free or does not know."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, Line, PlacePair, PlaceRule, line
from protocolarc.rules.entry import Entry
from protocolarc.values.accepted import EVERYTHING, Accepted
from protocolarc.values.place import Stance

REQUIRED = ChangeKind(
    Entry(
        id="field.removed.required",
        summary="a required field is gone",
        explanation="Every receiver of the old revision rejects what senders of the new one emit. "
        "It is breaking on every side for that reason.",
        example="params.path: removed string",
        remedy="Keep the field, make it optional first, or make a major bump.",
    ),
    sends=True,
    policy=True,
)
OPTIONAL = ChangeKind(
    Entry(
        id="field.removed.optional",
        summary="an optional field is gone",
        explanation="Old receivers do without it, new receivers ignore it.",
        example="params.note: removed string",
        remedy='Make a minor bump, and list the path under "reserved" so that it never returns with another type.',
    ),
)
TO_FREE = ChangeKind(
    Entry(
        id="field.removed.to_free",
        summary="a field is gone and anything may stand in its place",
        explanation="The new revision declares nothing inside this container, so its senders may use the same key "
        "with a value that old receivers refuse.",
        example="params.arguments.path: removed string",
        remedy="On the response side: keep the declaration, or make a major bump.",
    ),
    sends=True,
)


def compare(place: PlacePair) -> Iterator[Line]:
    """Report the removal; free content in the new revision counts as an optional field of any type."""
    if place.old.stance is not Stance.DECLARED or place.new.known:
        return
    if place.new.stance is Stance.ABSENT:
        kind = REQUIRED if place.demanded else OPTIONAL
    elif place.old.required and not place.is_wildcard:
        kind = REQUIRED
    else:
        kind = OPTIONAL if place.old.values == Accepted(EVERYTHING) else TO_FREE
    yield line(kind, place.name, f"removed {place.old.types}")


RULE = PlaceRule((REQUIRED, OPTIONAL, TO_FREE), compare)
