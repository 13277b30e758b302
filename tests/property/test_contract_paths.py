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
