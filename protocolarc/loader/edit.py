"""Editing a contract file as text: what is not meant stays as it is, byte for byte."""

from __future__ import annotations

import re

from protocolarc.loader.located import parse_located
from protocolarc.loader.profile import Located

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


def with_revision(data: bytes, revision: str) -> bytes:
    """Return a contract document, known to be one, with another revision. Only the bytes of that string change."""
    document = parse_located(data)
    members: dict[str, Located] = document.content  # type: ignore[assignment]  # a contract is an object
    place = members["revision"].offset
    end = _STRING.match(data, place).end()  # type: ignore[union-attr]  # the value is a string
    return b"".join((data[:place], b'"', revision.encode("ascii"), b'"', data[end:]))
