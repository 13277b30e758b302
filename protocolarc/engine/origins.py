"""Where things come from: the revision that gave a field its present shape, and the first that rejects an envelope."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from protocolarc.engine.chain import in_order
from protocolarc.engine.chronicle import State
from protocolarc.engine.validate import Validator
from protocolarc.values.contract import FieldSpec
from protocolarc.values.envelope import Envelope
from protocolarc.values.finding import Finding
from protocolarc.values.jsontype import identity


class Origin(NamedTuple):
    """The state that gave a field the shape it has now."""

    field: FieldSpec
    state: State


class Rejection(NamedTuple):
    """The lowest revision that rejects an envelope, why, and the revisions below it, which accept it."""

    state: State
    findings: tuple[Finding, ...]
    accepted_by: tuple[str, ...]


def origins_of(states: Iterable[State]) -> list[Origin]:
    """Return the origin of each field of the last state; the states stand in order of time.

    The shape of a field is its types, whether it is required, and its enum; words and order are none of it.
    """
    known: dict[str, Origin] = {}
    for state in states:
        now: dict[str, Origin] = {}
        for field in state.contract.fields:
            before = known.get(field.name)
            same = before is not None and _shape(before.field) == _shape(field)
            now[field.name] = Origin(field, before.state if same and before is not None else state)
        known = now
    return list(known.values())


def first_rejection(states: Iterable[State], envelope: Envelope) -> Rejection | None:
    """Return the lowest revision that rejects an envelope, or ``None``. Of a revision its last state counts."""
    last = {state.contract.revision.precedence: state for state in states}
    by_contract = {id(state.contract): state for state in last.values()}
    accepted_by: list[str] = []
    for contract in in_order([state.contract for state in last.values()]):
        validator = Validator(contract)
        if not validator.accepts(envelope):
            return Rejection(by_contract[id(contract)], validator.validate(envelope), tuple(accepted_by))
        accepted_by.append(contract.revision.text)
    return None


def _shape(field: FieldSpec) -> object:
    members = None if field.enum is None else frozenset(map(identity, field.enum))
    return frozenset(field.types), field.required, members
