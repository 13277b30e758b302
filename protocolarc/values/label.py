r"""How names of files, titles and other free text are shown: pure ASCII, so that no terminal changes a byte."""

from __future__ import annotations

import re

SHORT = {"\\": "\\\\", "'": "\\'", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
"""Characters that have an escape of one letter."""

_LABEL = r"[^ -~]|\\"
_UNPRINTABLE = r"[^ -~]"
_ESCAPED = r"\\(?:u([0-9a-f]{4})|(.))"
_CHARACTERS = {shown[1]: character for character, shown in SHORT.items()}


def escape(match: re.Match[str]) -> str:
    """Return the escape of the one character that a pattern found."""
    character = match[0]
    short = SHORT.get(character)
    if short is not None:
        return short
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def escape_label(text: str) -> str:
    r"""Show a file name or title: escaped like a string, but without quotes and with ``'`` as it is."""
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return re.sub(_LABEL, escape, text)


def one_line(text: str) -> str:
    """Return a sentence as one line of printable ASCII. What is that already, escaped names too, stays as it is."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNPRINTABLE, escape, text)


def unescape_label(label: str) -> str:
    """Return the text that ``escape_label`` shows so."""
    plain = re.sub(_ESCAPED, lambda match: chr(int(match[1], 16)) if match[1] else _CHARACTERS[match[2]], label)
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
