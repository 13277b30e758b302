"""The classified difference of two revisions of one contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocolarc.engine.bump import bump_made, bump_needed, smallest_revision
from protocolarc.engine.places import compare_places
from protocolarc.rules.compatibility import LAST_RESORT, RULES
from protocolarc.rules.compatibility.kinds import ContractRule, Line, PlaceRule
from protocolarc.values.change import Change, Diff, Impact
from protocolarc.values.contract import Contract
from protocolarc.values.path import Path, render_path
from protocolarc.values.record import NamedTuple
from protocolarc.values.remembered import forget
from protocolarc.values.tree import Node

_CONTRACT_RULES = tuple(rule for rule in RULES if isinstance(rule, ContractRule))
_PLACE_RULES = tuple(rule for rule in RULES if isinstance(rule, PlaceRule))


class NamesDifferError(ValueError):
    """Two contracts of different names were compared: there is nothing to compare."""


def diff_contracts(old: Contract, new: Contract, side: str | None = None) -> Diff:
    """Compare two revisions. ``side`` stands in for the one that the new revision names.

    Raises:
        NamesDifferError: the contracts are not revisions of one.
        TooManyPlacesError: the contracts combine to more places than a comparison looks at.
    """
    if old.name != new.name:
        raise NamesDifferError(f"{old.label} and {new.label} are different contracts")
    judged_side = side or new.side
    try:
        changes = sorted((_judge(line, judged_side) for line in _lines(old, new)), key=_sort_key)
    finally:
        forget()
    verdict = max((change.impact for change in changes), default=Impact.COMPATIBLE)
    needed = bump_needed(old.revision, verdict, changed=bool(changes))
    return Diff(
        name=new.name,
        old=old.revision.text,
        new=new.revision.text,
        side=judged_side,
        verdict=verdict,
        made=bump_made(old.revision, new.revision),
        needed=needed,
        smallest=smallest_revision(old.revision, needed),
        changes=tuple(changes),
    )


def _lines(old: Contract, new: Contract) -> list[Line]:
    lines = [line for rule in _CONTRACT_RULES for line in rule.compare(old, new)]
    unspelled: list[_Unspelled] = []
    for compared in compare_places(old, new):
        place = compared.place
        found = [line for rule in _PLACE_RULES for line in rule.compare(place)]
        if compared.is_spelled:
            lines += found
        elif found:
            unspelled.append(_Unspelled(compared.path, [node for node, _ in place.old.nodes + place.new.nodes], found))
    if unspelled:
        lines += _not_told(unspelled, lines)
    return lines or list(LAST_RESORT.compare(old, new))


class _Unspelled(NamedTuple):
    """What an undeclared place shows, with the nodes that speak of it."""

    path: Path
    nodes: list[Node]
    lines: list[Line]


def _not_told(unspelled: Sequence[_Unspelled], lines: Sequence[Line]) -> list[Line]:
    """Keep what an undeclared place shows only where it breaks an axis that the fields behind it do not.

    Those are the maps that speak of it or, where it is merely implied, the fields below. What is left is
    rare: a container that a named member demands, while a map beside it keeps the member itself as it was.
    """
    from protocolarc.engine.told import Told  # noqa: PLC0415  # most changes are those of fields

    told = Told(node for place in unspelled for node in place.nodes)
    for line in lines:
        for axis in _axes(line):
            told.add(line.field, axis)
    kept: list[Line] = []
    for place in unspelled:
        for line in place.lines:
            news = [axis for axis in _axes(line) if not told.is_behind(place.nodes, axis)]
            if news:
                kept.append(line._replace(field=render_path(place.path)))
            for axis in news:
                told.add_all(place.nodes, axis)
    return kept


def _axes(line: Line) -> Iterator[str]:
    if line.receives:
        yield "receives"
    if line.sends:
        yield "sends"


def _judge(line: Line, side: str) -> Change:
    """Decide the impact: the axis that the side is at risk on, or the policy, makes a change breaking."""
    at_risk = (line.receives and side != "response") or (line.sends and side != "request")
    impact = Impact.BREAKING if at_risk or line.kind.policy else line.kind.otherwise
    return Change(line.kind.entry.id, line.field, impact, line.receives, line.sends, line.detail)


def _sort_key(change: Change) -> tuple[int, str, str, str]:
    return -change.impact, change.field, change.kind, change.detail
