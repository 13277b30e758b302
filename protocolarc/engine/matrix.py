"""The matrix: every envelope against every revision of the contract that it names, in one pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from protocolarc.engine.chain import in_order
from protocolarc.engine.validate import Validator
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Document, Fault
from protocolarc.values.finding import Result
from protocolarc.values.revision import parse_revision

MAX_LISTED = 100
"""Documents that are named one by one, where there may be any number of them."""

MAX_DECLARED = 100
"""Rows for declared revisions per file and contract; envelopes that declare yet others share one row."""

OTHERS = "..."
"""The row of declared revisions past ``MAX_DECLARED``; no revision is spelled like that."""


class Listed:
    """The first ``MAX_LISTED`` of many documents, and how many there were."""

    def __init__(self) -> None:
        self.first: list[Result] = []
        self.count = 0

    def add(self, result: Result) -> None:
        """Count one more document, and keep it if it is among the first."""
        self.count += 1
        if len(self.first) < MAX_LISTED:
            self.first.append(result)


class Row(NamedTuple):
    """The envelopes of one file that declare one revision (``None``: none): how many pass each column."""

    source: str
    declared: str | None
    passed: tuple[int, ...]
    total: int


class Block:
    """One contract name: its revisions as columns, ascending, and counters per row."""

    def __init__(self, contracts: Iterable[Contract]) -> None:
        self.contracts = in_order(list(contracts))
        self.validators = [Validator(contract) for contract in self.contracts]
        self._counters: dict[str, dict[str | None, list[int]]] = {}

    def add(self, source: str, declared: str | None, verdicts: tuple[bool, ...]) -> None:
        """Count one envelope of a file."""
        rows = self._counters.setdefault(source, {})
        if declared not in rows and len(rows) >= MAX_DECLARED:
            declared = OTHERS
        counters = rows.setdefault(declared, [0] * (len(self.contracts) + 1))
        counters[-1] += 1
        for column, passed in enumerate(verdicts):
            counters[column] += passed

    def rows(self) -> list[Row]:
        """Return the rows: files in order of input, declared revisions ascending, none of them first."""
        return [
            Row(source, declared, tuple(counters[:-1]), counters[-1])
            for source, rows in self._counters.items()
            for declared, counters in sorted(rows.items(), key=lambda row: _declared_key(row[0]))
        ]


class Verdict(NamedTuple):
    """What the matrix says of one document. ``cells`` holds one verdict per revision of the contract it names."""

    document: Document
    name: str | None
    declared: str | None
    cells: tuple[bool, ...]


class Matrix:
    """Counters for any number of documents; its size depends on the contracts and files, not on the documents."""

    def __init__(self, contracts: Iterable[Contract]) -> None:
        by_name: dict[str, list[Contract]] = {}
        for contract in contracts:
            by_name.setdefault(contract.name, []).append(contract)
        self.blocks = {name: Block(by_name[name]) for name in sorted(by_name)}
        self.untargeted = Listed()
        self.malformed = Listed()
        self.documents = 0
        self.failed_cells = 0

    @property
    def ok(self) -> bool:
        """True when every document was read, found its contract, and passed every revision of it."""
        return not (self.failed_cells or self.untargeted.count or self.malformed.count)

    def add(self, document: Document) -> Verdict:
        """Judge one document and count it."""
        self.documents += 1
        content = document.content
        if isinstance(content, Fault):
            self.malformed.add(Result(document.label, (), content))
            return Verdict(document, None, None, ())
        block = self.blocks.get(content.contract or "")
        if block is None:
            self.untargeted.add(Result(document.label))
            return Verdict(document, content.contract, content.revision, ())
        cells = tuple(validator.accepts(content) for validator in block.validators)
        self.failed_cells += cells.count(False)
        block.add(document.source, content.revision, cells)
        return Verdict(document, content.contract, content.revision, cells)


def _declared_key(declared: str | None) -> tuple[int, object, str]:
    if declared is None:
        return 0, (), ""
    try:
        return 1, parse_revision(declared).precedence, declared
    except ValueError:
        return (3 if declared == OTHERS else 2), (), declared
