"""The conformance vectors through the command line, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.support.cli import run
from tests.support.vectors import SCHEMA, Vector, topics, vectors

ALL = list(vectors())


@pytest.mark.parametrize("path", topics(), ids=lambda path: path.stem)
def test_a_file_of_vectors_is_ascii_and_follows_the_schema(path: Path) -> None:
    data = path.read_bytes()
    assert data.isascii()
    topic = json.loads(data)
    Draft202012Validator(json.loads(SCHEMA.read_bytes())).validate(topic)
    assert topic["topic"] == path.stem


def test_ids_are_unique_and_begin_with_their_topic() -> None:
    assert len({vector.id for vector in ALL}) == len(ALL)
    for path in topics():
        assert all(case["id"].startswith(f"{path.stem}-") for case in json.loads(path.read_bytes())["cases"])


@pytest.mark.parametrize("vector", ALL, ids=lambda vector: vector.id)
def test_the_command_line_gives_what_a_vector_expects(vector: Vector, tmp_path: Path) -> None:
    contract = tmp_path / "contract.json"
    contract.write_bytes(vector.contract)
    document = tmp_path / f"in.{vector.format}"
    document.write_bytes(vector.input)
    words = ["validate", str(contract), str(document), *(["--raw"] if vector.raw else [])]

    done = run(*words, "--format", "json")

    assert done.exit_code == vector.answer.exit_code
    assert done.stdout == vector.answer.report
    assert done.stdout.isascii()
    assert b"\r" not in done.stdout
    if "stdout" in vector.expect:
        assert run(*words).stdout == vector.expect["stdout"].encode()
