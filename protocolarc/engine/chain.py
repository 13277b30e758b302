"""Chains: the revisions of one contract in order, and what each step changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from protocolarc.engine.diff import diff_contracts
from protocolarc.engine.places import TooManyPlacesError
from protocolarc.values.change import Diff
from protocolarc.values.contract import Contract
from protocolarc.values.record import NamedTuple


class Step(NamedTuple):
    """One step of a chain; ``diff`` is ``None`` where the two revisions are too much to compare."""

    old: str
    new: str
    diff: Diff | None


def in_order(contracts: Sequence[Contract]) -> list[Contract]:
    """Sort the revisions of one contract, ascending; those of equal precedence by their text."""
    return sorted(contracts, key=lambda contract: (contract.revision.precedence, contract.revision.text))


def chain_of(contracts: Sequence[Contract]) -> list[Step]:
    """Return the step from each revision to the next higher one."""
    return [_step(old, new) for old, new in pairwise(in_order(contracts))]


def _step(old: Contract, new: Contract) -> Step:
    try:
        diff = diff_contracts(old, new)
    except TooManyPlacesError:
        diff = None
    return Step(old.revision.text, new.revision.text, diff)
