"""The project's own registry: contracts for real messages of MCP, A2A and JSON-RPC, held to samples of each."""

from __future__ import annotations

import copy
import json
import operator
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from protocolarc import Contract, Validator, load_contract, read_envelope
from protocolarc.values.envelope import Envelope
from protocolarc.values.finding import Severity
from protocolarc.values.path import Path as Steps
from protocolarc.values.path import Wildcard, render_path
from tests.support.cli import ROOT, run

FILES = sorted((ROOT / "registry").rglob("*.json"))
FIXTURES = ROOT / "examples" / "fixtures"
MESSAGES = sorted(FIXTURES.glob("*_messages.jsonl"))
each_contract = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}.{path.stem}")
WORD = "no such word"
VALUES: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "integer": 7,
    "number": 0.5,
    "string": WORD,
    "array": [],
    "object": {},
}


def load(path: Path) -> Contract:
    return load_contract(path.read_bytes())


def samples(name: str) -> list[Any]:
    """The sample messages of a contract."""
    lines = [json.loads(line) for path in MESSAGES for line in path.read_text(encoding="ascii").splitlines()]
    return [line["data"] for line in lines if line["contract"] == name]


class Spot(NamedTuple):
    """Where a field stands in a sample: ``container[key]``."""

    container: Any
    key: str | int
    path: str


def spots(value: Any, steps: Steps, above: tuple[str | int, ...] = ()) -> Iterator[Spot]:
    """Yield every place of a message that a path leads to."""
    step, *rest = steps
    keys: Sequence[str | int] = ()
    if step is Wildcard.ITEM:
        keys = range(len(value)) if isinstance(value, list) else ()
    elif isinstance(value, dict):
        keys = list(value) if step is Wildcard.VALUE else [key for key in value if key == step]
    for key in keys:
        if rest:
            yield from spots(value[key], tuple(rest), (*above, key))
        else:
            yield Spot(value, key, render_path((*above, key)))


def errors(validator: Validator, message: Any) -> list[tuple[str, str]]:
    """Validate a bare message; return rule and field of each error."""
    envelope = read_envelope(json.dumps(message).encode(), raw=True)
    assert isinstance(envelope, Envelope)
    return [(item.rule, item.field) for item in validator.validate(envelope) if item.severity is Severity.ERROR]


@each_contract
def test_a_file_stands_where_its_name_says(path: Path) -> None:
    contract = load(path)
    assert contract.name == f"{path.parent.name}.{path.stem}"
    assert contract.kind == path.parent.name
    assert contract.doc


@each_contract
def test_a_contract_accepts_its_samples_and_no_broken_one(path: Path) -> None:
    bare = "".join(f"{json.dumps(message)}\n" for message in samples(load(path).name)).encode()
    assert run("validate", str(path), "-", "--raw", "--only-failing", stdin=bare)[:2] == (0, b"")
    broken = b"".join(json.dumps({"other": message}).encode() + b"\n" for message in samples(load(path).name))
    done = run("validate", str(path), "-", "--raw", stdin=broken)
    assert (done.exit_code, b"[PASS]" in done.stdout) == (1, False)


@each_contract
def test_every_field_of_a_contract_is_in_a_sample_and_catches_what_is_wrong_there(path: Path) -> None:
    contract = load(path)
    validator = Validator(contract)
    for field in contract.fields:
        steps = field.path
        held = next((message for message in samples(contract.name) if any(spots(message, steps))), None)
        assert held is not None, f"no sample has {field.name}"

        def broken(change: Any, held: Any = held, steps: Steps = steps) -> list[tuple[str, str]]:
            message = copy.deepcopy(held)
            spot = next(spots(message, steps))
            change(spot.container, spot.key)
            return errors(validator, message)

        where = next(spots(held, steps)).path
        admitted = {*field.types, *(("integer",) if "number" in field.types else ())}
        for name in () if "any" in field.types else VALUES.keys() - admitted:
            found = broken(lambda container, key, name=name: operator.setitem(container, key, VALUES[name]))
            assert found == [("field.type", where)]
        if field.enum is not None:
            assert broken(lambda container, key: operator.setitem(container, key, WORD)) == [("field.enum", where)]
        if field.required and isinstance(field.path[-1], str):
            assert broken(operator.delitem) == [("field.required", where)]


def test_every_sample_names_a_contract_and_passes_it() -> None:
    done = run("matrix", "--contracts", str(ROOT / "registry"), "--envelopes", *map(str, MESSAGES))
    assert (done.exit_code, done.stderr) == (0, "")


def test_every_contract_says_who_holds_the_risk() -> None:
    for path in FILES:
        contract = load(path)
        sends = contract.name.endswith((".response", ".result", ".error")) or ".notifications." in contract.name
        from_the_client = {"mcp.sampling.result": "request", "mcp.notifications.cancelled.params": "both"}
        from_the_server = {"mcp.sampling.request": "response", "mcp.elicitation.request": "response"}
        objects = {
            "a2a.task": "response",
            "a2a.artifact": "response",
            "a2a.agent_card": "response",
            "a2a.message": "both",
        }
        expected = {**from_the_client, **from_the_server, **objects}
        assert contract.side == expected.get(contract.name, "response" if sends else "request"), contract.name
