r"""How values are shown in findings: pure ASCII, so that no terminal, locale or encoding changes a byte."""

from __future__ import annotations

import re
from collections.abc import Sequence

from protocolarc.values.jsontype import Scalar
from protocolarc.values.label import escape, escape_label, unescape_label
from protocolarc.values.number import Number

__all__ = [
    "MAX_MEMBERS",
    "MAX_NUMBER",
    "MAX_STRING",
    "escape_label",
    "quote",
    "show",
    "show_members",
    "unescape_label",
]

MAX_STRING = 60
"""Code points of a string that a finding shows."""
MAX_NUMBER = 40
"""Characters of a number that a finding shows."""
MAX_MEMBERS = 10
"""Members of an enum that a finding shows."""

_QUOTED = r"[^ -~]|[\\']"


def quote(text: str, limit: int | None = MAX_STRING) -> str:
    """Show a string in single quotes; past ``limit`` code points, how many were left out."""
    if limit is None or len(text) <= limit:
        return f"'{_escape(text)}'"
    return f"'{_escape(text[:limit])}'...(+{len(text) - limit})"


def _escape(text: str) -> str:
    if text.isascii() and text.isprintable() and "\\" not in text and "'" not in text:
        return text
    return re.sub(_QUOTED, escape, text)


def show(value: Scalar, *, cut: bool = True) -> str:
    """Show a scalar as a finding does: strings quoted, numbers as their source text."""
    if isinstance(value, str):
        return quote(value, MAX_STRING if cut else None)
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    source = value.source if isinstance(value, Number) else str(value)
    if cut and len(source) > MAX_NUMBER:
        return f"{source[:MAX_NUMBER]}...(+{len(source) - MAX_NUMBER})"
    return source


def show_members(members: Sequence[Scalar], *, cut: bool = True, count: int | None = None) -> str:
    """Show enum members in their order, as ``{'a', 'b'}``; past ten, how many were left out.

    ``count`` says how many there are where only the first are at hand.
    """
    shown = members[:MAX_MEMBERS] if cut else members
    rest = (len(members) if count is None else count) - len(shown)
    tail = [f"...(+{rest})"] if rest else []
    return "{" + ", ".join([*(show(member, cut=cut) for member in shown), *tail]) + "}"
