"""A place that only the new revision declares, and the old one left free or did not know."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, Line, PlacePair, PlaceRule, line
from protocolarc.rules.entry import Entry
from protocolarc.values.accepted import EVERYTHING, Accepted
from protocolarc.values.place import Stance

REQUIRED = ChangeKind(
    Entry(
        id="field.added.required",
        summary="a new field is required",
        explanation="Senders of the old revision do not know the field, and the new revision rejects its absence.",
        example="params.cwd: added string",
        remedy="Add the field as optional, or make a major bump.",
    ),
    receives=True,
)
OPTIONAL = ChangeKind(
    Entry(
        id="field.added.optional",
        summary="a new field is optional",
        explanation="Old senders leave it out, old receivers ignore it.",
        example="params.timeout_ms: added integer",
        remedy="Make a minor bump.",
    ),
)
IN_FREE = ChangeKind(
    Entry(
        id="field.added.in_free",
        summary="a new field stands where anything was allowed",
        explanation="The old revision declared nothing inside this container, so its senders may already use "
        "the same key with a value that the new field refuses.",
        example="params.arguments.path: added string",
        remedy="Check recorded traffic for the key, then make a major bump.",
    ),
    receives=True,
)


def compare(place: PlacePair) -> Iterator[Line]:
    """Report the addition; in free content it is compared with an optional field of any type."""
    if place.new.stance is not Stance.DECLARED or place.old.known:
        return
    if place.old.stance is Stance.ABSENT:
        kind = REQUIRED if place.demanded else OPTIONAL
    elif place.new.required and not place.is_wildcard:
        kind = REQUIRED
    else:
        kind = OPTIONAL if place.new.values == Accepted(EVERYTHING) else IN_FREE
    yield line(kind, place.name, f"added {place.new.types}")


RULE = PlaceRule((REQUIRED, OPTIONAL, IN_FREE), compare)
