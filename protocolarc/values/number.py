"""Exact JSON numbers: the source text and the decimal that it denotes, never a binary float."""

from __future__ import annotations

MAX_BYTES = 1000
"""Longest number, in bytes, that the JSON profile accepts."""

MAX_EXPONENT_DIGITS = 9
"""Most digits of an exponent, leading zeros aside, that the JSON profile accepts."""


class Number:
    """A JSON number whose text a Python ``int`` would lose: a fraction, an exponent, or ``-0``.

    Every other JSON number is a plain ``int``, whose text is ``str(value)``.
    """

    __slots__ = ("source",)

    def __init__(self, source: str) -> None:
        self.source = source

    def __repr__(self) -> str:
        return f"Number({self.source!r})"

    def __eq__(self, other: object) -> bool:
        """Compare by exact value, so ``1.0`` equals ``1`` and ``10e-1``; a boolean is no number."""
        if isinstance(other, Number) or type(other) is int:
            return exact(self) == exact(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(exact(self))


def decimal(source: str) -> tuple[str, int]:
    """Return ``(digits, exponent)`` of a number's text: signed digits without a zero at either end.

    Zero, in every spelling, is ``("0", 0)``.
    """
    mantissa, _, power = source.lower().partition("e")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = int(power or 0) - len(fraction)
    stripped = digits.rstrip("0")
    if not stripped:
        return "0", 0
    sign = "-" if source.startswith("-") else ""
    return sign + stripped, exponent + len(digits) - len(stripped)


def exact(number: int | Number) -> int | tuple[str, int]:
    """Return the canonical form of a number: equal numbers, and only those, have equal forms.

    An integer of at most ``MAX_BYTES`` digits is an ``int``, any other number its ``decimal``.
    """
    if isinstance(number, int):
        return number
    digits, exponent = decimal(number.source)
    if exponent >= 0 and len(digits) + exponent <= MAX_BYTES:
        return int(digits + "0" * exponent)
    return digits, exponent


def is_integral(number: Number) -> bool:
    """Tell whether the exact value is an integer, as ``1.0`` and ``1e2`` are."""
    return decimal(number.source)[1] >= 0


def exceeds_limits(source: str) -> bool:
    """Tell whether a well-formed number is beyond what the JSON profile accepts."""
    if len(source) > MAX_BYTES:
        return True
    if "e" not in source and "E" not in source:
        return False
    power = source.lower().partition("e")[2]
    return len(power.lstrip("+-").lstrip("0")) > MAX_EXPONENT_DIGITS
