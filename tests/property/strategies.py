"""What the properties draw: JSON values, their spellings, damaged bytes, contracts and envelopes for them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import strategies as st

from protocolarc.values.number import Number

KEYS = st.sampled_from(["a", "b", "c", "a.b", "", "\u00e9", "\U0001f600", "@x", "it's", "contract", "data"])
NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["0", "-0", "1.0", "10e-1", "1E2", "0.1e+1", "1.5", "1e400", "-0.0", "1e999999999", "9" * 1000]),
    st.floats(allow_nan=False, allow_infinity=False).map(json.dumps),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


class Spelled(str):
    """JSON text that stands for itself when a value is spelled."""

    __slots__ = ()


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS.map(Spelled), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


def spell(value: Any, random: Random) -> str:
    """Write a value as JSON with a random choice of blanks and escapes."""
    blank = random.choice(("", "", "", " ", "\n", "\t\r "))
    if isinstance(value, Spelled):
        return blank + value + blank
    if isinstance(value, str):
        return blank + '"' + "".join(_spell_character(character, random) for character in value) + '"' + blank
    if isinstance(value, list):
        return blank + "[" + ",".join(spell(item, random) for item in value) + (blank or "") + "]"
    if isinstance(value, dict):
        members = (spell(key, random) + ":" + spell(item, random) for key, item in value.items())
        return blank + "{" + ",".join(members) + blank + "}"
    if isinstance(value, Number):
        return blank + value.source + blank
    return blank + json.dumps(value) + blank


def _spell_character(character: str, random: Random) -> str:
    must = character in '"\\' or character < " "
    if not must and random.random() < 0.8:
        return character
    escaped = json.dumps(character)[1:-1]
    if escaped != character and random.random() < 0.5:
        return escaped
    units = character.encode("utf-16-be").hex()
    return "".join(
        "\\u" + (unit.upper() if random.random() < 0.5 else unit)
        for unit in (units[start : start + 4] for start in range(0, len(units), 4))
    )


@st.composite
def spellings(draw: st.DrawFn, values: st.SearchStrategy[Any] = VALUES) -> bytes:
    """Draw the bytes of a well-formed document."""
    return spell(draw(values), Random(draw(st.integers(0, 2**32)))).encode()


_WORDS = rb"\ud800 \udc00 \ud83d\ude00 \u00 \x NaN - -0 01 1. 1e 1e400 1e9999999999 { } ] , : \" \\ //".split()
_BYTES = [b"\xc0\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff", b"\xc2\x85", b"\xe2\x80\xa8"]
_MORE = [b"\x00", b"\x0b", b"\x0c", b" ", b"\n", b'"a":1', b"9" * 25, b"9" * 1001, b"[" * 62, b"[" * 66]
FRAGMENTS = [*_WORDS, *_BYTES, *_MORE]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Draw a document with fragments spliced in, bytes cut out, or its end missing."""
    data = bytearray(draw(spellings()))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        action = draw(st.sampled_from(["insert", "cut", "truncate", "replace"]))
        if action == "insert":
            data[at:at] = draw(st.sampled_from(FRAGMENTS))
        elif action == "cut":
            del data[at : at + draw(st.integers(1, 3))]
        elif action == "truncate":
            del data[at:]
        else:
            data[at : at + 1] = bytes([draw(st.integers(0, 255))])
    return bytes(data)
