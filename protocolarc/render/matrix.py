"""The matrix as text and JSON: whole, from its counters, or row by row as the documents come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from protocolarc.engine.matrix import Listed, Matrix, Row, Verdict
from protocolarc.render.json import contract_errors, dump, fault_object, stream_list
from protocolarc.render.text import render_fault, render_table
from protocolarc.values.envelope import Fault
from protocolarc.values.literal import escape_label

SCHEMA = "protocolarc/matrix/1"
EACH_SCHEMA = "protocolarc/matrix-each/1"


def render_text(matrix: Matrix) -> str:
    """Show a block per contract, then what is in no block."""
    return "\n".join(piece for piece in (*_blocks(matrix), render_rest(matrix)) if piece)


def _blocks(matrix: Matrix) -> Iterator[str]:
    for name, block in matrix.blocks.items():
        head = ("file", "declared", *(contract.revision.text for contract in block.contracts))
        rows = [head, *(text_row(row) for row in block.rows())]
        body = rows if len(rows) > 1 else [head, ("(no envelopes)", "", *("" for _ in block.contracts))]
        yield "".join(f"{line}\n" for line in (name, *_indent(render_table(body, right=range(2, len(head))))))


def text_row(row: Row) -> tuple[str, ...]:
    """Return the cells of one row: file, declared revision, then ``passed/total`` per column."""
    return (
        escape_label(row.source),
        "-" if row.declared is None else escape_label(row.declared),
        *(f"{passed}/{row.total}" for passed in row.passed),
    )


def render_rest(matrix: Matrix) -> str:
    """Show the envelopes that target none of the contracts, and the malformed documents."""
    return "\n".join(piece for piece in (_untargeted(matrix.untargeted), _malformed(matrix.malformed)) if piece)


def _untargeted(listed: Listed) -> str:
    lines = [escape_label(result.label) for result in listed.first]
    return _section("no such contract", listed.count, lines)


def _malformed(listed: Listed) -> str:
    lines = [render_fault(escape_label(result.label), result.fault)[:-1] for result in listed.first if result.fault]
    return _section("malformed", listed.count, lines)


def _section(title: str, count: int, lines: list[str]) -> str:
    if not count:
        return ""
    rest = [f"... and {count - len(lines)} more"] if count > len(lines) else []
    return "".join(f"{line}\n" for line in (f"{title}: {count}", *_indent([*lines, *rest])))


def _indent(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def matrix_object(matrix: Matrix) -> dict[str, Any]:
    """Return the counters as reports carry them."""
    blocks = [
        {
            "name": name,
            "revisions": [contract.revision.text for contract in block.contracts],
            "rows": [
                {"file": row.source, "declared": row.declared, "passed": list(row.passed), "total": row.total}
                for row in block.rows()
            ],
        }
        for name, block in matrix.blocks.items()
    ]
    return {"contracts": blocks, **_rest_object(matrix)}


def _rest_object(matrix: Matrix) -> dict[str, Any]:
    malformed = [
        {"envelope": result.label, "error": fault_object(result.fault)}
        for result in matrix.malformed.first
        if result.fault
    ]
    return {
        "errors": contract_errors(matrix.problems),
        "untargeted": {
            "count": matrix.untargeted.count,
            "first": [result.label for result in matrix.untargeted.first],
        },
        "malformed": {"count": matrix.malformed.count, "first": malformed},
        "ok": matrix.ok,
    }


def render_json(matrix: Matrix) -> str:
    """Return the whole matrix."""
    return dump({"schema": SCHEMA, **matrix_object(matrix)})


def _columns(matrix: Matrix) -> list[tuple[str, str]]:
    return [(name, contract.revision.text) for name, block in matrix.blocks.items() for contract in block.contracts]


def _cells(matrix: Matrix, verdict: Verdict) -> list[str]:
    """Return a word per column; ``-`` where the envelope does not name that contract."""
    own = iter(verdict.cells)
    return [("pass" if next(own) else "fail") if name == verdict.name else "-" for name, _ in _columns(matrix)]


def stream_text(matrix: Matrix, verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield a row per document, the label last because its width is not known before."""
    columns = [f"{name}@{revision}" for name, revision in _columns(matrix)]
    yield "  ".join([*columns, "envelope"]) + "\n"
    for verdict in verdicts:
        label = escape_label(verdict.document.label)
        if isinstance(verdict.document.content, Fault):
            yield render_fault(label, verdict.document.content)
            continue
        cells = [cell.ljust(len(column)) for cell, column in zip(_cells(matrix, verdict), columns, strict=True)]
        yield "  ".join([*cells, label]) + "\n"
    rest = render_rest(matrix)
    if rest:
        yield "\n" + rest


def stream_json(matrix: Matrix, verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield the rows as one report, piece by piece."""
    columns = [{"name": name, "revision": revision} for name, revision in _columns(matrix)]
    rows = (
        {
            "envelope": verdict.document.label,
            "contract": verdict.name,
            "declared": verdict.declared,
            "cells": _cells(matrix, verdict),
        }
        for verdict in verdicts
        if not isinstance(verdict.document.content, Fault)
    )
    head = {"schema": EACH_SCHEMA, "columns": columns}
    yield from stream_list(head, "rows", rows, lambda: _rest_object(matrix))
