"""Verdicts against the definitions of *receives* and *sends*, decided by exhaustive search."""

from __future__ import annotations

from random import Random

import pytest

from protocolarc.engine.diff import diff_contracts
from protocolarc.engine.validate import Validator
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Envelope
from tests.support.draw import draw_pair
from tests.support.notation import contract
from tests.support.oracle import axes, fields_of

pytestmark = pytest.mark.property

PAIRS_PER_SEED = 1000
SEEDS = range(22)

KNOWN_FALSE_ALARMS = [
    # A map and the members beside it meet in so few values that the container between them cannot hold
    # anything: the place that changed is never seen.
    (
        "b.*.c: number|string [0.25]; b.a.*: integer",
        "b.*.c: number|string [0.25]; b.a.*: string|array",
    ),
    (
        'b[*].b: number opt; a.*.b: boolean|number|object; b[*]: boolean|any opt; a.c.*: string ["x"]',
        'b[*].b: number opt; a.*.b: boolean|number|object; b[*]: boolean|any opt; a.c.*: string ["y"]',
    ),
]


def is_known(old: Contract, new: Contract) -> bool:
    """Tell whether a pair is one of the table above."""
    return any(
        (old.fields, new.fields) == (contract(left).fields, contract(right).fields)
        for left, right in KNOWN_FALSE_ALARMS
    )


def told(old: Contract, new: Contract) -> tuple[bool, bool]:
    """Return the axes that the lines of a diff break."""
    changes = diff_contracts(old, new).changes
    return any(change.receives for change in changes), any(change.sends for change in changes)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_axis_is_broken_exactly_when_a_witness_exists(seed: int) -> None:
    random = Random(seed)
    for _ in range(PAIRS_PER_SEED):
        old, new = draw_pair(random)
        receives, sends = axes(old, new)
        if told(old, new) != (bool(receives), bool(sends)) and is_known(old, new):
            continue
        assert told(old, new) == (bool(receives), bool(sends)), (fields_of(old), fields_of(new), receives, sends)


@pytest.mark.parametrize("seed", range(2))
def test_the_validator_agrees_with_each_witness_of_the_search(seed: int) -> None:
    random = Random(1000 + seed)
    for _ in range(PAIRS_PER_SEED):
        old, new = draw_pair(random)
        receives, sends = axes(old, new)
        for witness, accepts, rejects in ((receives, old, new), (sends, new, old)):
            for data in witness:
                assert not Validator(accepts).validate(Envelope(data)), (fields_of(accepts), data)
                assert Validator(rejects).validate(Envelope(data)), (fields_of(rejects), data)


@pytest.mark.parametrize(("old", "new"), KNOWN_FALSE_ALARMS)
def test_a_known_false_alarm_is_one_still(old: str, new: str) -> None:
    receives, sends = axes(contract(old), contract(new))
    assert told(contract(old), contract(new)) != (bool(receives), bool(sends))


def test_a_revision_compared_with_itself_has_no_changes() -> None:
    random = Random(7)
    for _ in range(PAIRS_PER_SEED):
        drawn, _other = draw_pair(random)
        assert diff_contracts(drawn, drawn).changes == ()


def test_the_axes_swap_when_the_revisions_do() -> None:
    random = Random(8)
    for _ in range(PAIRS_PER_SEED):
        old, new = draw_pair(random)
        assert told(old, new) == told(new, old)[::-1]
