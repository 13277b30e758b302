"""The formats of each view, by name. A new format is one function and one line here.

Help texts, completion and tests read these tables. Colours are no format: ``terminal`` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from protocolarc.engine.matrix import Matrix, Verdict
from protocolarc.engine.report import Report
from protocolarc.render import json, matrix, report, text
from protocolarc.values.change import Diff
from protocolarc.values.contract import Contract
from protocolarc.values.finding import Result

RESULTS: dict[str, Callable[[Contract, Iterable[Result]], Iterator[str]]] = {
    "text": text.stream_results,
    "json": json.stream_results,
    "jsonl": json.stream_result_lines,
}
DIFF: dict[str, Callable[[Diff], str]] = {
    "text": text.render_diff,
    "json": json.render_diff,
}
MATRIX: dict[str, Callable[[Matrix], str]] = {
    "text": matrix.render_text,
    "json": matrix.render_json,
}
MATRIX_ROWS: dict[str, Callable[[Matrix, Iterable[Verdict]], Iterator[str]]] = {
    "text": matrix.stream_text,
    "json": matrix.stream_json,
}
REPORT: dict[str, Callable[[Report], str]] = {
    "markdown": report.render_markdown,
    "json": report.render_json,
    "text": report.render_text,
}
