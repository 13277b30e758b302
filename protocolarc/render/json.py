"""JSON reports: the bytes of ``json.dumps``, in a fixed key order, written as the results come."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from protocolarc.values.change import Diff
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Fault, Problem
from protocolarc.values.finding import Result

VALIDATION_SCHEMA = "protocolarc/validation/1"
DIFF_SCHEMA = "protocolarc/diff/1"


def dump(report: Mapping[str, Any]) -> str:
    """Return a whole report, indented by two, with its final line feed."""
    return json.dumps(report, indent=2) + "\n"


def _dump_item(item: Mapping[str, Any]) -> str:
    """Return an item of a list that stands at the top level of an indented report."""
    return json.dumps(item, indent=2).replace("\n", "\n    ")


def _stream_texts(
    head: Mapping[str, Any], key: str, items: Iterable[str], tail: Callable[[], Mapping[str, Any]]
) -> Iterator[str]:
    yield json.dumps(head, indent=2).removesuffix("\n}") + f",\n  {json.dumps(key)}: ["
    separator, end = "\n    ", "]"
    for item in items:
        yield separator + item
        separator, end = ",\n    ", "\n  ]"
    yield end + "," + dump(tail())[1:]


def stream_list(
    head: Mapping[str, Any], key: str, items: Iterable[Mapping[str, Any]], tail: Callable[[], Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the pieces of ``dump({**head, key: [*items], **tail()})``; ``tail`` is asked when the items are over."""
    yield from _stream_texts(head, key, map(_dump_item, items), tail)


def result_object(result: Result) -> dict[str, Any]:
    """Return one result as reports carry it."""
    if result.fault is not None:
        return {"envelope": result.label, "ok": False, "error": fault_object(result.fault)}
    findings = [
        {"rule": item.rule, "field": item.field, "severity": item.severity.value, "message": item.message}
        for item in result.findings
    ]
    return {"envelope": result.label, "ok": result.ok, "findings": findings}


def fault_object(fault: Fault) -> dict[str, Any]:
    """Return a structural error as reports carry it."""
    return {"code": fault.code, "offset": fault.offset}


def problem_objects(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """Return the problems of a contract as reports carry them; hints are for people."""
    return [{"code": item.code, "pointer": item.pointer, "offset": item.offset} for item in problems]


def contract_errors(problems: Sequence[tuple[str, Problem]]) -> list[dict[str, Any]]:
    """Return the problems of several contracts, each with the label of its file."""
    return [
        {"contract": label, "code": item.code, "pointer": item.pointer, "offset": item.offset}
        for label, item in problems
    ]


def _result_dumper(dump_object: Callable[[Mapping[str, Any]], str]) -> Callable[[Result], str]:
    """Return what writes a result; one without findings, which most are, is a label in a fixed frame."""
    before, after = dump_object(result_object(Result("label"))).split('"label"')

    def dump_result(result: Result) -> str:
        if result.findings or result.fault is not None:
            return dump_object(result_object(result))
        return before + json.dumps(result.label) + after

    return dump_result


def stream_results(contract: Contract, results: Iterable[Result]) -> Iterator[str]:
    """Yield a validation report piece by piece, so that memory stays flat."""
    dump_result = _result_dumper(_dump_item)
    ok = True

    def texts() -> Iterator[str]:
        nonlocal ok
        for result in results:
            ok = ok and result.ok
            yield dump_result(result)

    head = {"schema": VALIDATION_SCHEMA, "contract": contract.name, "revision": contract.revision.text}
    yield from _stream_texts(head, "results", texts(), lambda: {"ok": ok})


def stream_result_lines(_contract: Contract, results: Iterable[Result]) -> Iterator[str]:
    """Yield one result per line, for JSONL."""
    return map(_result_dumper(lambda item: json.dumps(item, separators=(",", ":")) + "\n"), results)


def render_unloaded_contract(problems: Sequence[Problem]) -> str:
    """Return the validation report of a contract that does not load."""
    return dump(
        {
            "schema": VALIDATION_SCHEMA,
            "contract": None,
            "revision": None,
            "errors": problem_objects(problems),
            "results": [],
            "ok": False,
        }
    )


def render_undone_diff(problems: Sequence[tuple[str, Problem]]) -> str:
    """Return the diff report where a contract does not load."""
    nothing = dict.fromkeys(("name", "old", "new", "side", "verdict", "bump"))
    return dump({"schema": DIFF_SCHEMA, **nothing, "errors": contract_errors(problems), "changes": []})


def diff_object(diff: Diff) -> dict[str, Any]:
    """Return a diff as reports carry it."""
    bump = {
        "made": None if diff.made is None else diff.made.label,
        "needed": diff.needed.label,
        "smallest": diff.smallest,
    }
    changes = [
        {
            "kind": change.kind,
            "field": change.field,
            "impact": change.impact.label,
            "receives": change.receives,
            "sends": change.sends,
            "detail": change.detail,
        }
        for change in diff.changes
    ]
    return {
        "schema": DIFF_SCHEMA,
        "name": diff.name,
        "old": diff.old,
        "new": diff.new,
        "side": diff.side,
        "verdict": diff.verdict.label,
        "bump": bump,
        "changes": changes,
    }


def render_diff(diff: Diff) -> str:
    """Return a diff report."""
    return dump(diff_object(diff))
