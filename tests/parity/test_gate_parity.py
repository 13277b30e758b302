"""``gate --parity``: the policy's fixtures on both validators, out of the head's tree."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from protocolarc.render.formats import CHECK
from protocolarc.runtime import find
from tests.support.cli import Done
from tests.support.repository import Repository, codes, contract
from tests.support.runtimes import fake_executable, real_command

POLICY = b'[fixtures]\nm = ["traffic/calls.jsonl", "traffic/one.json"]\n'
CALLS = b'{"contract":"m","data":{"a":"x"}}\n{"contract":"m","data":{}}\nno json\n'
ONE = b'[{"contract":"m","data":{"a":1}}]'
FILES: Mapping[str, bytes | None] = {"traffic/calls.jsonl": CALLS, "traffic/one.json": ONE}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository whose policy names two fixtures, with a carried change on a branch."""
    repository = Repository(tmp_path / "repository")
    repository.commit({"registry/m.json": contract("m", "1.0.0"), "protocolarc.toml": POLICY, **FILES})
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "2.0.0", "a: integer")})
    return repository


@pytest.fixture
def honest(tmp_path: Path) -> str:
    return str(fake_executable(tmp_path))


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    return str(fake_executable(tmp_path, "wrong"))


def gate(repository: Repository, runtime: str, *words: str) -> Done:
    return repository.run("gate", "--parity", "--runtime", runtime, *words)


def test_agreement_is_a_note_beside_the_judgement(repository: Repository, honest: str) -> None:
    done = gate(repository, honest)
    assert (done.exit_code, codes(done), done.stderr) == (0, [], "")
    assert b"  note: both validators agree on 2 fixtures\n" in done.stdout
    repository.commit({"registry/m.json": contract("m", "1.0.1", "a: integer")})
    assert gate(repository, honest).exit_code == 2


def test_the_real_runtime_agrees(repository: Repository) -> None:
    done = gate(repository, real_command()[-1])
    assert (done.exit_code, done.stderr) == (0, "")
    assert b"agree on 2 fixtures" in done.stdout


def test_a_difference_is_told_with_both_outputs(repository: Repository, wrong: str) -> None:
    done = gate(repository, wrong)
    assert (done.exit_code, codes(done)) == (1, ["parity.differs"])
    assert (
        b"m@2.0.0: traffic/calls.jsonl: calls.jsonl:2, finding 1: message is required field is missing in python, "
        b"required field is absent in dotnet\n" in done.stdout
    )
    assert done.stderr.splitlines()[0] == "[DIFF] calls.jsonl:2, finding 1"
    assert "   *  message   required field is missing  required field is absent" in done.stderr


@pytest.mark.parametrize("name", CHECK)
def test_a_difference_stands_in_every_format(repository: Repository, wrong: str, name: str) -> None:
    done = gate(repository, wrong, "--format", name)
    assert done.exit_code == 1
    for word in (b"parity.differs", b"traffic/calls.jsonl", b"is absent in dotnet"):
        assert word in done.stdout


def test_every_revision_of_a_contract_is_asked(repository: Repository, wrong: str) -> None:
    repository.commit({"registry/old.json": contract("m", "1.0.0")})
    done = gate(repository, wrong)
    assert codes(done) == ["parity.differs", "parity.differs"]


def test_a_runtime_that_dies_on_a_fixture_is_a_difference(repository: Repository, tmp_path: Path) -> None:
    done = gate(repository, str(fake_executable(tmp_path, "dies")))
    assert (done.exit_code, codes(done)) == (1, ["parity.differs", "parity.differs"])
    assert b"the runtime failed: it ended without an answer (out of luck)" in done.stdout


def test_files_come_from_the_head_and_not_from_the_disk(repository: Repository, wrong: str) -> None:
    repository.write({"traffic/calls.jsonl": None, "traffic/one.json": b"\xff"})
    assert codes(gate(repository, wrong)) == ["parity.differs"]
    repository.git("checkout", "-q", "--", ".")
    repository.commit({"traffic/calls.jsonl": b""})
    repository.write({"traffic/calls.jsonl": CALLS})
    assert codes(gate(repository, wrong)) == []


