"""The definitions of *receives* and *sends*, decided by search over a complete finite domain.

Every value gets, per revision, one of three states. Validity is a conjunction, so the state of a container
is the minimum over its places, and at each place only the smallest value for each pair of states matters.
Nothing here uses the product's own notion of places, accepted values or kinds of change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.number import Number
from protocolarc.values.path import Step, Wildcard

REJECTED, ACCEPTED, CLOSED = 0, 1, 2
States = tuple[int, int]
FRESH_KEY = "z"
_SCALARS: tuple[Any, ...] = ("f", 7, Number("0.5"), True, False, None)
_ADMITS: dict[str, Any] = {
    "string": lambda value: type(value) is str,
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, Number),
    "boolean": lambda value: type(value) is bool,
    "object": lambda value: type(value) is dict,
    "array": lambda value: type(value) is list,
    "null": lambda value: value is None,
    "any": lambda value: True,
}


class Spot:
    """A place that declared paths of one contract end at or pass through."""

    def __init__(self) -> None:
        self.field: FieldSpec | None = None
        self.below: dict[Step, Spot] = {}

    def needed(self) -> bool:
        """Whether the absence of this member is a finding."""
        return self.field.required if self.field is not None else self.lacking()

    def lacking(self) -> bool:
        """Whether an object without any member here is a finding."""
        return any(isinstance(step, str) and spot.needed() for step, spot in self.below.items())

    def admits(self, value: Any) -> bool:
        """Whether the value itself, whatever is inside, passes here."""
        if self.field is None:
            return type(value) is dict or not self.lacking()
        if not any(_ADMITS[name](value) for name in self.field.types):
            return False
        if self.field.enum is None or isinstance(value, (dict, list)):
            return True
        return any(type(value) is type(member) and value == member for member in self.field.enum)


def grow(contract: Contract) -> Spot:
    """Return the tree of a contract."""
    root = Spot()
    root.field = FieldSpec("", (), ("object",))
    for field in contract.fields:
        spot = root
        for step in field.path:
            spot = spot.below.setdefault(step, Spot())
        spot.field = field
    return root


def axes(old: Contract, new: Contract) -> tuple[Any, Any]:
    """Return the smallest witness of each axis, wrapped in a list; an empty list where none exists."""
    found = _values((grow(old),), (grow(new),))
    return (
        [found[CLOSED, REJECTED]] if (CLOSED, REJECTED) in found else [],
        [found[REJECTED, CLOSED]] if (REJECTED, CLOSED) in found else [],
    )


def has_a_void(contract: Contract) -> bool:
    """Tell whether some place that the contract speaks of can hold nothing at all: a map and the members beside it
    meet in so few values that the container between them stays away."""
    pending: list[Spots] = [(grow(contract),)]
    while pending:
        spots = pending.pop()
        if not any(state == CLOSED for state, _ in _values(spots, ())):
            return True
        steps = {step for spot in spots for step in spot.below}
        pending += [_reach(spots, step) if isinstance(step, str) else _step(spots, step) for step in steps]
    return False


Spots = tuple[Spot, ...]


def _values(old: Spots, new: Spots) -> dict[States, Any]:
    best: dict[States, Any] = {}
    if not old and not new:
        return {(CLOSED, CLOSED): "f"}
    members = [spot.field.enum for spot in (*old, *new) if spot.field is not None and spot.field.enum]
    for value in (*_SCALARS, *(member for enum in members for member in enum)):
        _keep(best, (_own(old, value), _own(new, value)), value)
    for states, value in (*_objects(old, new), *_arrays(old, new)):
        own = (_own(old, value), _own(new, value))
        _keep(best, _minimum(own, states), value)
    return best


def _own(spots: Spots, value: Any) -> int:
    return CLOSED if all(spot.admits(value) for spot in spots) else REJECTED


def _objects(old: Spots, new: Spots) -> Iterator[tuple[States, Any]]:
    keys = dict.fromkeys(step for spot in (*old, *new) for step in spot.below if isinstance(step, str))
    best: dict[States, Any] = {(CLOSED, CLOSED): {}}
    for key in (*keys, FRESH_KEY):
        reached = (_reach(old, key), _reach(new, key))
        caps = (_cap(old, reached[0]), _cap(new, reached[1]))
        options = [(_minimum(states, caps), [value]) for states, value in _values(*reached).items()]
        options.append(((_missing(old, key), _missing(new, key)), []))
        grown: dict[States, Any] = {}
        for states, value in best.items():
            for more, item in options:
                _keep(grown, _minimum(states, more), {**value, **dict.fromkeys([key] * len(item), *item)})
        best = grown
    yield from best.items()


def _arrays(old: Spots, new: Spots) -> Iterator[tuple[States, Any]]:
    yield (CLOSED, CLOSED), []
    items = _values(_step(old, Wildcard.ITEM), _step(new, Wildcard.ITEM))
    for first, one in items.items():
        yield first, [one]
        for second, two in items.items():
            yield _minimum(first, second), [one, two]


def _reach(spots: Spots, key: str) -> Spots:
    return (*_step(spots, key), *_step(spots, Wildcard.VALUE))


def _step(spots: Spots, step: Step) -> Spots:
    return tuple(spot.below[step] for spot in spots if step in spot.below)


def _cap(spots: Spots, reached: Spots) -> int:
    """An undeclared key in an object whose keys are declared is accepted, but no conforming sender emits it."""
    declares = any(step is not Wildcard.ITEM for spot in spots for step in spot.below)
    return ACCEPTED if declares and not reached else CLOSED


def _missing(spots: Spots, key: str) -> int:
    return REJECTED if any(spot.needed() for spot in _step(spots, key)) else CLOSED


def _minimum(left: States, right: States) -> States:
    return min(left[0], right[0]), min(left[1], right[1])


def _keep(best: dict[States, Any], states: States, value: Any) -> None:
    if states not in best or _size(value) < _size(best[states]):
        best[states] = value


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(1 + _size(item) for item in value.values())
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


def fields_of(contract: Contract) -> Sequence[str]:
    """Return a contract in one line per field, for the message of a failing test."""
    return [
        f"{field.name}: {field.type_text}"
        + ("" if field.required else " opt")
        + ("" if field.enum is None else f" {list(field.enum)}")
        for field in contract.fields
    ]
