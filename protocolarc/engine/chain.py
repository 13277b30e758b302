"""Chains: the revisions of one contract in order, and what each step changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from protocolarc.engine.diff import diff_contracts
from protocolarc.values.change import Diff
from protocolarc.values.contract import Contract


def in_order(contracts: Sequence[Contract]) -> list[Contract]:
    """Sort the revisions of one contract, ascending; those of equal precedence by their text."""
    return sorted(contracts, key=lambda contract: (contract.revision.precedence, contract.revision.text))


def chain_of(contracts: Sequence[Contract]) -> list[Diff]:
    """Return the diff of each revision to the next higher one."""
    return [diff_contracts(old, new) for old, new in pairwise(in_order(contracts))]
