"""The machine formats out of real checks, by both entries; and the action that runs the gate."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from protocolarc.render.formats import CHECK
from tests.support.cli import ROOT
from tests.support.repository import Repository, environment

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


def test_the_gate_script_hands_on_the_exit_code_and_writes_its_reports(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "work")
    repository.put("registry/t.json", "a: string")
    repository.commit()
    repository.put("registry/t.json", "a: integer")
    repository.commit()
    tool = tmp_path / "protocolarc" / "bin" / "protocolarc"
    tool.parent.mkdir(parents=True)
    tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m protocolarc "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    _, script = re.findall(r"\n( +)run: \|\n((?:\1  .*\n|\n)+)", ACTION)[-1]
    files = {"GITHUB_OUTPUT": tmp_path / "out", "GITHUB_STEP_SUMMARY": tmp_path / "summary"}
    words = {"FROM": "HEAD~1", "TO": "HEAD", "RELEASE": "false", "SARIF_FILE": str(tmp_path / "sarif")}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-c", script],
        cwd=repository.top,
        env={**environment(), **words, "RUNNER_TEMP": str(tmp_path), **{k: str(v) for k, v in files.items()}},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout.startswith(b"::error file=registry/t.json,title=")
    assert files["GITHUB_OUTPUT"].read_text(encoding="ascii") == "exit-code=2\n"
    assert files["GITHUB_STEP_SUMMARY"].read_text(encoding="ascii").startswith("# ProtocolArc: breaking\n")
    assert (tmp_path / "sarif").read_text(encoding="ascii").startswith('{\n  "$schema"')
