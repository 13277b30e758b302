"""The framing of the batch protocol: an ASCII header line, then exactly as many raw bytes as it says.

Nothing here parses JSON: the payload is hostile, and the frame must not rest on what is under test.
"""

from __future__ import annotations

import os
import re
from typing import BinaryIO, NamedTuple
from urllib.parse import quote

from protocolarc.runtime.errors import RuntimeBrokenError

MAX_REQUEST_HEADER_BYTES = 4096
"""Longest header of a request, its line feed included."""
MAX_HEADER_BYTES = 256
"""Longest header of a response, its line feed included."""
MAX_REPORT_BYTES = 1 << 30
"""Longest report that is read; more is a runtime gone wrong."""

_RESPONSE = re.compile(rb"PA1 (0|[1-9][0-9]{0,17}) (0|[1-9][0-9]{0,2}) (0|[1-9][0-9]{0,17})\n")
_CHUNK_BYTES = 1 << 20
_SHOWN_BYTES = 60


class Request(NamedTuple):
    """One document or file of lines, to be checked against one contract."""

    format: str
    label: str
    contract: bytes
    input: bytes
    raw: bool = False


class Answer(NamedTuple):
    """What a validator says of a request: the exit code of ``validate``, and the bytes of its JSON report."""

    exit_code: int
    report: bytes


def encode_request(seq: int, request: Request) -> bytes:
    """Return the frame of a request.

    Raises:
        ValueError: the label is too long for a header.
    """
    label = quote(os.fsencode(request.label), safe="")
    sizes = f"{len(request.contract)} {len(request.input)}"
    header = f"PA1 {seq} validate {request.format} {label} {sizes}{' raw' if request.raw else ''}\n"
    if len(header) > MAX_REQUEST_HEADER_BYTES:
        raise ValueError(f"a label of {len(label)} characters is too long for a header")
    return b"".join((header.encode("ascii"), request.contract, request.input))


def encode_word(seq: int, word: str) -> bytes:
    """Return the frame of a request without a body: ``hello`` or ``bye``."""
    return f"PA1 {seq} {word}\n".encode("ascii")


def read_answer(stream: BinaryIO, seq: int, limit: int = MAX_REPORT_BYTES) -> Answer:
    """Read the response to request ``seq``.

    Raises:
        RuntimeBrokenError: the stream ended, or what came is not that response.
    """
    header = stream.readline(MAX_HEADER_BYTES)
    if not header:
        raise RuntimeBrokenError("it ended without an answer")
    match = _RESPONSE.fullmatch(header)
    if match is None:
        raise RuntimeBrokenError(f"it answered {header[:_SHOWN_BYTES]!r}, which is no header")
    answered, exit_code, size = map(int, match.groups())
    if answered != seq:
        raise RuntimeBrokenError(f"it answered request {answered} in place of {seq}")
    if size > limit:
        raise RuntimeBrokenError(f"it announced a report of {size} bytes, over the limit of {limit}")
    return Answer(exit_code, _read_exactly(stream, size))


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    """Read by chunks, so that a header that lies about its length costs no memory."""
    parts: list[bytes] = []
    left = size
    while left:
        chunk = stream.read(min(left, _CHUNK_BYTES))
        if not chunk:
            raise RuntimeBrokenError(f"it ended {left} bytes before the end of a report of {size}")
        parts.append(chunk)
        left -= len(chunk)
    return b"".join(parts)
