"""The JSON profile: the faster path gives what the reference gives, and both hold to their words."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocolarc.loader.decode import decode
from protocolarc.loader.located import parse_located
from protocolarc.loader.profile import JsonError, Located, plain
from protocolarc.rules.structural import CODES
from protocolarc.values.jsontype import Value, equal, json_type
from protocolarc.values.literal import quote, show
from protocolarc.values.number import Number, exact, exceeds_limits, is_integral
from tests.property.strategies import NUMBERS, VALUES, Spelled, damaged, spell, spellings

pytestmark = pytest.mark.property


def outcome(parse: Any, data: bytes) -> Any:
    """Return the value with the source text of its numbers, or the code and offset of the error."""
    try:
        return sources(parse(data))
    except JsonError as error:
        return error.code, error.offset


def sources(value: Value) -> Any:
    if isinstance(value, dict):
        return {key: sources(item) for key, item in value.items()}
    if isinstance(value, list):
        return [sources(item) for item in value]
    return json_type(value), show(value, cut=False)


@given(st.one_of(spellings(), damaged(), st.binary(max_size=20)))
def test_the_faster_path_is_equal_to_the_reference_parser(data: bytes) -> None:
    assert outcome(decode, data) == outcome(lambda data: plain(parse_located(data)), data)


@given(st.one_of(damaged(), st.binary(max_size=20)))
def test_every_byte_string_is_a_document_or_one_documented_error_within_its_length(data: bytes) -> None:
    try:
        parse_located(data)
    except JsonError as error:
        assert error.code in {entry.id for entry in CODES}
        assert 0 <= error.offset <= len(data)


@given(VALUES, st.integers(0, 2**32), st.integers(0, 2**32))
def test_blanks_and_escapes_do_not_change_a_value(value: Any, one: int, other: int) -> None:
    left, right = (decode(spell(value, Random(seed)).encode()) for seed in (one, other))
    assert equal(left, right)
    assert sources(left) == sources(right)


@given(spellings())
def test_strict_json_of_the_standard_library_accepts_the_same_documents(data: bytes) -> None:
    with_library = json.loads(data, parse_float=Spelled, parse_int=Spelled)
    assert json.dumps(strings(decode(data))) == json.dumps(with_library)


def strings(value: Value) -> Any:
    if isinstance(value, dict):
        return {key: strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [strings(item) for item in value]
    return show(value, cut=False) if isinstance(value, (Number, int)) and not isinstance(value, bool) else value


@given(spellings())
def test_an_offset_is_the_first_byte_of_its_value(data: bytes) -> None:
    pending = [parse_located(data)]
    while pending:
        located = pending.pop()
        text = data[located.offset :]
        starts: dict[type, bytes] = {dict: b"{", list: b"[", str: b'"', bool: b"tf", type(None): b"n"}
        assert text[:1] in [bytes([byte]) for byte in starts.get(type(located.content), b"-0123456789")]
        if isinstance(located.content, dict):
            for key, offset in located.keys.items():
                assert located.content.keys() == located.keys.keys()
                assert json.JSONDecoder().raw_decode(data[offset:].decode())[0] == key
            pending += located.content.values()
        elif isinstance(located.content, list):
            pending += located.content


def fraction(source: str) -> Fraction:
    mantissa, _, power = source.lower().partition("e")
    return Fraction(mantissa) * Fraction(10) ** int(power or 0)


SMALL = NUMBERS.filter(lambda source: len(source.lower().partition("e")[2]) < 4)


@given(SMALL, SMALL)
def test_numbers_are_equal_exactly_when_their_fractions_are(left: str, right: str) -> None:
    assert (exact(Number(left)) == exact(Number(right))) == (fraction(left) == fraction(right))
    assert is_integral(Number(left)) == (fraction(left).denominator == 1)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("9" * 1000, False),
        ("9" * 1001, True),
        ("1e999999999", False),
        ("1e-999999999", False),
        ("1e1000000000", True),
        ("1e+0000000000999999999", False),
        ("0e0", False),
    ],
)
def test_the_limits_of_a_number(source: str, expected: bool) -> None:
    assert exceeds_limits(source) is expected


@given(st.text(max_size=80))
def test_a_string_is_shown_in_printable_ascii_and_can_be_read_back(text: str) -> None:
    shown = quote(text, None)
    assert shown.isascii()
    assert shown.isprintable()
    assert json.loads('"' + shown[1:-1].replace("\\'", "'").replace('"', '\\"') + '"') == text


def test_a_located_value_keeps_the_order_of_members() -> None:
    located = parse_located(b'{"b":1,"a":[2,{}]}')
    assert isinstance(located, Located)
    assert plain(located) == {"b": 1, "a": [2, {}]}
    assert list(located.keys) == ["b", "a"]
