from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from protocolarc.parity.vectors import KNOWN_NAME, to_bytes
from protocolarc.runtime import find
from protocolarc.runtime.find import VARIABLE
from tests.support.cli import ROOT, run, spawn
from tests.support.runtimes import fake_executable
from tests.support.vectors import FOLDER, vectors

CONTRACT = str(ROOT / "examples" / "contracts" / "mcp_tool_call_1.0.0.json")
FIXTURES = str(ROOT / "examples" / "fixtures")


@pytest.fixture
def fake(tmp_path: Path) -> str:
    return str(fake_executable(tmp_path))


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    return str(fake_executable(tmp_path, "wrong"))


def test_agreement_is_zero_also_on_failing_envelopes(fake: str) -> None:
    done = run("parity", CONTRACT, FIXTURES, "--runtime", fake)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(b" documents agree\n")
    assert int(done.stdout.split()[0]) > 10


@pytest.mark.parametrize("words", [(CONTRACT, "missing.jsonl"), (f"{FIXTURES}/mcp_calls.jsonl", FIXTURES)])
def test_agreement_is_zero_also_on_what_cannot_be_read(fake: str, words: tuple[str, ...]) -> None:
    assert run("parity", *words, "--runtime", fake).exit_code == 0


def test_exit_codes_that_differ_are_a_difference(tmp_path: Path) -> None:
    loose = str(fake_executable(tmp_path, "loose"))
    done = run("parity", CONTRACT, f"{FIXTURES}/mcp_calls.jsonl", "--runtime", loose)
    assert done.exit_code == 1
    assert b"[DIFF] exit code" in done.stdout


def test_a_finding_that_differs_is_shown_side_by_side(tmp_path: Path) -> None:
    contract = tmp_path / "contract.json"
    contract.write_text('{"name":"t","revision":"1.0.0","kind":"mcp","fields":[]}', encoding="ascii")
    envelopes = tmp_path / "calls.jsonl"
    envelopes.write_text('{"contract":"t","data":{}}\n{"contract":"u","data":{}}\n', encoding="ascii")
    other = tmp_path / "runtime"
    fake = fake_executable(tmp_path)
    script = f'if [ $1 = serve ]; then exec {fake} serve; fi\n{fake} "$@" | sed s/targets/aims/\nexit 1\n'
    other.write_text(f"#!/bin/sh\n{script}", encoding="ascii")
    other.chmod(0o755)

    done = run("parity", str(contract), str(envelopes), "--runtime", str(other))

    assert done.exit_code == 1
    assert done.stdout.decode().splitlines() == [
        "[DIFF] calls.jsonl:2, finding 1",
        "                python                                 dotnet",
        "      rule      contract.match                         contract.match",
        "      field     @contract                              @contract",
        "      severity  error                                  error",
        "   *  message   envelope targets 'u', contract is 't'  envelope aims 'u', contract is 't'",
    ]


def test_all_vectors_are_run_through_both(fake: str) -> None:
    total = len(list(vectors()))
    assert run("parity", "--vectors", "--runtime", fake).stdout == f"{total} vectors agree\n".encode()
    assert run("parity", "--vectors", str(FOLDER), "--runtime", fake).exit_code == 0


def test_a_vector_that_one_side_does_not_meet_is_named(wrong: str) -> None:
    done = run("parity", "--vectors", "--runtime", wrong)
    assert done.exit_code == 1
    assert b"expected                   dotnet" in done.stdout
    assert b"missing-001\n[DIFF] in.json, finding 1\n" in done.stdout


def test_a_known_difference_is_excepted_and_a_stale_one_is_told(tmp_path: Path, wrong: str, fake: str) -> None:
    shutil.copy(FOLDER / "missing.json", tmp_path)
    listed = tmp_path / KNOWN_NAME
    listed.write_text("# why each is known\nmissing-001 says absent\nmissing-999 never was\n", encoding="ascii")
    for runtime in (wrong, fake):
        done = run("parity", "--vectors", str(tmp_path), "--runtime", runtime)
        assert done.exit_code == 1
        assert b"missing-999\n[STALE]" in done.stdout
        assert (b"missing-001\n[STALE]" in done.stdout) is (runtime == fake)
        assert b"missing-001\n[DIFF]" not in done.stdout
    listed.write_text("\n", encoding="ascii")
    assert run("parity", "--vectors", str(tmp_path), "--runtime", fake).exit_code == 0


