r"""How values are shown in findings: pure ASCII, so that no terminal, locale or encoding changes a byte."""

from __future__ import annotations

import re
from collections.abc import Sequence

from protocolarc.values.jsontype import Scalar
from protocolarc.values.number import Number

MAX_STRING = 60
"""Code points of a string that a finding shows."""
MAX_NUMBER = 40
"""Characters of a number that a finding shows."""
MAX_MEMBERS = 10
"""Members of an enum that a finding shows."""

_SHORT = {"\\": "\\\\", "'": "\\'", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_QUOTED = re.compile(r"[^ -~]|[\\']")
_LABEL = re.compile(r"[^ -~]|\\")
_ESCAPED = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")
_CHARACTERS = {shown[1]: character for character, shown in _SHORT.items()}


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    short = _SHORT.get(character)
    if short is not None:
        return short
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def quote(text: str, limit: int | None = MAX_STRING) -> str:
    """Show a string in single quotes; past ``limit`` code points, how many were left out."""
    if limit is None or len(text) <= limit:
        return f"'{_QUOTED.sub(_escape, text)}'"
    return f"'{_QUOTED.sub(_escape, text[:limit])}'...(+{len(text) - limit})"


def escape_label(text: str) -> str:
    r"""Show a file name or title: escaped like a string, but without quotes and with ``'`` as it is."""
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return _LABEL.sub(_escape, text)


def unescape_label(label: str) -> str:
    """Return the text that ``escape_label`` shows so."""
    plain = _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else _CHARACTERS[match[2]], label)
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


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


def show_members(members: Sequence[Scalar], *, cut: bool = True) -> str:
    """Show enum members in their order, as ``{'a', 'b'}``; past ten, how many were left out."""
    shown = members[:MAX_MEMBERS] if cut else members
    rest = len(members) - len(shown)
    tail = [f"...(+{rest})"] if rest else []
    return "{" + ", ".join([*(show(member, cut=cut) for member in shown), *tail]) + "}"
