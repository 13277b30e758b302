"""Batches: one contract and several inputs for it, ready to be asked about.

Hypothesis draws the contract and one number per input, from which the rest follows: drawn choice by choice,
the inputs would take longer than both sides together take to judge them.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from protocolarc.parity.draw.contracts import contracts
from protocolarc.parity.draw.damage import damage
from protocolarc.parity.draw.inputs import Inputs
from protocolarc.parity.draw.mutations import mutate
from protocolarc.parity.draw.spelling import Speller
from protocolarc.runtime.wire import Request

BATCH = 16
"""Requests in a batch, which share a contract."""

_DAMAGED = 0.1
_HOSTILE = 0.05
_seeds = st.integers(0, (1 << 32) - 1)
_batch_of_seeds = st.tuples(*[_seeds] * BATCH)


@st.composite
def batches(draw: st.DrawFn) -> list[Request]:
    """Draw a contract, and inputs in both formats: well-formed, nearly so, and hostile."""
    document = draw(contracts())
    random = Random(draw(_seeds))
    if random.random() < _DAMAGED:
        document = damage(document, random)
    contract = Speller(random.choice((0, random.getrandbits(32))), one_line=False).write(document)
    if random.random() < _HOSTILE:
        contract = mutate(contract, random)
    return list(map(Inputs(document, contract).draw, draw(_batch_of_seeds)))
