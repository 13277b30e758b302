"""The formats of each view, by name: which function of which module here renders it.

A new format is one function and one line. Help texts, completion and tests read these tables, so the
modules are named and not imported. Colours are no format: ``terminal`` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RESULTS = {"text": "text:stream_results", "json": "json:stream_results", "jsonl": "json:stream_result_lines"}
DIFF = {"text": "text:render_diff", "json": "json:render_diff"}
MATRIX = {"text": "matrix:render_text", "json": "matrix:render_json"}
MATRIX_ROWS = {"text": "matrix:stream_text", "json": "matrix:stream_json"}
REPORT = {"markdown": "report:render_markdown", "json": "report:render_json", "text": "report:render_text"}
CHECK = {
    "text": "check:render_text",
    "json": "check:render_json",
    "markdown": "markdown:render_check",
    "github": "github:render_check",
    "gitlab": "gitlab:render_check",
    "sarif": "sarif:render_check",
    "junit": "junit:render_check",
}
RULES = {"text": "catalogue:render_list", "json": "catalogue:render_json", "markdown": "catalogue:render_markdown"}
LOG = {"text": "log:render_text", "json": "log:render_json", "markdown": "log:render_markdown"}
BLAME = {"text": "origins:render_text", "json": "origins:render_json"}

VIEWS = {
    "results": RESULTS,
    "diff": DIFF,
    "matrix": MATRIX,
    "rows": MATRIX_ROWS,
    "report": REPORT,
    "check": CHECK,
    "rules": RULES,
    "log": LOG,
    "blame": BLAME,
}


def renderer(view: Mapping[str, str], name: str) -> Callable[..., Any]:
    """Load the function that renders a view in a format."""
    module, _, function = view[name].partition(":")
    loaded: Callable[..., Any] = getattr(import_module(f"protocolarc.render.{module}"), function)
    return loaded
