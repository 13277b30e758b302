"""Markdown: pieces in which nothing of the data is read as markup, and the summary of a check."""

from __future__ import annotations

import re
from collections.abc import Sequence

from protocolarc.render.check import counted, remedy
from protocolarc.render.statements import everything, label, weight
from protocolarc.values.change import Diff
from protocolarc.values.judgement import CheckResult, Judgement
from protocolarc.values.label import one_line

MAX_BYTES = 900_000
"""Size of a summary: GitHub drops a step's summary that is over 1 MiB."""

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&!]")
_TICKS = re.compile(r"`+")
_WORDS = ("notice", "error", "BREAKING", "error")


def escape(text: str) -> str:
    """Return text as markdown that shows it."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", one_line(text))


def code(text: str) -> str:
    """Return data as a code span, in which no markup, mention or address is read."""
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{one_line(text)}{blank}{fence}".replace("|", "\\|")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells that are markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def bullets(items: Sequence[str], count: int) -> str:
    """Return a list of items that are markdown already, and how many more there are."""
    rest = [f"... and {count - len(items)} more"] if count > len(items) else []
    return "".join(f"- {item}\n" for item in (*items, *rest))


def render_check(result: CheckResult) -> str:
    """Return the summary of a step: the outcome, then each judgement and its changes, while there is room."""
    judgements = everything(result)
    pieces = [_head(result)]
    size = len(pieces[0])
    for index, piece in enumerate(map(_section, judgements)):
        size += len(piece) + 1
        if size > MAX_BYTES:
            pieces.append(f"... and {len(judgements) - index} more\n")
            break
        pieces.append(piece)
    return "\n".join(pieces)


def _head(result: CheckResult) -> str:
    judgements = everything(result)
    errors = sum(1 for item in judgements if weight(item))
    notices = len(judgements) - errors
    words = {0: "ok", 1: "not ok", 2: "breaking", 3: "not all contracts load"}[result.exit_code]
    anchor = [] if result.anchor == result.base else [f"published: {result.anchor}"]
    compared = [f"head: {result.head}", f"base: {result.base}", *anchor]
    numbers = ((result.contracts, "contract"), (errors, "error"), (notices, "notice"))
    told = ", ".join(counted(number, noun) for number, noun in numbers)
    lines = [escape(line) for line in (*compared, told, *result.notes)]
    return f"# ProtocolArc: {words}\n\n{bullets(lines, len(lines))}"


def _section(item: Judgement) -> str:
    head = f"## {_WORDS[weight(item)]}: {escape(label(item))}\n\n`{one_line(item.code)}`: {escape(item.message)}\n"
    place = f"\nIn {escape(item.path)}\n" if item.path else ""
    changes = "" if item.diff is None or not item.diff.changes else f"\n{_diff(item.diff)}"
    command = remedy(item)
    return head + place + changes + ("" if command is None else f"\n{code(command)}\n")


def _diff(diff: Diff) -> str:
    rows = [(change.impact.label, change.kind, code(change.field), code(change.detail)) for change in diff.changes]
    return table((f"{escape(diff.old)} to {escape(diff.new)}", "kind", "field", "change"), rows)
