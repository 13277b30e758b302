"""What the fuzzer draws: the same for the same seed, spelled in many ways, and reaching everything there is to say."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocolarc.engine.validate import Validator
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.decode import decode
from protocolarc.parity.draw.batches import make_batch
from protocolarc.parity.draw.damage import damage
from protocolarc.parity.draw.documents import Bodies, draw_value
from protocolarc.parity.draw.inputs import Inputs
from protocolarc.parity.draw.mutations import mutate
from protocolarc.parity.draw.spelling import Speller
from protocolarc.parity.python import PythonSide
from protocolarc.rules.structural import CODES
from protocolarc.rules.validation import RULES
from protocolarc.values.envelope import Envelope
from protocolarc.values.jsontype import Value, equal

UNREACHED = {"contract.not_object", "input.size", "input.empty", "input.unreadable"}
"""What needs megabytes, a file system or another kind of value; tests of their own and vectors see to them."""

CONTRACT: dict[str, Value] = {
    "name": "t",
    "revision": "1.0.0",
    "kind": "mcp",
    "strict": True,
    "fields": [
        {"name": "a", "type": ["string", "integer"]},
        {"name": "b[*].c", "type": "boolean", "required": False},
        {"name": "c.*", "type": "any", "enum": ["x", None, True]},
    ],
}
seeds = st.integers(1, (1 << 32) - 1)


def codes_of(report: bytes) -> set[str]:
    told = json.loads(report)
    codes = {error["code"] for error in told.get("errors", [])}
    codes |= {result["error"]["code"] for result in told["results"] if "error" in result}
    return codes | {item["rule"] for result in told["results"] for item in result.get("findings", [])}


def test_drawn_contracts_reach_every_code_of_a_contract() -> None:
    random, seen = Random(1), set()
    for _ in range(2000):
        try:
            load_contract(Speller(0, one_line=True).write(damage(CONTRACT, random)))
        except ContractError as error:
            seen |= {problem.code for problem in error.problems}
    wanted = {entry.id for entry in CODES if entry.id.startswith("contract.")}
    assert sorted(wanted - UNREACHED - seen) == []


def test_drawn_inputs_reach_every_rule_code_and_exit_code() -> None:
    random, python = Random(1), PythonSide()
    seen: Counter[str | int] = Counter()
    for _ in range(300):
        for request in make_batch(CONTRACT, random):
            answer = python.validate(request)
            seen.update({answer.exit_code, *codes_of(answer.report)})
            seen["... and more"] += b'"... and ' in answer.report
    codes = {entry.id for entry in CODES if not entry.id.startswith("contract.")}
    assert sorted({*codes, *(rule.entry.id for rule in RULES), "... and more"} - UNREACHED - set(seen)) == []
    assert min(seen[code] for code in (0, 1, 3)) > 100


@pytest.mark.property
@given(seeds)
def test_the_same_seed_draws_the_same_request(number: int) -> None:
    contract = json.dumps(CONTRACT).encode()
    inputs = Inputs(CONTRACT, contract)
    assert inputs.draw(Random(number)) == inputs.draw(Random(number))


@pytest.mark.property
@given(seeds, seeds)
def test_a_spelling_changes_no_value(number: int, spelling: int) -> None:
    value = draw_value(Random(number), depth=1)
    plain, spelled = (Speller(chosen, one_line=True).write(value) for chosen in (0, spelling))
    assert b"\n" not in spelled
    if plain.count(b'":') == spelled.count(b":"):  # no member stands twice
        assert equal(decode(plain), decode(spelled))


@pytest.mark.property
@given(seeds, seeds)
def test_a_spelling_changes_no_finding(number: int, spelling: int) -> None:
    """Whitespace, member order and escapes are not content."""
    validator = Validator(load_contract(json.dumps(CONTRACT).encode()))
    body = {"a": draw_value(Random(number), 1), **Bodies(CONTRACT).draw(Random(number))}
    told = []
    for chosen in (0, spelling):
        try:
            data = decode(Speller(chosen, one_line=False).write(body))
        except ValueError:  # a member that stands twice
            return
        assert isinstance(data, dict)
        findings = validator.validate(Envelope(data))
        if any(item.message.startswith("... and ") for item in findings):  # which are kept depends on the order
            return
        told.append([(item.rule, item.field) for item in findings])
    assert told[0] == told[1]


@pytest.mark.property
@given(seeds)
def test_mutations_take_any_document(number: int) -> None:
    for data in (b"", b"{}", b'{"a":[1,2]}'):
        assert mutate(data, Random(number)) == mutate(data, Random(number))
