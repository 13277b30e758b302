"""For people at a terminal: the same results with colour, and tables that fold to the width. The only user of Rich.

Data never reaches Rich's markup, emoji or highlighting, and is ASCII already.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from protocolarc.engine.matrix import Matrix
from protocolarc.render.check import compared, place_of
from protocolarc.render.log import HEAD, SHALLOW, Chronicles, cells
from protocolarc.render.matrix import render_rest, text_row
from protocolarc.render.text import render_result
from protocolarc.values.change import Change, Diff, Impact
from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.finding import Result
from protocolarc.values.judgement import ERROR, CheckResult, Judgement
from protocolarc.values.label import one_line
from protocolarc.values.literal import escape_label, show_members

_IMPACT_STYLE = {Impact.BREAKING: "bold red", Impact.FORWARD: "yellow", Impact.COMPATIBLE: "green"}
MAX_ROWS = 1000
"""Changes that a picture shows: it takes Rich a millisecond for each, and nobody looks at more."""
_WORDS = {
    "[PASS]": "green",
    "[FAIL]": "bold red",
    "[ERROR]": "bold red",
    "    ERROR ": "red",
    "    WARNING ": "yellow",
}


class _Buffer(io.StringIO):
    """Text for a terminal that may not speak UTF-8: Rich then draws its frames in ASCII."""

    encoding = sys.stdout.encoding or "utf-8"


def _draw(*parts: RenderableType) -> str:
    """Render to a string as wide as the terminal, with the sixteen colours that every terminal has."""
    buffer = _Buffer()
    console = Console(
        file=buffer,
        force_terminal=True,
        color_system="standard",
        no_color=False,  # whoever calls has decided about colour
        markup=False,
        emoji=False,
        highlight=False,
    )
    for part in parts:
        console.print(part)
    return buffer.getvalue()


def stream_results(contract: Contract, results: Iterable[Result]) -> Iterator[str]:
    """Yield the text of each result with its words coloured; nothing is folded, so that lines can be copied."""
    coloured = {
        word: Style.parse(style).render(word, color_system=ColorSystem.STANDARD) for word, style in _WORDS.items()
    }
    for result in results:
        lines = render_result(contract.label, result).splitlines(keepends=True)
        yield "".join(_colour_start(line, coloured) for line in lines)


def _colour_start(line: str, coloured: dict[str, str]) -> str:
    for word, shown in coloured.items():
        if line.startswith(word):
            return shown + line[len(word) :]
    return line


def render_diff(old: Contract, new: Contract, diff: Diff) -> str:
    """Show the changed fields side by side, what changed marked, then the verdict on both axes and the bump."""
    before, after = ({field.name: field for field in contract.fields} for contract in (old, new))
    table = _changes(diff, before, after)
    table.title = Text(f"{diff.name}: {diff.old} -> {diff.new}", "bold")
    verdict = Text.assemble("compatibility: ", (diff.verdict.name, _IMPACT_STYLE[diff.verdict]))
    verdict.append(f" for side {diff.side}")
    receives, sends = any(change.receives for change in diff.changes), any(change.sends for change in diff.changes)
    axes = Text.assemble(
        "old senders, new receiver: ",
        _axis(broken=receives),
        "\nnew senders, old receiver: ",
        _axis(broken=sends),
    )
    made = "none, the order is reversed" if diff.made is None else diff.made.label
    bump = _bump(made, diff, "" if diff.carried else diff.smallest)
    return _draw(table if diff.changes else "(no changes)", verdict, axes, bump)


def _changes(diff: Diff, before: Mapping[str, FieldSpec], after: Mapping[str, FieldSpec]) -> Table:
    """Return the changed fields side by side, as far as both revisions are at hand."""
    table = Table(title_justify="left")
    for head in ("impact", "field", diff.old, diff.new, "change"):
        table.add_column(Text(head), overflow="fold")
    if diff.old == diff.new:  # the same revision twice: which is which is what a reader asks
        table.columns[2].header, table.columns[3].header = f"{diff.old} before", f"{diff.new} now"
    for change in diff.changes[:MAX_ROWS]:
        left, right = _side_by_side(change, before.get(change.field), after.get(change.field))
        table.add_row(Text(change.impact.label, _IMPACT_STYLE[change.impact]), change.field, left, right, change.kind)
    if len(diff.changes) > MAX_ROWS:
        table.caption = Text(f"the first {MAX_ROWS} of {len(diff.changes)} changes; --color never lists all of them")
    return table


def _bump(made: str, diff: Diff, smallest: str) -> Text:
    """Say which bump was made and which is needed, in red where it is not enough."""
    enough = "" if not smallest else f", so {smallest} or higher"
    return Text(f"bump: {made}; needed: {diff.needed.label}{enough}", "bold red" if smallest else "")


def render_check(result: CheckResult) -> str:
    """Show each judgement, under an error the changed fields side by side, both bumps, and the command for it."""
    parts: list[RenderableType] = [Text(compared(result), "bold")]
    parts += [Text(f"note: {one_line(note)}", "dim") for note in result.notes]
    for item in result.judgements:
        style = "bold red" if item.level == ERROR else "yellow"
        words = Text.assemble((item.level.upper(), style), f" {item.code}  {item.message}{place_of(item)}")
        parts += [Text(), words, *_behind(item)]
    if not result.judgements and not result.unread:
        parts.append(Text("(nothing to report)", "green"))
    return _draw(*parts)


def _behind(item: Judgement) -> Iterator[RenderableType]:
    diff = item.diff
    if item.level != ERROR or diff is None:
        return
    if diff.changes:
        yield _changes(diff, {}, {})
    if item.smallest is not None:
        yield _bump("none" if diff.made is None else diff.made.label, diff, item.smallest)
        yield Text.assemble("protocolarc bump ", (item.contract, "bold"))


def _axis(*, broken: bool) -> tuple[str, str]:
    return ("breaks", "bold red") if broken else ("fits", "green")


def _side_by_side(change: Change, old: FieldSpec | None, new: FieldSpec | None) -> tuple[Text, Text]:
    """Return both sides of a change, the words that only one of them has in colour."""
    if old is None and new is None:
        left, arrow, right = change.detail.partition(" -> ")
        if arrow:
            return Text(left, "bold red"), Text(right, "bold green")
        gone = change.detail.startswith("removed ")
        return (Text(change.detail, "bold red"), Text()) if gone else (Text(), Text(change.detail, "bold green"))
    left_words, right_words = _words(old), _words(new)
    return (
        _marked(left_words, set(left_words) - set(right_words), "bold red"),
        _marked(right_words, set(right_words) - set(left_words), "bold green"),
    )


def _words(field: FieldSpec | None) -> list[str]:
    if field is None:
        return []
    enum = [] if field.enum is None else [show_members(field.enum)]
    return [*field.types, "required" if field.required else "optional", *enum]


def _marked(words: list[str], differing: set[str], style: str) -> Text:
    parts = [Text(word, style if word in differing else "") for word in words]
    return Text(" ").join(parts)


def render_log(chronicles: Chronicles, *, shallow: bool) -> str:
    """Show a table per contract, newest step first, with each verdict in its colour and what was not carried in red."""
    parts: list[RenderableType] = []
    for name, steps in chronicles.items():
        table = Table(*HEAD, title=Text(name, "bold"), title_justify="left")
        for step in reversed(steps):
            *plain, verdict, carried = cells(step)
            style = "" if step.diff is None else _IMPACT_STYLE[step.diff.verdict]
            table.add_row(*plain, Text(verdict, style), Text(carried, "bold red" if step.carried is False else ""))
        parts.append(table)
    return _draw(*parts, *([Text(SHALLOW, "dim")] if shallow else []))


def render_contract(contract: Contract) -> str:
    """Show the field table."""
    openness = "strict" if contract.strict else "open"
    table = Table("field", "type", "required", "enum")
    for field in contract.fields:
        enum = "-" if field.enum is None else show_members(field.enum, cut=False)
        table.add_row(field.name, field.type_text, "yes" if field.required else "no", enum)
    head = Text.assemble((contract.label, "bold"), f"  {escape_label(contract.title)}")
    line = f"kind {contract.kind}, side {contract.side}, {openness}, {len(contract.fields)} fields"
    return _draw(head, line, table if contract.fields else "  (no fields)")


def render_matrix(matrix: Matrix) -> str:
    """Show a table per contract: green where all envelopes pass, red where one fails."""
    parts: list[RenderableType] = []
    for name, block in matrix.blocks.items():
        table = Table("file", "declared", title=name, title_justify="left", title_style="bold")
        for contract in block.contracts:
            table.add_column(contract.revision.text, justify="right")
        for row in block.rows():
            source, declared, *cells = text_row(row)
            styles = ["green" if passed == row.total else "bold red" for passed in row.passed]
            table.add_row(source, declared, *map(Text, cells, styles))
        parts.append(table if table.row_count else Text(f"{name}: no envelopes"))
    return _draw(*parts) + render_rest(matrix)
