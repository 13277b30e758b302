"""Reading what git writes: objects of a known length, and records that end with NUL."""

from __future__ import annotations

from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

SHORT = b"\x00 the stream ended early"
"""What ``take`` gives, by identity, when the stream ends within an object."""
_CHUNK = 1 << 16


def take(stream: IO[bytes], length: int, limit: int) -> bytes | None:
    """Read one object and the line feed after it; keep it only within the limit."""
    if length <= min(limit, _CHUNK):
        data = stream.read(length + 1)
        return data[:-1] if len(data) == length + 1 and data.endswith(b"\n") else SHORT
    kept: list[bytes] | None = [] if length <= limit else None
    left = length
    while left:
        piece = stream.read(min(left, _CHUNK))
        if not piece:
            return SHORT
        left -= len(piece)
        if kept is not None:
            kept.append(piece)
    if stream.read(1) != b"\n":
        return SHORT
    return None if kept is None else b"".join(kept)


def split_records(stream: IO[bytes]) -> Iterator[bytes]:
    """Split a stream at NUL; what follows the last one is nothing."""
    held = b""
    while chunk := stream.read(_CHUNK):
        *whole, held = (held + chunk).split(b"\0")
        yield from whole
    if held:
        yield held
