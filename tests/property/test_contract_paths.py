"""Contracts are read without places first: that path accepts what the reading with places accepts, and as the same."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocolarc.loader import contract as loader
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.located import parse_located
from protocolarc.loader.problems import Problems
from protocolarc.loader.profile import JsonError, plain
from protocolarc.parity.draw.contracts import contracts
from protocolarc.parity.draw.damage import damage
from protocolarc.parity.draw.spelling import Speller
from protocolarc.rules.structural import SUMMARIES
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.jsontype import Value

REACHABLE = [
    [("a", "string"), ("a.b", "any")],
    [("a", "array"), ("a.b", "any")],
    [("a", "object"), ("a[*]", "any")],
    [("a", ["array", "object"]), ("a[*]", "any"), ("a.b", "any")],
    [("a[*]", "any"), ("a.b", "any")],
    [("a.b", "any"), ("a[*].c", "any")],
    [("a.*", "string"), ("a.b", "integer")],
    [("a.*", "string"), ("a.b.c", "any")],
    [("a", "any"), ("a.b", "integer"), ("a.b.c", "any")],
    [("a", "integer"), ("a", "integer")],
    [("['a']", "integer"), ("a", "integer")],
]


def with_places(data: bytes) -> Contract | tuple[Problem, ...]:
    """Read a contract in the one way that knows where everything stands."""
    try:
        document = parse_located(data)
    except JsonError as error:
        return (Problem(error.offset, "", error.code, SUMMARIES[error.code]),)
    content = plain(document)
    assert isinstance(content, dict)
    problems = Problems()
    read = loader._read_contract(document, content, problems)  # noqa: SLF001  # the reference is no public function
    return problems.in_order() if problems else read


def outcome(data: bytes) -> Contract | tuple[Problem, ...]:
    try:
        return load_contract(data)
    except ContractError as error:
        return error.problems


@pytest.mark.property
@settings(max_examples=400, deadline=None)
@given(content=contracts(), seed=st.integers(0, 1 << 30), damaged=st.booleans())
def test_both_readings_of_a_contract_agree(content: dict[str, Value], seed: int, damaged: bool) -> None:
    value = damage(content, Random(seed)) if damaged else content
    data = Speller(seed, one_line=False).write(value)
    assert outcome(data) == with_places(data)


@pytest.mark.property
@settings(max_examples=200, deadline=None)
@given(first=contracts(), second=contracts(), seed=st.integers(0, 1 << 30), damaged=st.booleans())
def test_what_a_revision_is_read_as_does_not_depend_on_the_one_read_before(
    first: dict[str, Value], second: dict[str, Value], seed: int, damaged: bool
) -> None:
    outcome(Speller(seed, one_line=False).write(first))
    value: dict[str, Value] = {**first, "revision": second["revision"], "fields": second["fields"]}
    data = Speller(seed, one_line=True).write(damage(value, Random(seed)) if damaged else value)
    assert outcome(data) == with_places(data)


NEXT: dict[str, dict[str, Value]] = {
    "nothing else": {},
    "a revision that is none": {"revision": "1.0"},
    "a revision that is no string": {"revision": 1},
    "another title": {"title": "T"},
    "a key in another order": {"strict": False, "side": "request"},
    "a reserved path that is declared": {"reserved": ["a"]},
    "a reserved path that is not": {"reserved": ["b"]},
    "a key that is unknown": {"sides": "both"},
    "a field that cannot be reached": {"fields": [{"name": "a", "type": "integer"}, {"name": "a.b", "type": "any"}]},
    "a field that is reserved in some": {"fields": [{"name": "a", "type": "any"}, {"name": "b", "type": "any"}]},
    "no list of fields": {"fields": {}},
}


@pytest.mark.parametrize("reserved", [{}, {"reserved": ["b"]}], ids=["nothing reserved", "b reserved"])
@pytest.mark.parametrize("changed", NEXT.values(), ids=NEXT)
def test_a_revision_after_another_is_read_as_if_it_were_alone(
    changed: dict[str, Value], reserved: dict[str, Value]
) -> None:
    first: dict[str, Value] = {"name": "t", "revision": "1.0.0", "kind": "mcp", "side": "request", "strict": False}
    first |= {"fields": [{"name": "a", "type": "any"}], **reserved}
    outcome(Speller(0, one_line=True).write(first))
    for value in ({**first, **changed}, {**changed, **{key: first[key] for key in first if key not in changed}}):
        data = Speller(0, one_line=True).write(value)
        assert outcome(data) == with_places(data)


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("fields", REACHABLE, ids=lambda fields: " ".join(name for name, _ in fields))
def test_both_readings_agree_about_what_can_be_reached(fields: list[tuple[str, Value]], required: bool) -> None:
    content: dict[str, Value] = {"name": "t", "revision": "1.0.0", "kind": "mcp"}
    content["fields"] = [{"name": name, "type": types, "required": required} for name, types in fields]
    data = Speller(0, one_line=True).write(content)
    assert outcome(data) == with_places(data)


def test_fields_that_are_equal_in_python_but_not_in_json_are_not_mixed_up() -> None:
    read = []
    for member in ("1", "true", "1.0", '"1"'):
        text = (
            f'{{"name":"t","revision":"1.0.0","kind":"mcp","fields":[{{"name":"a","type":"any","enum":[{member}]}}]}}'
        )
        contract = load_contract(text.encode())
        read.append(repr(contract.fields[0].enum))
    assert read == ["(1,)", "(True,)", "(Number('1.0'),)", "('1',)"]


def test_other_keys_that_are_equal_in_python_but_not_in_json_are_not_mixed_up() -> None:
    read = []
    for value in ("1", "true", "1.0", '"1"', "null", "[1]", "[true]", '{"a":1}'):
        text = f'{{"name":"t","revision":"1.0.0","kind":"mcp","fields":[],"x-a":{value}}}'
        first, second = load_contract(text.encode()), load_contract(text.replace("1.0.0", "1.0.1").encode())
        assert [first.revision.text, second.revision.text] == ["1.0.0", "1.0.1"]
        read.append(repr(second.document["x-a"]))
    assert read == ["1", "True", "Number('1.0')", "'1'", "None", "[1]", "[True]", "{'a': 1}"]
