"""A difference in plain text, the two sides beside each other."""

from __future__ import annotations

from protocolarc.parity.compare import Difference
from protocolarc.render.text import render_table
from protocolarc.values.literal import escape_label

_MARK = {True: " ", False: "*"}


def show_difference(difference: Difference, left: str = "python", right: str = "dotnet") -> str:
    """Show where two sides differ; a star marks each row in which they do."""
    rows = [
        (_MARK[ours == theirs], what, escape_label(ours), escape_label(theirs))
        for what, ours, theirs in difference.rows
    ]
    table = render_table([("", "", left, right), *rows])
    return "".join(
        f"{line}\n" for line in (f"[DIFF] {escape_label(difference.place)}", *(f"   {row}" for row in table))
    )


def tell_difference(difference: Difference, left: str = "python", right: str = "dotnet") -> str:
    """Say in one line where two sides differ, and how."""
    parts = (
        f"{what} is {escape_label(ours)} in {left}, {escape_label(theirs)} in {right}"
        for what, ours, theirs in difference.rows
        if ours != theirs
    )
    return f"{escape_label(difference.place)}: {'; '.join(parts)}"
