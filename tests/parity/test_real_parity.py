"""Both implementations, compared: on the vectors, on files, and on drawn cases."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from protocolarc import __version__
from protocolarc.parity.draw.batches import batches
from protocolarc.parity.peer import Peer
from protocolarc.parity.python import PythonSide
from protocolarc.parity.show import show_difference
from protocolarc.runtime.hello import connect
from protocolarc.runtime.wire import Request
from tests.support.cli import ROOT, run
from tests.support.runtimes import real_command
from tests.support.vectors import Vector, vectors

EXAMPLES = ROOT / "examples"
CONTRACTS = sorted(map(str, (EXAMPLES / "contracts").glob("*.json")))
ALL = list(vectors())
WITH_TEXT = [vector for vector in ALL if "stdout" in vector.expect]
PYTHON = PythonSide()


@pytest.fixture(scope="module")
def command() -> tuple[str, ...]:
    return real_command()


@pytest.fixture(scope="module")
def peer(command: tuple[str, ...]) -> Iterator[Peer]:
    with Peer(lambda: connect(command, __version__)) as peer:
        yield peer


@pytest.mark.parametrize("vector", ALL, ids=lambda vector: vector.id)
def test_the_runtime_gives_what_a_vector_expects(vector: Vector, peer: Peer) -> None:
    difference = peer.compare(vector.request, vector.answer)
    assert difference is None, show_difference(difference, "expected")


@pytest.mark.parametrize("vector", WITH_TEXT, ids=lambda vector: vector.id)
def test_the_runtime_writes_the_text_that_a_vector_expects(
    vector: Vector, command: tuple[str, ...], tmp_path: Path
) -> None:
    contract, document = tmp_path / "contract.json", tmp_path / f"in.{vector.format}"
    contract.write_bytes(vector.contract)
    document.write_bytes(vector.input)
    words = [*command, "validate", str(contract), str(document), *(["--raw"] if vector.raw else [])]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.stdout == vector.expect["stdout"].encode()
    assert done.returncode == vector.expect["exit"]


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda path: Path(path).stem)
@pytest.mark.parametrize("raw", [[], ["--raw"]], ids=["envelopes", "raw"])
def test_the_examples_agree(command: tuple[str, ...], contract: str, raw: list[str]) -> None:
    done = run("parity", contract, str(EXAMPLES), "missing.json", *raw, "--runtime", command[-1])
    assert done.exit_code == 0, done.stdout


@pytest.mark.parametrize("name", ["text", "json", "jsonl"])
@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda path: Path(path).stem)
def test_both_engines_of_validate_write_the_same(command: tuple[str, ...], contract: str, name: str) -> None:
    words = ("validate", contract, str(EXAMPLES), "--format", name)
    dotnet = run(*words, "--engine", "dotnet", "--runtime", command[-1])
    assert dotnet[:2] == run(*words)[:2]  # what is said on standard error is for people


@pytest.mark.parametrize("contract", [*CONTRACTS, str(EXAMPLES / "fixtures" / "a2a_tasks.json"), "missing.json"])
def test_describe_agrees(command: tuple[str, ...], contract: str) -> None:
    done = subprocess.run([*command, "describe", contract], capture_output=True, check=False)
    ours = run("describe", contract)
    assert (done.returncode, done.stdout) == (ours.exit_code, ours.stdout)


@pytest.mark.property
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(batch=batches)
def test_both_implementations_give_the_same_bytes_and_the_same_exit_code(peer: Peer, batch: list[Request]) -> None:
    for request in batch:
        difference = peer.compare(request, PYTHON.validate(request))
        assert difference is None, show_difference(difference)
