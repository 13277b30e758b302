"""The machine formats out of real checks, by both entries; and the action that runs the gate."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from protocolarc.render.formats import CHECK
from tests.support.cli import ROOT
from tests.support.repository import Repository, contract, environment

ACTION = (ROOT / "action.yml").read_text(encoding="ascii")


@pytest.mark.parametrize("format_name", CHECK)
def test_both_entries_print_the_same_report(tmp_path: Path, format_name: str) -> None:
    repository = Repository(tmp_path / "work")
    repository.put("registry/\u00e9 <b>%.json", "a: string")
    repository.commit()
    repository.put("registry/\u00e9 <b>%.json", "a: integer")
    repository.write({"registry/x::y.json": "{"})
    repository.git("add", "-A")
    done = repository.run("check", "--format", format_name)
    light = subprocess.run(
        [sys.executable, "-m", "protocolarc.hook", "--format", format_name],
        cwd=repository.top,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (light.returncode, light.stdout, light.stderr.decode()) == done
    assert done.exit_code == 3
    assert done.stdout.isascii()
    assert b"2.0.0" in done.stdout


def test_no_text_of_strangers_stands_in_a_script_of_the_action() -> None:
    scripts = re.findall(r"\n( +)run: \|\n((?:\1  .*\n|\n)+)", ACTION)
    assert len(scripts) == ACTION.count("run: |") == ACTION.count("shell: bash") == 2
    assert not any("${{" in script for _, script in scripts)


def test_the_action_pins_what_it_uses() -> None:
    assert re.findall(r"uses: \S+@(\S+)", ACTION)
    assert all(re.fullmatch("[0-9a-f]{40}", pin) for pin in re.findall(r"uses: \S+@(\S+)", ACTION))


def test_the_scripts_of_the_action_are_shell(tmp_path: Path) -> None:
    for _, script in re.findall(r"\n( +)run: \|\n((?:\1  .*\n|\n)+)", ACTION):
        (tmp_path / "script").write_text(script, encoding="ascii")
        assert subprocess.run(["bash", "-n", str(tmp_path / "script")], check=False).returncode == 0


class Step(NamedTuple):
    """What the gate's step of the action leaves."""

    exit_code: int
    stdout: str
    stderr: str
    files: dict[str, str]


def run_step(repository: Repository, folder: Path, **inputs: str) -> Step:
    """Run the gate's script as the runner of GitHub does."""
    tool = folder / "protocolarc" / "bin" / "protocolarc"
    tool.parent.mkdir(parents=True)
    tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m protocolarc "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    _, script = re.findall(r"\n( +)run: \|\n((?:\1  .*\n|\n)+)", ACTION)[-1]
    files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "SARIF_FILE")}
    given = {"FROM": "", "TO": "", "RELEASE": "false", **inputs, **{name: str(path) for name, path in files.items()}}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-c", script],
        cwd=repository.top,
        env=environment({**given, "RUNNER_TEMP": str(folder)}),
        capture_output=True,
        encoding="ascii",
        check=False,
    )
    left = {name: path.read_text(encoding="ascii") for name, path in files.items() if path.exists()}
    return Step(done.returncode, done.stdout, done.stderr, left)


def test_the_gate_step_hands_on_the_exit_code_and_writes_its_reports(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"registry/m.json": contract("m", "1.0.0", "a: integer"), "registry/n.json": "{"})
    step = run_step(repository, tmp_path, FROM="HEAD~1", TO="HEAD")
    assert (step.exit_code, step.files["GITHUB_OUTPUT"]) == (3, "exit-code=3\n")
    repository.commit({"registry/n.json": None})
    shutil.rmtree(tmp_path / "protocolarc")
    (tmp_path / "GITHUB_OUTPUT").unlink()
    (tmp_path / "GITHUB_STEP_SUMMARY").unlink()
    step = run_step(repository, tmp_path, FROM="HEAD~2", TO="HEAD")
    assert (step.exit_code, step.files["GITHUB_OUTPUT"], step.stderr) == (2, "exit-code=2\n", "")
    assert step.stdout.startswith("::error file=registry/m.json,title=")
    assert step.files["GITHUB_STEP_SUMMARY"].startswith("# ProtocolArc: breaking\n")
    assert json.loads(step.files["SARIF_FILE"])["version"] == "2.1.0"


def test_the_gate_step_says_why_there_is_no_report(repository: Repository, tmp_path: Path) -> None:
    step = run_step(repository, tmp_path, FROM="100%gone")
    assert (step.exit_code, step.files["GITHUB_OUTPUT"]) == (3, "exit-code=3\n")
    assert step.stderr.startswith("error: 100%gone names no commit here\n")
    assert step.stdout.startswith("::error title=protocolarc::error: 100%25gone names no commit here\n")
    assert step.files["GITHUB_STEP_SUMMARY"].startswith("    error: 100%gone names no commit here\n")
    assert "SARIF_FILE" not in step.files
