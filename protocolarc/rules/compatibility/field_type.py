"""The types of a place, null aside from the rest."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, Line, PlacePair, PlaceRule, thinned
from protocolarc.rules.entry import Entry

NARROWED = ChangeKind(
    Entry(
        id="field.type.narrowed",
        summary="a field takes fewer types than before",
        explanation="Every type of the new revision was allowed by the old one, some are gone. "
        "`integer` is inside `number`, and `any` contains every type.",
        example="id: string|integer -> string",
        remedy="Keep the old type beside the new one until no sender uses it, or make a major bump.",
    ),
    receives=True,
)
WIDENED = ChangeKind(
    Entry(
        id="field.type.widened",
        summary="a field takes more types than before",
        explanation="Old senders are safe; an old receiver meets types it does not know.",
        example="id: string -> string|integer",
        remedy="On the response side: add a field beside the old one instead, or make a major bump.",
    ),
    sends=True,
)
CHANGED = ChangeKind(
    Entry(
        id="field.type.changed",
        summary="a field takes other types than before",
        explanation="Neither list of types contains the other, so both directions can fail.",
        example="limit: string -> integer",
        remedy="Accept both types for a while, give the new shape a new name, or make a major bump.",
    ),
    receives=True,
    sends=True,
)
NULL_DROPPED = ChangeKind(
    Entry(
        id="field.null.dropped",
        summary="a field may no longer be null",
        explanation="The types differ by `null` alone, which the new revision refuses.",
        example="cursor: string|null -> string",
        remedy="Go on accepting null, or make a major bump.",
    ),
    receives=True,
)
NULL_ADDED = ChangeKind(
    Entry(
        id="field.null.added",
        summary="a field may now be null",
        explanation="The types differ by `null` alone, which the old revision refuses.",
        example="cursor: string -> string|null",
        remedy="On the response side: leave the field out instead of sending null, or make a major bump.",
    ),
    sends=True,
)


def compare(place: PlacePair) -> Iterator[Line]:
    """Compare the types as sets; one line at most, and none where the accepted values are equal."""
    old, new = place.old, place.new
    if not (old.known and new.known) or old.atoms == new.atoms or old.values == new.values:
        return
    if old.atoms ^ new.atoms == {"null"}:
        kind = NULL_DROPPED if "null" in old.atoms else NULL_ADDED
    elif new.atoms < old.atoms:
        kind = NARROWED
    else:
        kind = WIDENED if old.atoms < new.atoms else CHANGED
    yield thinned(kind, place, f"{old.types} -> {new.types}")


RULE = PlaceRule((NARROWED, WIDENED, CHANGED, NULL_DROPPED, NULL_ADDED), compare)
