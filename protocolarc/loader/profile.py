"""What both readers of the JSON profile share: its limits, its error, and values that know where they stand."""

from __future__ import annotations

from protocolarc.values.jsontype import Scalar, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64

_NO_KEYS: dict[str, int] = {}


class JsonError(ValueError):
    """A document outside the JSON profile: ``code`` says what, ``offset`` at which byte."""

    def __init__(self, code: str, offset: int) -> None:
        super().__init__(f"{code} at byte {offset}")
        self.code = code
        self.offset = offset


class Located:
    """A JSON value with the offset of its first byte; containers hold located values, objects their keys' offsets."""

    __slots__ = ("content", "keys", "offset")

    def __init__(self, content: Content, offset: int) -> None:
        self.content = content
        self.offset = offset
        self.keys: dict[str, int] = {} if isinstance(content, dict) else _NO_KEYS


Content: TypeAlias = "Scalar | list[Located] | dict[str, Located]"


def plain(located: Located) -> Value:
    """Strip the offsets from a value. Recursion is bounded by ``MAX_DEPTH``."""
    content = located.content
    if isinstance(content, dict):
        return {key: plain(item) for key, item in content.items()}
    if isinstance(content, list):
        return [plain(item) for item in content]
    return content


def unplaced(value: Value) -> Located:
    """Wrap a value whose places are not known: all offsets are 0. Recursion is bounded by ``MAX_DEPTH``."""
    if isinstance(value, dict):
        return Located({key: unplaced(item) for key, item in value.items()}, 0)
    if isinstance(value, list):
        return Located([unplaced(item) for item in value], 0)
    return Located(value, 0)


def is_oversize(data: bytes) -> bool:
    """Tell whether a document is over the limit; its line feed and one carriage return do not count."""
    if len(data) <= MAX_DOCUMENT_BYTES:
        return False
    ending = 2 if data.endswith(b"\r\n") else int(data.endswith(b"\n"))
    return len(data) - ending > MAX_DOCUMENT_BYTES
