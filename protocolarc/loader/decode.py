"""The faster path: ``json`` with hooks, which may only accept what the reference parser accepts.

Whatever looks doubtful is handed to ``located``, which decides and names the place. Both give equal
values for every document that is accepted; a property test holds them to it.
"""

from __future__ import annotations

import json
import re

from protocolarc.loader.profile import MAX_DEPTH, MAX_DOCUMENT_BYTES, JsonError, is_oversize, plain
from protocolarc.values.jsontype import Value
from protocolarc.values.number import MAX_BYTES, Number, exceeds_limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_BLANKS = " \t\n\r"
_ESCAPE = r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F])|.)"
_NOT_A_BRACKET = r'"(?:[^"\\]++|\\.)*+"?|[^\[\]{}"]++'


class _DoubtfulError(Exception):
    """The document is left to the reference parser."""


def _unique(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _DoubtfulError
    return members


def _number(source: str) -> Number:
    if exceeds_limits(source):
        raise _DoubtfulError
    return Number(source)


def _integer(source: str) -> int | Number:
    if len(source) > MAX_BYTES:
        raise _DoubtfulError
    return Number(source) if source == "-0" else int(source)


def _refuse(_constant: str) -> NoReturn:
    raise _DoubtfulError


_read_value = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_number, parse_int=_integer, parse_constant=_refuse
).raw_decode


def decode(data: bytes) -> Value:
    """Return the value of one document.

    Raises:
        JsonError: the document is outside the JSON profile.
    """
    if len(data) > MAX_DOCUMENT_BYTES and is_oversize(data):
        raise JsonError("input.size", 0)
    try:
        text = data.decode("utf-8")
        if "\\" in text and _may_hold_lone_surrogate(text):
            raise _DoubtfulError
        if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
            raise _DoubtfulError
        start = 0 if text.startswith("{") else len(text) - len(text.lstrip(_BLANKS))
        value, end = _read_value(text, start)
        if end != len(text) and text[end:].strip(_BLANKS):
            raise _DoubtfulError
    except (_DoubtfulError, ValueError):
        from protocolarc.loader.located import parse_located  # noqa: PLC0415  # only a doubtful document pays for it

        return plain(parse_located(data))
    return value  # type: ignore[no-any-return]  # the hooks build nothing but values


def _may_hold_lone_surrogate(text: str) -> bool:
    r"""``json`` accepts a lone surrogate. Escapes are read from the left, so that ``\\ud800`` is none."""
    if "\\ud" not in text and "\\uD" not in text:
        return False
    return any(match[1] for match in re.finditer(_ESCAPE, text, re.DOTALL))


def _depth(text: str) -> int:
    """Return an upper bound of the nesting up to the first syntax error, so that ``json`` never goes deep."""
    depth = deepest = 0
    for character in re.sub(_NOT_A_BRACKET, "", text, flags=re.DOTALL):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > MAX_DEPTH:
                break
        elif character in "]}":
            depth -= 1
    return deepest
