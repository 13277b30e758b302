"""Field paths: a subset of RFC 9535 (JSONPath) without the leading ``$``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from protocolarc.values.literal import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

MAX_STEPS = 64
"""Steps of the longest path: no document of the JSON profile is nested deeper."""


class Wildcard(Enum):
    """A step that stands for many members of a container."""

    ITEM = "[*]"
    VALUE = ".*"

    __hash__ = object.__hash__  # a member is there once; ``Enum`` would hash its name, in Python


_ITEM, _VALUE = Wildcard.ITEM.value, Wildcard.VALUE.value

Step: TypeAlias = str | Wildcard
Path: TypeAlias = tuple[Step, ...]
Instance: TypeAlias = tuple[str | int, ...]
"""A concrete path in a document: member keys and array indices."""

_CONTROLS = r"\x00-\x1f\x7f-\x9f"
_BARE = re.compile(rf"(?!@)[^.\[\]'*\\{_CONTROLS}]++")
_QUOTED = rf"\['((?:[^'\\{_CONTROLS}]|\\[\\'btnfr]|\\u[0-9a-fA-F]{{4}})*+)'\]"
_ESCAPE = r"\\(?:u([0-9a-fA-F]{4})|(.))"
_CANONICAL_BARE = re.compile(r"(?!@)[!-&()+,\-/-Z^-~]++")
_CHARACTERS = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "\\": "\\", "'": "'"}


class PathError(ValueError):
    """A text that is no path. ``position`` counts characters from its start."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(f"{reason} at character {position}")
        self.position = position


def _unescape(body: str, position: int) -> str:
    # UTF-16 joins escaped pairs into one character and refuses a surrogate without its partner.
    plain = re.sub(_ESCAPE, lambda match: chr(int(match[1], 16)) if match[1] else _CHARACTERS[match[2]], body)
    try:
        return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise PathError("surrogate escape without its partner", position) from None


def _segment(text: str, position: int) -> tuple[str, int]:
    """Read a bare or quoted segment; return its key and the position after it."""
    if match := _BARE.match(text, position):
        return match[0], match.end()
    if match := re.compile(_QUOTED).match(text, position):
        return _unescape(match[1], position), match.end()
    if text[position:] == "":
        raise PathError("a name is missing", position)
    if re.match(r"\[[0-9]", text[position:]):
        raise PathError("an index is no path, use [*] for every item", position)
    raise PathError("expected a name or ['...']", position)


def parse_path(text: str) -> Path:
    """Parse the text of a path.

    Raises:
        PathError: the text does not follow the grammar, or has more than ``MAX_STEPS`` steps.
    """
    key, position = _segment(text, 0)
    steps: list[Step] = [key]
    step: Step
    while position < len(text):
        if len(steps) == MAX_STEPS:
            raise PathError(f"more than {MAX_STEPS} steps, deeper than any document", position)
        if text.startswith(_ITEM, position):
            step, position = Wildcard.ITEM, position + len(_ITEM)
        elif text.startswith(_VALUE, position):
            step, position = Wildcard.VALUE, position + len(_VALUE)
        elif text[position] == ".":
            step, position = _segment(text, position + 1)
        elif text[position] == "[":
            step, position = _segment(text, position)
        else:
            raise PathError("expected '.', '[*]', '.*' or ['...']", position)
        steps.append(step)
    return tuple(steps)


def render_key(key: str) -> str:
    """Show one member key in its canonical form: bare where the grammar allows it, else quoted."""
    return key if _CANONICAL_BARE.fullmatch(key) else f"[{quote(key, None)}]"


def render_path(steps: Sequence[Step | int]) -> str:
    """Show a declared or a concrete path in its canonical form, in pure ASCII."""
    parts: list[str] = []
    for step in steps:
        if isinstance(step, Wildcard):
            parts.append(step.value)
        elif isinstance(step, int):
            parts.append(f"[{step}]")
        else:
            shown = render_key(step)
            parts.append(shown if not parts or shown[0] == "[" else f".{shown}")
    return "".join(parts)
