"""A place that both revisions know, and only one spells out."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, Line, PlacePair, PlaceRule, line
from protocolarc.rules.entry import Entry
from protocolarc.values.change import Impact
from protocolarc.values.place import Stance

DECLARED = ChangeKind(
    Entry(
        id="field.declared",
        summary="a container that was implied is now declared",
        explanation="The fields below it already said the same.",
        example="params: declared object",
        remedy="Make a patch bump.",
    ),
    otherwise=Impact.COMPATIBLE,
)
UNDECLARED = ChangeKind(
    Entry(
        id="field.undeclared",
        summary="a declared place is now implied by others",
        explanation="The other fields of the contract still say the same.",
        example="params: undeclared object",
        remedy="Make a patch bump.",
    ),
    otherwise=Impact.COMPATIBLE,
)


def compare(place: PlacePair) -> Iterator[Line]:
    """Report a declaration that changes nothing else."""
    old, new = place.old, place.new
    if not (old.known and new.known) or old.stance is new.stance or old.values != new.values:
        return
    if old.required != new.required and not place.is_wildcard:
        return
    if new.stance is Stance.DECLARED:
        yield line(DECLARED, place.name, f"declared {new.types}")
    else:
        yield line(UNDECLARED, place.name, f"undeclared {old.types}")


RULE = PlaceRule((DECLARED, UNDECLARED), compare)
