"""Validation over drawn contracts and envelopes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocolarc.engine.program import compile_places, passes, trace
from protocolarc.engine.validate import Validator
from protocolarc.loader.envelopes import read_envelope, read_lines
from protocolarc.render.json import dump, stream_list
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Document, Envelope
from protocolarc.values.finding import Severity
from protocolarc.values.path import PathError, Wildcard, parse_path, render_path
from tests.property.strategies import KEYS, VALUES, spell
from tests.support.draw import draw_pair, draw_value

pytestmark = pytest.mark.property


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    return draw_pair(Random(draw(st.integers(0, 2**32))))[0]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Contract, dict[str, Any]]:
    """Draw a contract, and data that uses its names."""
    contract = draw(contracts())
    data = draw_value(Random(draw(st.integers(0, 2**32))), contract)
    return contract, data


@given(cases())
def test_the_fast_answer_is_yes_exactly_when_there_is_nothing_to_trace(case: tuple[Contract, dict[str, Any]]) -> None:
    contract, data = case
    root = compile_places(contract)
    assert passes(root, data) is not any(True for _ in trace(root, data, ()))


@given(cases(), st.sampled_from(["t", "other"]), st.sampled_from([None, "9.9.9"]))
def test_an_envelope_is_accepted_exactly_when_no_finding_is_an_error(
    case: tuple[Contract, dict[str, Any]], target: str, declared: str | None
) -> None:
    contract, data = case
    validator, envelope = Validator(contract._replace(strict=True)), Envelope(data, target, declared)
    errors = [finding for finding in validator.validate(envelope) if finding.severity is Severity.ERROR]
    assert validator.accepts(envelope) is not bool(errors)


@given(cases())
def test_errors_stand_before_warnings(case: tuple[Contract, dict[str, Any]]) -> None:
    contract, data = case
    findings = Validator(contract._replace(strict=True)).validate(Envelope(data, "other", "9.9.9"))
    severities = [finding.severity for finding in findings]
    assert severities == sorted(severities, key=[Severity.ERROR, Severity.WARNING].index)


@given(cases(), st.integers(0, 2**32))
def test_the_order_of_members_and_their_spelling_do_not_change_findings(
    case: tuple[Contract, dict[str, Any]], seed: int
) -> None:
    contract, data = case
    validator, random = Validator(contract._replace(strict=True)), Random(seed)
    items = list(data.items())
    random.shuffle(items)
    envelope = read_envelope(spell({"data": dict(items), "contract": "t"}, random).encode())
    assert isinstance(envelope, Envelope)
    assert validator.validate(envelope) == validator.validate(Envelope(data, "t"))


@given(cases(), st.lists(st.sampled_from([b"", b"  ", b"{", b'{"contract":1}', b"[]"]), max_size=4))
def test_a_log_gives_what_its_lines_give_one_by_one(case: tuple[Contract, dict[str, Any]], others: list[bytes]) -> None:
    contract, data = case
    validator = Validator(contract)
    lines = [*others, spell({"contract": "t", "data": data}, Random(0)).replace("\n", " ").encode()]
    alone = [
        validator.judge(Document("a", f":{number}", read_envelope(line)))
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]
    assert [validator.judge(document) for document in read_lines("a", lines)] == alone


@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=4))
def test_a_streamed_report_has_the_bytes_of_one_dump(items: list[dict[str, Any]]) -> None:
    head, tail = {"schema": "x", "name": "\u00e9"}, {"ok": True, "more": [1]}
    assert "".join(stream_list(head, "items", items, lambda: tail)) == dump({**head, "items": items, **tail})


@given(st.lists(st.one_of(KEYS, st.text(max_size=4), st.sampled_from(list(Wildcard))), min_size=1, max_size=6))
def test_a_rendered_path_is_canonical_and_reads_back(steps: list[str | Wildcard]) -> None:
    if isinstance(steps[0], Wildcard):
        steps = ["a", *steps]
    text = render_path(steps)
    assert text.isascii()
    assert parse_path(text) == tuple(steps)
    assert render_path(parse_path(text)) == text


@given(st.text(st.sampled_from("a.@[]*'\\u0041d8 \u00e9\x01"), max_size=12))
def test_any_text_is_a_path_or_a_path_error(text: str) -> None:
    try:
        assert parse_path(render_path(parse_path(text))) == parse_path(text)
    except PathError as error:
        assert 0 <= error.position <= len(text)
