"""Verdicts against the definitions of *receives* and *sends*, decided by exhaustive search."""

from __future__ import annotations

from operator import ge
from random import Random

import pytest

from protocolarc.engine.diff import diff_contracts
from protocolarc.engine.validate import Validator
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Envelope
from tests.support.draw import draw_pair
from tests.support.notation import contract
from tests.support.oracle import axes, fields_of, has_a_void

pytestmark = pytest.mark.property

PAIRS_PER_SEED = 1000
SEEDS = range(22)

KNOWN_FALSE_ALARMS = [
    # The one class of pairs where a line breaks an axis that no envelope shows: a map and the members beside it
    # meet in so few values that the container between them can hold nothing, so what changed is never seen.
    ("b.*.c: number|string [0.25]; b.a.*: integer", "b.*.c: number|string [0.25]; b.a.*: string|array"),
    ('a.*.b: boolean|number; a.c.*: string ["x"]', 'a.*.b: boolean|number; a.c.*: string ["y"]'),
    ("c.*.c: number; c.b.*: string", "c.b.*: null"),
]


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
        shown, lines = (bool(receives), bool(sends)), told(old, new)
        assert all(map(ge, lines, shown)), (fields_of(old), fields_of(new), receives, sends)  # no break is missed
        if lines != shown:  # what is said and not shown is of the known class
            assert has_a_void(old) or has_a_void(new), (fields_of(old), fields_of(new), receives, sends)


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
def test_a_known_false_alarm_is_one_still_and_of_the_known_class(old: str, new: str) -> None:
    before, after = contract(old), contract(new)
    receives, sends = axes(before, after)
    assert (bool(receives), bool(sends)) < told(before, after)
    assert has_a_void(before) or has_a_void(after)


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
