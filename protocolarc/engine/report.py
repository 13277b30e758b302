"""The report: a matrix with a summary and the revision chains of its contracts. A pure function of the matrix."""

from __future__ import annotations

from typing import NamedTuple

from protocolarc.engine.chain import Step, chain_of
from protocolarc.engine.matrix import Matrix


class Summary(NamedTuple):
    """The counts that the first lines of a report give."""

    contracts: int
    revisions: int
    documents: int
    failed_cells: int
    untargeted: int
    malformed: int
    ok: bool


class Report(NamedTuple):
    """What there is to say about a set of contracts and a set of envelopes."""

    summary: Summary
    matrix: Matrix
    chains: dict[str, list[Step]]


def make_report(matrix: Matrix) -> Report:
    """Sum up a finished matrix."""
    summary = Summary(
        contracts=len(matrix.blocks),
        revisions=sum(len(block.contracts) for block in matrix.blocks.values()),
        documents=matrix.documents,
        failed_cells=matrix.failed_cells,
        untargeted=matrix.untargeted.count,
        malformed=matrix.malformed.count,
        ok=matrix.ok,
    )
    return Report(summary, matrix, {name: chain_of(block.contracts) for name, block in matrix.blocks.items()})