def test_a_folder_without_vectors_is_an_input_error(tmp_path: Path, fake: str) -> None:
    (tmp_path / "other.json").write_text("[]", encoding="ascii")
    for folder in (tmp_path, tmp_path / "none"):
        assert run("parity", "--vectors", str(folder), "--runtime", fake).exit_code == 3


def test_drawn_cases_are_counted_and_their_seed_is_told(fake: str) -> None:
    done = run("parity", "--fuzz", "40", "--seed", "5", "--runtime", fake)
    assert done.exit_code == 0
    assert re.fullmatch(rb"\d\d cases, seed 5: agree\n", done.stdout)


def test_without_a_seed_one_is_drawn_and_told(fake: str) -> None:
    done = run("parity", "--fuzz", "1", "--runtime", fake)
    assert re.search(rb"seed \d+: agree", done.stdout)


def test_a_drawn_case_that_differs_is_made_small_and_printed_as_a_vector(wrong: str) -> None:
    done = run("parity", "--fuzz", "5000", "--seed", "1", "--runtime", wrong)

    assert done.exit_code == 1
    head, _, case = done.stdout.decode().partition("\n{")
    assert re.match(r"\d+ cases, seed 1: differ\n\[DIFF\] in\.", head)
    vector = json.loads("{" + case)
    assert set(vector) >= {"id", "comment", "level", "contract", "format", "input", "expect"}
    assert vector["level"] == "must"
    assert len(to_bytes(vector["input"])) < 100
    findings = [item for result in vector["expect"]["results"] for item in result["findings"]]
    assert any(item["message"] == "required field is missing" for item in findings)


def test_a_runtime_that_dies_on_a_case_is_a_difference(tmp_path: Path) -> None:
    crash = str(fake_executable(tmp_path, "crash"))
    done = run("parity", "--fuzz", "5000", "--seed", "1", "--runtime", crash)
    assert done.exit_code == 1
    assert b"the runtime failed: it ended without an answer" in done.stdout
    assert "\x00" in json.loads(done.stdout[done.stdout.index(b"\n{") :])["input"]["text"]


def test_no_runtime_is_one_line_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(find, "own_sources", lambda: None)
    done = run("parity", CONTRACT, FIXTURES)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert re.fullmatch(r"error: there is no \.NET runtime: install the \.NET SDK 10 .*\n", done.stderr)


def test_another_version_is_an_input_error(tmp_path: Path) -> None:
    done = run("parity", CONTRACT, FIXTURES, "--runtime", str(fake_executable(tmp_path, "old")))
    assert done.exit_code == 3
    assert "has version '0.0.1', not" in done.stderr


def test_without_hypothesis_the_extra_is_named(fake: str, tmp_path: Path) -> None:
    (tmp_path / "hypothesis.py").write_text("raise ModuleNotFoundError(name='hypothesis')", encoding="ascii")
    done = spawn("parity", "--fuzz", "9", "--runtime", fake, environ={"PYTHONPATH": f"{tmp_path}:{ROOT}"})
    assert done.exit_code == 3
    assert done.stderr == "error: --fuzz needs Hypothesis: install the extra, pip install 'protocolarc[dev]'\n"


def test_fuzzing_leaves_no_files(fake: str, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    assert spawn("parity", "--fuzz", "9", "--seed", "1", "--runtime", fake, cwd=work).exit_code == 0
    assert list(work.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        (),
        (CONTRACT,),
        (CONTRACT, "-"),
        ("--fuzz", "0"),
        ("--fuzz", "9", "--vectors"),
        ("--fuzz", "9", CONTRACT),
        ("--seed", "9", CONTRACT, FIXTURES),
        ("--vectors", "a", "b"),
        ("--vectors", "--raw"),
    ],
)
def test_what_does_not_go_together_is_a_usage_error(words: tuple[str, ...]) -> None:
    assert run("parity", *words).exit_code == 3


def test_help_names_the_ways_and_the_exit_codes() -> None:
    text = run("parity", "--help").stdout.decode()
    for word in ("--vectors", "--fuzz", "--seed", "--runtime", "PROTOCOLARC_RUNTIME", "the two sides differ"):
        assert word in text
