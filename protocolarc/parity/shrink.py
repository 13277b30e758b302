"""Making a failing request small: elements of JSON, then pieces of bytes, are left out while the sides still differ."""

from __future__ import annotations

import re
from collections.abc import Callable

from protocolarc.runtime.wire import Request

MAX_TRIALS = 10_000
"""Requests that shrinking may ask, so that it ends soon even where each answer takes long."""

_PARTS = ("contract", "input")
_ESCAPE = re.compile(rb"\\u00([2-7][0-9a-fA-F])")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{},\n]', re.DOTALL)


def shrink(request: Request, differs: Callable[[Request], bool]) -> Request:
    """Return a request that differs as well and from which no single byte can be left out, trials permitting.

    Escapes of plain characters are undone first where that is possible.
    """
    left = MAX_TRIALS

    def still(candidate: Request) -> bool:
        nonlocal left
        left -= 1
        return left >= 0 and differs(candidate)

    for part in _PARTS:
        plain = _with(part, request, _ESCAPE.sub(_plain, getattr(request, part)))
        request = plain if plain != request and still(plain) else request
    before = None
    while request != before and left > 0:
        before = request
        for part in _PARTS:
            request = _thin(part, _prune(part, request, still), still)
    return request


def _plain(escape: re.Match[bytes]) -> bytes:
    """Return the character that an escape stands for, where it may stand for itself."""
    character = bytes([int(escape[1], 16)])
    return escape[0] if character in b'"\\\x7f' else character


def _prune(part: str, request: Request, still: Callable[[Request], bool]) -> Request:
    """Leave out members and items, the outer ones first."""
    spans = elements(getattr(request, part))
    index = 0
    while index < len(spans):
        candidate = _without(part, request, *spans[index])
        if still(candidate):
            request, spans = candidate, elements(getattr(candidate, part))
        else:
            index += 1
    return request


def _thin(part: str, request: Request, still: Callable[[Request], bool]) -> Request:
    """Leave out pieces of half the length, then a quarter, down to single bytes."""
    size: int = len(getattr(request, part))
    while size:
        start = 0
        while start < len(getattr(request, part)):
            candidate = _without(part, request, start, start + size)
            if still(candidate):
                request = candidate
            else:
                start += size
        size //= 2
    return request


def _without(part: str, request: Request, start: int, end: int) -> Request:
    data: bytes = getattr(request, part)
    return _with(part, request, data[:start] + data[end:])


def _with(part: str, request: Request, data: bytes) -> Request:
    return request._replace(**{part: data})  # type: ignore[arg-type]  # both parts are bytes


def elements(data: bytes) -> list[tuple[int, int]]:
    """Return the spans of the members, items and lines of a document, each with one comma beside it, in order.

    The document may be damaged; then the spans are what a reader would guess.
    """
    spans: list[tuple[int, int]] = []
    starts: list[int] = [0]
    for token in _TOKEN.finditer(data):
        mark, at = token[0], token.start()
        if mark in b"[{":
            starts.append(at + 1)
        elif mark in b"]}" and len(starts) > 1:
            start = starts.pop()
            spans.append((start - (data[start - 1 : start] == b","), at))
        elif mark == b"," or (mark == b"\n" and len(starts) == 1):
            spans.append((starts[-1], at + 1))
            starts[-1] = at + 1
    return sorted((span for span in spans if span[0] < span[1]), key=lambda span: (span[0], -span[1]))
