"""Reading what git writes: objects of a known length, and records that end with NUL."""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Iterator
from errno import EAGAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

SHORT = b"\x00 the stream ended early"
"""What ``take`` gives, by identity, when the stream ends within an object."""
_CHUNK = 1 << 16
_REASONS = 1 << 16
"""Bytes that are kept of what git says on standard error."""


def listen(descriptor: int) -> Callable[[], bytes]:
    """Take what comes on a pipe while another one is read, since git waits when nobody does. It is closed at its end.

    What is returned waits for the end, and gives the first of it.

    Raises:
        OSError: the system has no thread left.
    """
    kept = bytearray()
    ended = allocate_lock()
    ended.acquire()

    def take_all() -> None:
        try:
            while chunk := os.read(descriptor, _CHUNK):
                kept.extend(chunk[: _REASONS - len(kept)])
        finally:
            os.close(descriptor)
            ended.release()

    # A thread without the module that manages threads: that takes longer to load than git to answer.
    try:
        start_new_thread(take_all, ())
    except RuntimeError:
        os.close(descriptor)
        raise BlockingIOError(EAGAIN, os.strerror(EAGAIN)) from None

    def said() -> bytes:
        with ended:
            return bytes(kept)

    return said


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
