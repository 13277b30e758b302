"""For people at a terminal: the same results with colour, and tables that fold to the width. The only user of Rich.

Data never reaches Rich's markup, emoji or highlighting, and is ASCII already.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from protocolarc.engine.matrix import Matrix
from protocolarc.render.matrix import render_rest, text_row
from protocolarc.render.text import render_result
from protocolarc.values.change import Change, Diff, Impact
from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.finding import Result
from protocolarc.values.literal import escape_label, show_members

_IMPACT_STYLE = {Impact.BREAKING: "bold red", Impact.FORWARD: "yellow", Impact.COMPATIBLE: "green"}
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
        file=buffer, force_terminal=True, color_system="standard", markup=False, emoji=False, highlight=False
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
    table = Table(title=f"{diff.name}: {diff.old} -> {diff.new}", title_justify="left", title_style="bold")
    for head in ("impact", "field", diff.old, diff.new, "change"):
        table.add_column(head, overflow="fold")
    before, after = ({field.name: field for field in contract.fields} for contract in (old, new))
    for change in diff.changes:
        left, right = _side_by_side(change, before.get(change.field), after.get(change.field))
        table.add_row(Text(change.impact.label, _IMPACT_STYLE[change.impact]), change.field, left, right, change.kind)
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
    enough = diff.made is not None and diff.made >= diff.needed
    bump = Text(f"bump: {made}; needed: {diff.needed.label}", "" if enough else "bold red")
    if not enough:
        bump.append(f", so {diff.smallest} or higher")
    return _draw(table if diff.changes else "(no changes)", verdict, axes, bump)


def _axis(*, broken: bool) -> tuple[str, str]:
    return ("breaks", "bold red") if broken else ("fits", "green")


def _side_by_side(change: Change, old: FieldSpec | None, new: FieldSpec | None) -> tuple[Text, Text]:
    """Return both sides of a change, the words that only one of them has in colour."""
    if old is None and new is None:
        left, arrow, right = change.detail.partition(" -> ")
        return (Text(left, "red"), Text(right, "green")) if arrow else (Text(), Text(change.detail))
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
