"""Inputs for one contract as bytes: envelopes in both formats, spelled, padded, cut and spliced."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from protocolarc.parity.draw.documents import Bodies, draw_value
from protocolarc.parity.draw.mutations import mutate
from protocolarc.parity.draw.pools import PADS, REVISIONS
from protocolarc.parity.draw.spelling import Speller
from protocolarc.runtime.wire import Request
from protocolarc.values.jsontype import Value

_MOST_LINES = 5
_HOSTILE = 0.25
_PLAIN = 0.3
_LINE_ENDS = (*(b"\n",) * 12, b"\r\n", b"\r\n", b"\r\r\n", b"\n\n", b"\n \t\r\n", b"\r", b"\x0b\n", b"\xc2\x85", b"")


class Inputs:
    """Draws requests for one contract, given as the document it was made from and as bytes."""

    def __init__(self, document: Mapping[str, Value], contract: bytes) -> None:
        self._document = document
        self._contract = contract
        self._bodies = Bodies(document)

    def draw(self, random: Random) -> Request:
        """Draw one request."""
        raw = random.random() < 0.25  # noqa: PLR2004  # one in four is a bare body
        if random.random() < 0.5:  # noqa: PLR2004  # half of them are lines
            lines = [self._line(random, raw=raw) for _ in range(random.randint(0, _MOST_LINES))]
            return Request("jsonl", "in.jsonl", self._contract, b"".join(lines), raw)
        content: Value = self._envelope(random, raw=raw)
        if random.random() < 0.2:  # noqa: PLR2004  # one in five is an array
            content = [self._envelope(random, raw=raw) for _ in range(random.randint(0, 3))]
        return Request("json", "in.json", self._contract, _write(random, content, one_line=False), raw)

    def _line(self, random: Random, *, raw: bool) -> bytes:
        return _write(random, self._envelope(random, raw=raw), one_line=True) + random.choice(_LINE_ENDS)

    def _envelope(self, random: Random, *, raw: bool) -> Value:
        """Draw an envelope that targets the contract, or misses its form by a little."""
        chance = random.random()
        if chance < 0.03:  # noqa: PLR2004  # any value at all
            return draw_value(random)
        body = self._bodies.draw(random)
        if raw:
            return body
        envelope: dict[str, Any] = {"contract": self._document.get("name", "t"), "data": body}
        if random.random() < 0.4:  # noqa: PLR2004  # the hint is optional
            envelope["revision"] = random.choice((self._document.get("revision", ""), *REVISIONS[2:4]))
        if chance < 0.06:  # noqa: PLR2004  # a key is missing
            del envelope[random.choice(("contract", "data"))]
        elif chance < 0.12:  # noqa: PLR2004  # a key holds anything
            envelope[random.choice(("contract", "data", "revision", "trace"))] = draw_value(random)
        elif chance < 0.17:  # noqa: PLR2004  # another contract
            envelope["contract"] = random.choice(("other", "T", "it's \u00fc" + "x" * 60))
        return envelope


def _write(random: Random, content: Value, *, one_line: bool) -> bytes:
    seed = 0 if random.random() < _PLAIN else random.getrandbits(32)
    written = _pad(Speller(seed, one_line=one_line).write(content), random)
    return mutate(written, random) if random.random() < _HOSTILE else written


def _pad(document: bytes, random: Random) -> bytes:
    """Lengthen a document to around the size of a buffer: by blanks before it, or by a member of wide characters."""
    size = random.choice(PADS)
    missing = size + random.randrange(17) - len(document)
    if size == 0 or missing <= 0:
        return document
    if random.random() < 0.5 or not document.startswith(b"{") or document.startswith(b"{}"):  # noqa: PLR2004
        return b" " * missing + document
    return b'{"pad":"' + "\u00e9".encode() * (missing // 2) + b'",' + document[1:]
