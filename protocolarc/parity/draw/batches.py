"""Batches: one contract and several inputs for it, as bytes, ready to be asked about.

Hypothesis draws the contract, and a seeded source what is made of it: drawn choice by choice, the inputs would take
longer than both sides together take to judge them, and come out alike much more often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from hypothesis import strategies as st

from protocolarc.parity.draw.contracts import contracts
from protocolarc.parity.draw.damage import damage
from protocolarc.parity.draw.documents import draw_value
from protocolarc.parity.draw.inputs import Inputs
from protocolarc.parity.draw.mutations import mutate
from protocolarc.parity.draw.spelling import Speller
from protocolarc.runtime.wire import Request
from protocolarc.values.jsontype import Value

BATCH = 16
"""Requests in a batch, which share a contract."""

_DAMAGED = 0.3
_SOUND = 0.98
_HOSTILE = 0.05


def make_batch(document: Mapping[str, Value], random: Random) -> Iterator[Request]:
    """Write a contract, now and then a damaged one, and inputs for it: well-formed, nearly so, and hostile."""
    chance = random.random()
    if chance < _DAMAGED:
        document = damage(document, random)
    content: Value = draw_value(random) if chance > _SOUND else dict(document)
    contract = Speller(random.choice((0, random.getrandbits(32))), one_line=False).write(content)
    if random.random() < _HOSTILE:
        contract = mutate(contract, random)
    inputs = Inputs(document, contract)
    for _ in range(BATCH):
        yield inputs.draw(random)


batches = st.builds(make_batch, contracts(), st.integers(0).map(Random)).map(list)
"""Any batch, drawn by Hypothesis alone."""
