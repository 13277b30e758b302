"""The project's own registry: contracts for real MCP messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protocolarc import Contract, load_contract
from tests.support.cli import ROOT, run

FILES = sorted((ROOT / "registry").rglob("*.json"))
MESSAGES = ROOT / "examples" / "fixtures" / "mcp_messages.jsonl"


def load(path: Path) -> Contract:
    return load_contract(path.read_bytes())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_stands_where_its_name_says(path: Path) -> None:
    contract = load(path)
    assert contract.name == f"{path.parent.name}.{path.stem}"
    assert contract.kind == path.parent.name
    assert contract.doc


def test_every_contract_has_a_message_that_it_accepts() -> None:
    done = run("matrix", "--contracts", str(ROOT / "registry"), "--envelopes", str(MESSAGES))
    assert (done.exit_code, done.stderr) == (0, "")
    targeted = {json.loads(line)["contract"] for line in MESSAGES.read_text(encoding="ascii").splitlines()}
    assert targeted == {load(path).name for path in FILES}


def test_every_contract_says_who_holds_the_risk() -> None:
    for path in FILES:
        contract = load(path)
        sends = contract.name.endswith((".response", ".result", ".error")) or ".notifications." in contract.name
        from_the_client = {"mcp.sampling.result": "request", "mcp.notifications.cancelled.params": "both"}
        from_the_server = {"mcp.sampling.request": "response", "mcp.elicitation.request": "response"}
        expected = {**from_the_client, **from_the_server}.get(contract.name, "response" if sends else "request")
        assert contract.side == expected, contract.name
