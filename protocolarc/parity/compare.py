"""Comparing two reports byte for byte, and naming the first thing in which they differ.

Reports are read line by line and held one result at a time, so that memory stays flat.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from protocolarc.runtime.wire import Answer

_RESULT_ENDS = (b"    }\n", b"    },\n")
_LIST_BEGINS = b'  "results": [\n'
_FINDING_KEYS = ("rule", "field", "severity", "message")
_ABSENT = "-"


class Difference(NamedTuple):
    """The first difference of two reports: where it is, and rows of what it is about, left and right."""

    place: str
    rows: tuple[tuple[str, str, str], ...]


def compare_answers(left: Answer, right: Answer) -> Difference | None:
    """Compare two answers to one request."""
    if left == right:
        return None
    found = compare_reports(io.BytesIO(left.report), io.BytesIO(right.report))
    return found or compare_exit_codes(left.exit_code, right.exit_code)


def compare_exit_codes(left: int, right: int) -> Difference | None:
    """Compare two exit codes."""
    return None if left == right else Difference("exit code", (("exit", str(left), str(right)),))


def compare_reports(left: Iterable[bytes], right: Iterable[bytes]) -> Difference | None:
    """Compare two JSON reports, each given as its lines."""
    for ours, theirs in zip_longest(_blocks(left), _blocks(right), fillvalue=b""):
        if ours != theirs:
            return _compare_results(_parse(ours), _parse(theirs)) or _compare_lines(ours, theirs)
    return None


def to_lines(pieces: Iterable[str]) -> Iterator[bytes]:
    """Cut the pieces of a report into lines."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece.encode("ascii")).split(b"\n")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


def _blocks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Join lines into the head of a report, each of its results, and its tail."""
    block: list[bytes] = []
    for line in lines:
        block.append(line)
        if line in _RESULT_ENDS or line == _LIST_BEGINS:
            yield b"".join(block)
            block = []
    if block:
        yield b"".join(block)


def _parse(block: bytes) -> dict[str, Any]:
    try:
        result = json.loads(block.rstrip(b",\n"))
    except ValueError:
        return {}
    return result if isinstance(result, dict) and "envelope" in result else {}


def _compare_results(left: dict[str, Any], right: dict[str, Any]) -> Difference | None:
    """Name what differs between two results; nothing when it is not in their values, or one is no result."""
    if not left or not right:
        return None
    label = str(left["envelope"])
    if left["envelope"] != right["envelope"]:
        return Difference(label, _rows(("envelope",), left, right))
    if left.get("error") != right.get("error"):
        return Difference(label, _rows(("code", "offset"), left.get("error"), right.get("error")))
    pairs = zip_longest(_findings(left), _findings(right))
    for number, (ours, theirs) in enumerate(pairs, 1):
        if ours != theirs:
            return Difference(f"{label}, finding {number}", _rows(_FINDING_KEYS, ours, theirs))
    return None


def _findings(result: dict[str, Any]) -> list[Any]:
    findings = result.get("findings")
    return findings if isinstance(findings, list) else []


def _rows(keys: Iterable[str], left: object, right: object) -> tuple[tuple[str, str, str], ...]:
    def cell(side: object, key: str) -> str:
        return str(side.get(key, _ABSENT)) if isinstance(side, dict) else _ABSENT

    return tuple((key, cell(left, key), cell(right, key)) for key in keys)


def _compare_lines(left: bytes, right: bytes) -> Difference:
    """Show the first line that differs, as it stands in the reports."""
    pairs = zip_longest(left.splitlines(keepends=True), right.splitlines(keepends=True), fillvalue=b"")
    ours, theirs = next((pair for pair in pairs if pair[0] != pair[1]), (left, right))
    return Difference("the text of the report", (("line", _shown(ours), _shown(theirs)),))


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape") or _ABSENT
