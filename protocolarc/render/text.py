"""Plain text, byte for byte as specified: ASCII, no colour, no width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protocolarc.values.change import Diff
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Fault, Problem
from protocolarc.values.finding import Result
from protocolarc.values.literal import escape_label, show_members

SEVERITY_WIDTH = 8
RULE_WIDTH = 23
IMPACT_WIDTH = 12
KIND_WIDTH = 27


def stream_results(contract: Contract, results: Iterable[Result]) -> Iterator[str]:
    """Yield the text of each result."""
    label = contract.label
    for result in results:
        yield render_result(label, result)


def render_result(contract_label: str, result: Result) -> str:
    """Show one document: a head line, then one line per finding."""
    label = escape_label(result.label)
    if result.fault is not None:
        return render_fault(label, result.fault)
    if not result.findings:
        return f"[PASS] {contract_label} <- {label}\n"
    head = f"[{'PASS' if result.ok else 'FAIL'}] {contract_label} <- {label}\n"
    return head + "".join(
        f"    {_pad(finding.severity.value.upper(), SEVERITY_WIDTH)}{_pad(finding.rule, RULE_WIDTH)}"
        f"{finding.field}: {finding.message}\n"
        for finding in result.findings
    )


def render_fault(label: str, fault: Fault) -> str:
    """Show a structural error under an escaped label."""
    place = "" if fault.offset is None else f" at byte {fault.offset}"
    return f"[ERROR] {label} {fault.code}{place}\n"


def render_problem(label: str, problem: Problem) -> str:
    """Show one problem of a contract under an escaped label; its hint is made of words and data that is escaped too."""
    place = "" if problem.offset is None else f" at byte {problem.offset}"
    pointer = f" {escape_label(problem.pointer)}" if problem.pointer else ""
    return f"[ERROR] {label} {problem.code}{place}{pointer}: {problem.hint}\n"


def render_diff(diff: Diff) -> str:
    """Show a diff: the revisions, the verdict, a line per change."""
    lines = [f"{diff.name}: {diff.old} -> {diff.new}", f"compatibility: {diff.verdict.name}"]
    lines += [
        f"  {_pad(change.impact.label, IMPACT_WIDTH)}{_pad(change.kind, KIND_WIDTH)}{change.field}: {change.detail}"
        for change in diff.changes
    ]
    return "\n".join([*lines, *([] if diff.changes else ["  (no changes)"])]) + "\n"


def render_contract(contract: Contract) -> str:
    """Show a contract as its field table."""
    openness = "strict" if contract.strict else "open"
    lines = [
        f"{contract.label}  {escape_label(contract.title)}".rstrip(" "),
        f"kind {contract.kind}, side {contract.side}, {openness}, {len(contract.fields)} fields",
    ]
    rows = [
        (
            field.name,
            field.type_text,
            "yes" if field.required else "no",
            "-" if field.enum is None else show_members(field.enum, cut=False),
        )
        for field in contract.fields
    ]
    body = render_table([("field", "type", "required", "enum"), *rows]) if rows else ["(no fields)"]
    return "\n".join([*lines, *(f"  {row}" for row in body)]) + "\n"


def render_table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Align rows in columns as wide as their longest cell, two blanks apart; ``right`` names columns to align right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "  ".join(f"{{:{'>' if index in right else '<'}{width}}}" for index, width in enumerate(widths))
    for row in rows:
        yield line.format(*row).rstrip(" ")


def _pad(word: str, width: int) -> str:
    return word.ljust(width) if len(word) < width else f"{word} "