def test_what_either_policy_names_counts(repository: Repository, wrong: str) -> None:
    repository.commit({"protocolarc.toml": b'[fixtures]\nm = ["more.jsonl"]\n', "more.jsonl": CALLS})
    done = gate(repository, wrong)
    assert codes(done) == ["parity.differs", "parity.differs", "policy.changed"]


UNREADABLE: list[tuple[dict[str, bytes | None], bytes, str]] = [
    ({"traffic/calls.jsonl": None}, b"", "traffic/calls.jsonl fixture.unreadable: not in the head; a fixture leaves"),
    ({"traffic/calls.jsonl": None, "traffic/calls.jsonl/x.jsonl": b""}, b"", "fixture.unreadable: a folder; name the"),
    (
        {"traffic/calls.jsonl": b"version https://git-lfs.github.com/spec/v1\n"},
        b"",
        "fixture.unreadable: a pointer of Git LFS",
    ),
    ({}, b'n = ["traffic/one.json"]', "traffic/one.json fixture.contract: HEAD ("),
    ({}, b'n = ["traffic/one.json"]', " has no contract n, which the policy names this file for"),
]


@pytest.mark.parametrize(("files", "more", "reason"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_fixture_that_is_not_there_is_an_input_error_and_the_others_are_asked(
    repository: Repository, wrong: str, files: dict[str, bytes | None], more: bytes, reason: str
) -> None:
    repository.commit({"traffic/three.jsonl": CALLS, **files, "protocolarc.toml": POLICY + more})
    done = gate(repository, wrong)
    assert done.exit_code == 3
    assert reason in done.stderr
    assert ("parity.differs" in codes(done)) is ("traffic/calls.jsonl" not in files)


def test_a_link_is_no_fixture(repository: Repository, honest: str) -> None:
    (repository.top / "traffic" / "calls.jsonl").unlink()
    (repository.top / "traffic" / "calls.jsonl").symlink_to("one.json")
    repository.commit({})
    done = gate(repository, honest)
    assert done.exit_code == 3
    assert "traffic/calls.jsonl fixture.unreadable: a symbolic link or a submodule" in done.stderr


def test_no_fixtures_are_nothing_to_compare(repository: Repository, honest: str) -> None:
    repository.git("checkout", "-q", "main")
    repository.commit({"protocolarc.toml": b""})
    repository.commit({"registry/m.json": contract("m", "1.0.1", doc="words")})
    done = gate(repository, honest, "--from", "HEAD~1", "--to", "HEAD")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert "nothing to compare: the policy names no fixtures" in done.stderr


def test_without_the_option_fixtures_are_not_looked_at(repository: Repository) -> None:
    repository.commit({"traffic/calls.jsonl": None})
    assert repository.run("gate").exit_code == 0
    assert repository.run("check", "--from", "main", "--to", "HEAD").exit_code == 0


def test_no_runtime_is_an_input_error(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "own_sources", lambda: None)
    done = repository.run("gate", "--parity")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert re.fullmatch(r"error: there is no \.NET runtime: install the \.NET SDK 10 .*\n", done.stderr)
    assert gate(repository, "nowhere").exit_code == 3


def test_a_runtime_without_parity_is_a_usage_error(repository: Repository, honest: str) -> None:
    assert repository.run("gate", "--runtime", honest).exit_code == 3


def test_the_report_for_machines_is_whole(repository: Repository, wrong: str) -> None:
    told = json.loads(gate(repository, wrong, "--format", "json").stdout)
    (item,) = told["judgements"]
    assert (item["code"], item["level"], item["exit_code"], item["contract"], item["new"], item["path"]) == (
        "parity.differs",
        "error",
        1,
        "m",
        "2.0.0",
        "traffic/calls.jsonl",
    )
