"""``log FILE`` follows one file alone, as ``git log`` does; ``log NAME`` follows the contract wherever it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.entries import command
from tests.support.repository import Repository, contract


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "work")
    made.commit({"registry/old.json": contract("t", "1.0.0"), "registry/other.json": contract("u", "1.0.0")})
    made.commit({"registry/old.json": None, "registry/new.json": contract("t", "1.1.0", "a: string; b: any opt")})
    made.commit({"registry/new.json": contract("t", "2.0.0", "a: integer")})
    return made


def revisions(repository: Repository, *words: str) -> dict[str, list[str]]:
    report = json.loads(command(repository, "log", *words, "--format", "json").stdout)
    return {item["name"]: [step["revision"] for step in item["steps"]] for item in report["contracts"]}


def test_a_file_is_followed_alone(repository: Repository) -> None:
    assert revisions(repository, "registry/new.json") == {"t": ["1.1.0", "2.0.0"]}
    assert revisions(repository, "t") == {"t": ["1.0.0", "1.1.0", "2.0.0"]}
    assert revisions(repository, "--full", "registry/other.json") == {"u": ["1.0.0"]}


def test_a_file_begins_at_the_current_directory(repository: Repository) -> None:
    whole = command(repository, "log", "registry/new.json")
    assert whole.exit_code == 0
    for word in ("new.json", "./new.json", str(repository.top / "registry" / "new.json")):
        assert command(repository, "log", word, below="registry") == whole


def test_a_file_that_never_held_a_contract_is_told(repository: Repository) -> None:
    repository.write({"notes.json": b"{}"})
    done = command(repository, "log", "notes.json")
    assert (done.exit_code, done.stdout) == (3, b"")
    said = "error: no commit has a contract in the file notes.json; without that file it would be a name\n"
    assert done.stderr == said
    (repository.top.parent / "outside.json").write_bytes(b"{}")
    assert (
        command(repository, "log", "../outside.json").stderr == "error: ../outside.json is outside of the repository\n"
    )


def test_a_file_that_is_gone_is_told_and_a_name_may_end_like_one(repository: Repository) -> None:
    repository.commit({"registry/named.json": contract("named.json", "1.0.0")})
    assert revisions(repository, "named.json") == {"named.json": ["1.0.0"]}
    done = command(repository, "log", "registry/gone.json")
    said = "error: there is no file registry/gone.json; what is gone is followed by the name of its contract\n"
    assert (done.exit_code, done.stdout, done.stderr) == (3, b"", said)


def test_a_name_that_is_spelled_with_escapes_is_followed(repository: Repository) -> None:
    hidden = contract("a/b", "1.0.0").replace(b"a/b", b"a\\/\\u0062")
    repository.commit({"registry/ab.json": hidden})
    repository.commit({"registry/ab.json": contract("a/b", "1.1.0", "a: string; b: any opt")})
    assert revisions(repository, "a/b") == {"a/b": ["1.0.0", "1.1.0"]}
