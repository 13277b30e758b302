"""Whether the member at a place may be missing."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, Line, PlacePair, PlaceRule, line
from protocolarc.rules.entry import Entry

TIGHTENED = ChangeKind(
    Entry(
        id="field.required.tightened",
        summary="an optional field becomes required",
        explanation="Senders of the old revision may leave the field out, and the new revision rejects that. "
        "An undeclared container counts as required when a required field stands below it.",
        example="params.arguments: optional -> required",
        remedy="Keep the field optional with a default in the receiver, or make a major bump.",
    ),
    receives=True,
)
RELAXED = ChangeKind(
    Entry(
        id="field.required.relaxed",
        summary="a required field becomes optional",
        explanation="Senders of the new revision may leave out what an old receiver needs.",
        example="params.arguments: required -> optional",
        remedy="On the response side: go on sending the field, or make a major bump.",
    ),
    sends=True,
)


def compare(place: PlacePair) -> Iterator[Line]:
    """Compare presence; it means nothing on a path that ends in a wildcard."""
    old, new = place.old, place.new
    if not (old.known and new.known) or place.is_wildcard or old.required == new.required:
        return
    if new.required:
        yield line(TIGHTENED, place.name, "optional -> required")
    else:
        yield line(RELAXED, place.name, "required -> optional")


RULE = PlaceRule((TIGHTENED, RELAXED), compare)
