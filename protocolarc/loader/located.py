"""The JSON profile as code: an iterative parser from bytes to values that know where they stand.

This module is the reference. It scans from left to right, stops at the first violation, and names it
by a code and a byte offset. ``decode`` is the faster path for documents that are accepted.
"""

from __future__ import annotations

import re

from protocolarc.loader.profile import MAX_DEPTH, JsonError, Located, is_oversize
from protocolarc.values.jsontype import Scalar
from protocolarc.values.number import Number, exceeds_limits

BOM = b"\xef\xbb\xbf"

_BLANKS = re.compile(rb"[ \t\n\r]*")
_PLAIN = re.compile(rb'[^"\\\x00-\x1f\x80-\xff]*')
_NON_ASCII = re.compile(rb"[\x80-\xff]+")
_NUMBER_RUN = re.compile(rb"[0-9+\-.eE]+")
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD_RUN = re.compile(rb"[A-Za-z]+")
_HEX = re.compile(rb"\\u([0-9a-fA-F]{4})")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_PAIR = re.compile(rb"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_WORDS: dict[bytes, Scalar] = {b"true": True, b"false": False, b"null": None}
_ESCAPES = dict(zip(b'"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))


def parse_located(data: bytes) -> Located:
    """Parse one document.

    Raises:
        JsonError: the document is outside the JSON profile.
    """
    if is_oversize(data):
        raise JsonError("input.size", 0)
    if data.startswith(BOM):
        raise JsonError("json.bom", 0)
    return _Parser(data).document()


class _Parser:
    """One scan over one document. ``at`` is the offset of the next byte that was not consumed."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def document(self) -> Located:
        """Read the only value: an explicit stack of open containers, so that depth costs no recursion."""
        self._blanks()
        root = self._value(depth=0)
        stack: list[Located] = []
        current = root
        while True:
            if isinstance(current.content, (dict, list)) and not self._closes(current, first=True):
                stack.append(current)
                current = self._member(current, len(stack))
                continue
            while stack and self._closes(stack[-1], first=False):
                stack.pop()
            if not stack:
                break
            current = self._member(stack[-1], len(stack))
        self._blanks()
        if self.at < len(self.data):
            raise self._unexpected()
        return root

    def _closes(self, container: Located, *, first: bool) -> bool:
        """Consume the end of a container, or the comma before its next member, which the first one lacks."""
        self._blanks()
        byte = self._peek()
        if byte == (b"}" if isinstance(container.content, dict) else b"]"):
            self.at += 1
            return True
        if not first:
            self._expect(b",")
        return False

    def _member(self, container: Located, depth: int) -> Located:
        self._blanks()
        if isinstance(container.content, list):
            item = self._value(depth)
            container.content.append(item)
            return item
        members: dict[str, Located] = container.content  # type: ignore[assignment]  # no other container is opened
        start = self.at
        self._expect(b'"')
        key = self._string()
        if key in members:
            raise JsonError("json.duplicate_key", start)
        self._blanks()
        self._expect(b":")
        self._blanks()
        members[key] = item = self._value(depth)
        container.keys[key] = start
        return item

    def _value(self, depth: int) -> Located:
        """Read a scalar, or open a container inside ``depth`` others."""
        start, byte = self.at, self._peek()
        if byte in (b"{", b"["):
            if depth == MAX_DEPTH:
                raise JsonError("json.depth", start)
            self.at += 1
            return Located({} if byte == b"{" else [], start)
        if byte == b'"':
            self.at += 1
            return Located(self._string(), start)
        if byte == b"-" or byte.isdigit():
            return Located(self._number(), start)
        if byte.isalpha():
            return Located(self._word(), start)
        raise self._unexpected()

    def _number(self) -> int | Number:
        start = self.at
        run = self._run(_NUMBER_RUN)
        match = _NUMBER.fullmatch(run)
        if match is None:
            raise JsonError("json.syntax", start)
        source = run.decode("ascii")
        if exceeds_limits(source):
            raise JsonError("json.number_limit", start)
        self.at += len(run)
        return Number(source) if match[1] or match[2] or source == "-0" else int(source)

    def _word(self) -> Scalar:
        run = self._run(_WORD_RUN)
        if run not in _WORDS:
            raise JsonError("json.syntax", self.at)
        self.at += len(run)
        return _WORDS[run]

    def _string(self) -> str:
        """Read the rest of a string whose opening quote is consumed."""
        parts: list[str] = []
        while True:
            run = self._run(_PLAIN)
            parts.append(run.decode("ascii"))
            self.at += len(run)
            byte = self._peek()
            if byte == b'"':
                self.at += 1
                return "".join(parts)
            if byte == b"\\":
                parts.append(self._escape())
            elif byte >= b"\x80":
                parts.append(self._non_ascii())
            else:  # a raw control, or the end of the input
                raise JsonError("json.syntax", self.at)

    def _escape(self) -> str:
        start = self.at
        letter = self.data[start + 1 : start + 2]
        if letter and letter[0] in _ESCAPES:
            self.at += 2
            return _ESCAPES[letter[0]]
        if pair := _PAIR.match(self.data, start):
            self.at = pair.end()
            return bytes.fromhex((pair[1] + pair[2]).decode("ascii")).decode("utf-16-be")
        if _SURROGATE.match(self.data, start):
            raise JsonError("json.surrogate", start)
        match = _HEX.match(self.data, start)
        if match is None:
            raise JsonError("json.syntax", start)
        self.at = match.end()
        return chr(int(match[1], 16))

    def _non_ascii(self) -> str:
        run = self._run(_NON_ASCII)
        try:
            text = run.decode("utf-8")
        except UnicodeDecodeError as error:
            raise JsonError("json.utf8", self.at + error.start) from None
        self.at += len(run)
        return text

    def _blanks(self) -> None:
        self.at += len(self._run(_BLANKS))

    def _run(self, pattern: re.Pattern[bytes]) -> bytes:
        """Return what matches here, without consuming it."""
        match = pattern.match(self.data, self.at)
        return match[0] if match else b""

    def _peek(self) -> bytes:
        return self.data[self.at : self.at + 1]

    def _expect(self, byte: bytes) -> None:
        if self._peek() != byte:
            raise self._unexpected()
        self.at += 1

    def _unexpected(self) -> JsonError:
        """Name the byte that stands where it may not; the end of the input is at its length."""
        sequence = self.data[self.at : self.at + 4]
        if sequence[:1] >= b"\x80":
            try:
                sequence.decode("utf-8")
            except UnicodeDecodeError as error:
                if error.start == 0:
                    return JsonError("json.utf8", self.at)
        return JsonError("json.syntax", self.at)
