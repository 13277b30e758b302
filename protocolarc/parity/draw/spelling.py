"""Writing one JSON value in its many spellings: blanks, escapes, number forms, the order of members."""

from __future__ import annotations

import json
from random import Random

from protocolarc.values.jsontype import Value
from protocolarc.values.number import Number, decimal

_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BLANKS = (*("",) * 27, *(" ", "\t", "\r", "  ") * 2)
_quoted = json.JSONEncoder(ensure_ascii=False).encode
_ZEROS = 3
_LONG = 500  # a number near the limits of the profile stays as it is
_TWICE = 0.004
_LAST_CONTROL = "\x1f"


class Speller:
    """Writes values with the spellings that a seed chooses; the seed 0 spells everything plainly.

    Now and then a member stands twice, spelled in two ways.
    """

    def __init__(self, seed: int, *, one_line: bool) -> None:
        self._random = Random(seed)
        self._plain = seed == 0
        self._blanks = _BLANKS if one_line else (*_BLANKS, "\n", "\n")

    def write(self, value: Value) -> bytes:
        """Return the bytes of a value."""
        return (self._blank() + self._spell(value) + self._blank()).encode()

    def _spell(self, value: Value) -> str:
        if isinstance(value, dict):
            members = list(value.items())
            if not self._plain and self._chance(0.2):
                self._random.shuffle(members)
            if members and not self._plain and self._chance(_TWICE):
                members.append(self._random.choice(members))
            return self._join(
                "{}", [f"{self._string(key)}{self._blank()}:{self._around(item)}" for key, item in members]
            )
        if isinstance(value, list):
            return self._join("[]", [self._spell(item) for item in value])
        if isinstance(value, str):
            return self._string(value)
        if value is None or value is True or value is False:
            return {None: "null", True: "true", False: "false"}[value]
        return self._number(value.source if isinstance(value, Number) else str(value))

    def _join(self, brackets: str, items: list[str]) -> str:
        inside = ",".join(f"{self._blank()}{item}{self._blank()}" for item in items) or self._blank()
        return brackets[0] + inside + brackets[1]

    def _around(self, value: Value) -> str:
        return self._blank() + self._spell(value)

    def _blank(self) -> str:
        return "" if self._plain else self._blanks[int(self._random.random() * len(self._blanks))]

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _string(self, text: str) -> str:
        share = 0.0 if self._plain else self._random.choice((0.0, 0.0, 0.3, 1.0))
        if share == 0:
            return _quoted(text)
        return '"' + "".join(self._character(character, share) for character in text) + '"'

    def _character(self, character: str, share: float) -> str:
        if self._chance(share):
            units = character.encode("utf-16-be").hex()
            units = units.upper() if self._chance(0.5) else units
            return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
        if character == "/":
            return "\\/"
        if character in _SHORT:
            return _SHORT[character]
        return f"\\u{ord(character):04x}" if character <= _LAST_CONTROL else character

    def _number(self, source: str) -> str:
        """Return a text of the same value: the point moved, zeros added, another exponent."""
        digits, exponent = decimal(source)
        if self._plain or self._chance(0.6) or len(digits) + abs(exponent) > _LONG:
            return source
        sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
        zeros = self._random.randrange(_ZEROS)
        digits, exponent = digits + "0" * zeros, exponent - zeros
        point = self._random.randrange(len(digits) + 1)
        exponent += len(digits) - point
        whole, fraction = digits[:point] or "0", digits[point:]
        if len(whole) > 1:
            whole = whole.lstrip("0") or "0"
        mantissa = sign + whole + (f".{fraction}" if fraction else "")
        return mantissa if exponent == 0 else f"{mantissa}{self._random.choice('eE')}{self._exponent(exponent)}"

    def _exponent(self, exponent: int) -> str:
        sign = "-" if exponent < 0 else self._random.choice(("", "+"))
        return f"{sign}{'0' * self._random.randrange(_ZEROS)}{abs(exponent)}"
