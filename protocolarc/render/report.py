"""The report as markdown, text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protocolarc.engine.chain import Step
from protocolarc.engine.report import Report
from protocolarc.render import matrix as matrix_view
from protocolarc.render.json import dump
from protocolarc.render.markdown import bullets, code, table
from protocolarc.render.text import render_fault, render_table
from protocolarc.values.literal import escape_label

SCHEMA = "protocolarc/report/1"


def _summary_lines(report: Report) -> list[tuple[str, int]]:
    summary = report.summary
    return [
        ("contracts", summary.contracts),
        ("revisions", summary.revisions),
        ("documents", summary.documents),
        ("failed cells", summary.failed_cells),
        ("no such contract", summary.untargeted),
        ("malformed", summary.malformed),
    ]


def _cells(step: Step) -> tuple[str, ...]:
    """Return one step of a chain as cells: revisions, verdict, bump made, bump needed, whether that is enough."""
    diff = step.diff
    if diff is None:
        return f"{step.old} -> {step.new}", "not compared", "-", "-", "-"
    made = "none" if diff.made is None else diff.made.label
    carried = "yes" if diff.carried else f"no, needs {diff.smallest}"
    return f"{step.old} -> {step.new}", diff.verdict.label, made, diff.needed.label, carried


_STEP_HEAD = ("step", "verdict", "bump made", "bump needed", "carried")


def render_text(report: Report) -> str:
    """Show the report as plain text."""
    return "\n".join(_text_sections(report))


def _text_sections(report: Report) -> Iterator[str]:
    yield f"verdict: {'ok' if report.summary.ok else 'not ok'}\n"
    yield _lines(render_table([(word, str(count)) for word, count in _summary_lines(report)], right=(1,)))
    yield matrix_view.render_text(report.matrix)
    for name, chain in report.chains.items():
        if chain:
            rows = [f"  {row}" for row in render_table([_STEP_HEAD, *map(_cells, chain)])]
            yield _lines([f"{name} revisions", *rows])


def _lines(lines: Iterator[str] | Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def render_markdown(report: Report) -> str:
    """Show the report for a pull request or a wiki; nothing in the data is read as markup."""
    return "\n".join(_markdown_sections(report))


def _markdown_sections(report: Report) -> Iterator[str]:
    yield f"# ProtocolArc report: {'ok' if report.summary.ok else 'not ok'}\n"
    yield table(("", "count"), [(word, str(count)) for word, count in _summary_lines(report)])
    for name, block in report.matrix.blocks.items():
        yield f"## {code(name)}\n"
        revisions = [contract.revision.text for contract in block.contracts]
        rows = [[*map(code, matrix_view.text_row(row)[:2]), *matrix_view.text_row(row)[2:]] for row in block.rows()]
        yield table(("file", "declared", *revisions), rows) if rows else "No envelopes.\n"
        if report.chains[name]:
            yield table(_STEP_HEAD, [_cells(step) for step in report.chains[name]])
    untargeted, malformed = report.matrix.untargeted, report.matrix.malformed
    if untargeted.count:
        yield f"## No such contract: {untargeted.count}\n"
        yield bullets([code(escape_label(result.label)) for result in untargeted.first], untargeted.count)
    if malformed.count:
        yield f"## Malformed: {malformed.count}\n"
        faults = [render_fault(escape_label(result.label), result.fault) for result in malformed.first if result.fault]
        yield bullets([code(fault.strip()) for fault in faults], malformed.count)


def render_json(report: Report) -> str:
    """Return the report for machines."""
    chains = [{"name": name, "steps": [_step_object(step) for step in chain]} for name, chain in report.chains.items()]
    body: dict[str, Any] = {"schema": SCHEMA, "summary": report.summary._asdict()}
    return dump({**body, "matrix": matrix_view.matrix_object(report.matrix), "chains": chains})


def _step_object(step: Step) -> dict[str, Any]:
    """Return a step; its verdict and bumps are null where the revisions are too much to compare."""
    diff = step.diff
    return {
        "old": step.old,
        "new": step.new,
        "verdict": None if diff is None else diff.verdict.label,
        "made": None if diff is None or diff.made is None else diff.made.label,
        "needed": None if diff is None else diff.needed.label,
        "carried": None if diff is None else diff.carried,
    }
