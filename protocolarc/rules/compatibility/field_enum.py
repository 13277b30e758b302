"""The members that a place lists."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, Line, PlacePair, PlaceRule, thinned
from protocolarc.rules.entry import Entry
from protocolarc.values.enums import beyond
from protocolarc.values.jsontype import Scalar
from protocolarc.values.literal import MAX_MEMBERS, show_members
from protocolarc.values.place import View

RESTRICTED = ChangeKind(
    Entry(
        id="field.enum.restricted",
        summary="an enum loses members",
        explanation="An old sender may still use a member that the new revision refuses.",
        example="mode: removed {'fast'}",
        remedy="Go on accepting the member, or make a major bump.",
    ),
    receives=True,
)
EXPANDED = ChangeKind(
    Entry(
        id="field.enum.expanded",
        summary="an enum gains members",
        explanation="An old receiver meets a member that it does not know.",
        example="state: added {'paused'}",
        remedy="On the response side: make a major bump, or leave the set open from the start.",
    ),
    sends=True,
)
CHANGED = ChangeKind(
    Entry(
        id="field.enum.changed",
        summary="an enum loses members and gains others",
        explanation="Both directions can fail: old members are refused, new ones are unknown to old receivers.",
        example="mode: removed {'fast'}, added {'quick'}",
        remedy="Add the new members first and drop the old ones with a later major bump.",
    ),
    receives=True,
    sends=True,
)
ADDED = ChangeKind(
    Entry(
        id="field.enum.added",
        summary="a field is limited to an enum",
        explanation="Any value of the type was allowed; now only the members are.",
        example="mode: added {'fast', 'slow'}",
        remedy="Document the members and go on accepting others, or make a major bump.",
    ),
    receives=True,
)
REMOVED = ChangeKind(
    Entry(
        id="field.enum.removed",
        summary="a field is no longer limited to an enum",
        explanation="Old receivers accept the members only; now any value of the type may come.",
        example="mode: removed {'fast', 'slow'}",
        remedy="On the response side: go on sending the members only, or make a major bump.",
    ),
    sends=True,
)


def compare(place: PlacePair) -> Iterator[Line]:
    """Compare the members that the types admit; what only a change of types takes away has its own line."""
    if not (place.old.known and place.new.known) or place.old.values == place.new.values:
        return
    old, new = place.old.enum, place.new.enum
    if old is None and new is not None:
        yield thinned(ADDED, place, f"added {show_members(new)}")
    elif old is not None and new is None:
        yield thinned(REMOVED, place, f"removed {show_members(old)}")
    elif old is not None and new is not None:
        removed, added = _beyond(place.old, old, new), _beyond(place.new, new, old)
        details = [f"removed {removed}"] * bool(removed) + [f"added {added}"] * bool(added)
        if details:
            kind = CHANGED if removed and added else RESTRICTED if removed else EXPANDED
            yield thinned(kind, place, ", ".join(details))


def _beyond(view: View, members: tuple[Scalar, ...], others: tuple[Scalar, ...]) -> str:
    """Show the members that one revision admits and the other does not list; nothing where there are none."""
    found, count = beyond(members, others, view.atoms, MAX_MEMBERS)
    return show_members(found, count=count) if count else ""


RULE = PlaceRule((RESTRICTED, EXPANDED, CHANGED, ADDED, REMOVED), compare)
