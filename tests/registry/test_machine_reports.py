"""The machine formats out of real checks, by both entries; and the action that runs the gate."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from protocolarc.render.formats import CHECK
from tests.support.cli import ROOT
from tests.support.repository import NOTHING, Repository, contract, environment

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


HELD_BACK = re.compile(r"::stop-commands::([0-9a-f]{32})\n(.*)\n::\1::\n", re.DOTALL)
"""What is shown while the runner obeys no commands, and the token that ends it."""


class Ran(NamedTuple):
    """What a run of the action leaves: of the last step its exit code and output, and the files by their variables.

    ``reasons`` is what it shows while the runner obeys no commands, and ``stdout`` the rest of the output.
    """

    exit_code: int
    output: str
    files: dict[str, str]

    @property
    def stdout(self) -> str:
        return HELD_BACK.sub("", self.output)

    @property
    def reasons(self) -> str:
        return self._held(2)

    @property
    def token(self) -> str:
        return self._held(1)

    def _held(self, group: int) -> str:
        held = HELD_BACK.search(self.output)
        return "" if held is None else held[group]


def obeyed(output: str) -> Iterator[str]:
    """Yield the commands that the runner of GitHub takes from an output: ``::x::`` begins a line, ``##[x]`` may not."""
    token = None
    for line in output.splitlines():
        found = re.match(r"\s*::([\w-]+)(?: .*?)?::(.*)", line) or re.search(r"##\[([\w-]+)[^]]*\](.*)", line)
        if found is not None and token is None and found[1] == "stop-commands":
            token = found[2]
        elif found is not None and token is None:
            yield found[1]
        elif found is not None and found[1] == token:
            token = None
    assert token is None


PYTHON = f"""#!/bin/sh
[ "$1 $2 $3" = "-I -m venv" ] && mkdir -p "$4/$TOOLS" && cd "$4/$TOOLS" || exit 9
printf '#!/bin/sh\\nprintf "%%s\\\\n" "$@" >"$RUNNER_TEMP/installed"\\nexit %s\\n' "$INSTALLS" >pip
printf '#!/bin/sh\\nexec {sys.executable} -m protocolarc "$@"\\n' >protocolarc
chmod +x pip protocolarc
"""
"""A python3 that makes an environment without the package index: its pip notes what it is asked for."""
WHERE = "a folder; $(touch ran) 'of' mine"


def run_action(
    repository: Repository,
    inputs: Mapping[str, str] = NOTHING,
    environ: Mapping[str, str] = NOTHING,
    installs: int = 0,
    tools: str = "bin",
) -> Ran:
    """Run the scripts of the action as the runner of GitHub does, from the folder above, until one fails."""
    workspace = repository.top.parent
    temp = workspace / "temp dir"
    shutil.rmtree(temp, ignore_errors=True)
    (temp / "bin").mkdir(parents=True)
    (temp / "bin" / "python3").write_text(PYTHON, encoding="ascii")
    (temp / "bin" / "python3").chmod(0o755)
    defaults = re.findall(r'^  (\S+):\n    description: .*\n    default: "(.*)"$', ACTION, re.MULTILINE)
    known = {f"inputs.{name}": value for name, value in defaults}
    known |= {f"inputs.{name}": value for name, value in {"working-directory": WHERE, **inputs}.items()}
    known["github.action_path"] = "/the action"
    files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    runner = {"RUNNER_TEMP": str(temp), **{name: str(path) for name, path in files.items()}}
    runner |= {"INSTALLS": str(installs), "TOOLS": tools}
    runner["PATH"] = f"{temp}/bin:{environment()['PATH']}"
    done = None
    for step in ACTION.partition("  steps:\n")[2].split("\n\n"):
        given = {
            name: known[value] for name, value in re.findall(r"^ {8}(\w+): \$\{\{ (\S+) \}\}$", step, re.MULTILINE)
        }
        (script,) = re.findall(r"\n      run: \|\n((?:        .*\n?|\n)+)", step) or [""]
        if not script:
            assert "uses: actions/setup-python@" in step
            continue
        place = known["inputs.working-directory"] if "working-directory: $" in step else "."
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=workspace / place,
            env=environment({**runner, **environ, **given}),
            capture_output=True,
            encoding="ascii",
            check=False,
        )
        assert done.stderr == ""  # the runner would not show two streams in order
        if done.returncode:
            break
    assert done is not None
    left = {name: path.read_text(encoding="ascii") for name, path in files.items() if path.exists()}
    return Ran(done.returncode, done.stdout, left)


@pytest.fixture
def judged(repository: Repository) -> Repository:
    """A repository with a branch ``topic`` that breaks, the merge of a pull request checked out, and one release."""
    repository.top.rename(repository.top.parent / WHERE)
    repository.top = repository.top.parent / WHERE
    repository.git("tag", "v1.0.0")
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "1.0.0", "a: integer")})
    repository.git("checkout", "-q", "--detach", "main")
    repository.merge("topic")
    return repository


EVENTS: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    # What happened, what the action is given, and what it compares with.
    "pull_request": ({}, {}, "first parent of HEAD ("),
    "push": ({"before": "main", "after": "topic"}, {}, "before ("),
    "push of a new branch": ({"before": "", "after": "topic"}, {}, "main ("),
    "workflow_dispatch": ({}, {}, "main ("),
    "release": ({}, {"release": "true"}, "v1.0.0 ("),
    "range": ({}, {"from": "main", "to": "topic"}, "main ("),
    "pull_request with inputs that are not set": ({}, {"from": "", "to": "", "release": ""}, "first parent of HEAD ("),
}


@pytest.mark.parametrize("event", EVENTS)
def test_the_action_judges_what_happened(event: str, judged: Repository) -> None:
    body, inputs, base = EVENTS[event]
    commits = {name: judged.git("rev-parse", value) if value else "0" * 40 for name, value in body.items()}
    head = {"head": {"sha": judged.git("rev-parse", "topic")}, "base": {"ref": "main"}}
    told = judged.top.parent / "event.json"
    told.write_text(json.dumps({**commits, "pull_request": head}), encoding="ascii")
    kind = {"GITHUB_EVENT_NAME": event.split(maxsplit=1)[0], "GITHUB_EVENT_PATH": str(told), "GITHUB_ACTIONS": "true"}
    ran = run_action(judged, {"sarif-file": "$(touch ran) s.sarif", **inputs}, kind)
    assert (ran.exit_code, ran.files["GITHUB_OUTPUT"], ran.reasons) == (2, "exit-code=2\n", "")
    assert ran.stdout.startswith("::error file=registry/m.json,title=")
    assert ran.files["GITHUB_STEP_SUMMARY"].startswith("# ProtocolArc: breaking\n")
    assert f"- base: {base}" in ran.files["GITHUB_STEP_SUMMARY"]
    sarif = json.loads((judged.top / "$(touch ran) s.sarif").read_text("ascii"))
    assert [item["ruleId"] for item in sarif["runs"][0]["results"]] == ["bump.missing", "field.type.changed"]
    assert not [path for path in judged.top.parent.rglob("ran*") if path.is_file()]


def test_the_action_lets_pass_what_is_carried(judged: Repository) -> None:
    judged.commit({"registry/m.json": contract("m", "2.0.0", "a: integer")})
    ran = run_action(judged, {"from": "main"})
    assert (ran.exit_code, ran.stdout, ran.reasons) == (0, "", "")
    assert ran.files["GITHUB_OUTPUT"] == "exit-code=0\n"
    installed = judged.top.parent / "temp dir" / "installed"
    assert installed.read_text("ascii").splitlines()[-1] == "/the action"


def test_an_action_that_cannot_be_installed_judges_nothing(judged: Repository) -> None:
    ran = run_action(judged, installs=1)
    assert (ran.exit_code, ran.stdout, ran.files) == (1, "", {})


def test_the_action_reports_files_that_give_no_contract(judged: Repository) -> None:
    judged.commit({"registry/n.json": "{"})
    ran = run_action(judged, {"from": "HEAD~1"})
    assert (ran.exit_code, ran.files["GITHUB_OUTPUT"]) == (3, "exit-code=3\n")
    assert ran.stdout.startswith("::error file=registry/n.json,title=")
    assert "[ERROR] registry/n.json json.syntax" in ran.reasons


@pytest.mark.parametrize(
    "name", ["##[error]x.json", "##[stop-commands]x.json", "\n##[add-mask]e.json", "\n::debug::.json"]
)
def test_a_name_of_a_file_is_no_command_for_the_runner(name: str, judged: Repository) -> None:
    judged.commit({f"registry/{name}": "{"})
    ran = run_action(judged, {"from": "HEAD~1"})
    assert f"[ERROR] registry/{name} json.syntax".replace("\n", "\\n") in ran.reasons
    assert (ran.exit_code, list(obeyed(ran.output))) == (3, ["error"])


def test_nobody_can_guess_what_ends_the_reasons(judged: Repository) -> None:
    judged.commit({"registry/n.json": "{"})
    first, second = (run_action(judged, {"from": "HEAD~1"}).token for _ in range(2))
    assert first
    assert second
    assert first != second


@pytest.mark.parametrize("tools", ["bin", "Scripts"])
def test_the_action_finds_its_tools_where_the_platform_has_them(tools: str, judged: Repository) -> None:
    assert run_action(judged, {"from": "main", "to": "topic"}, tools=tools).exit_code == 2


STRANGE = [
    "##[error]x",
    "##[stop-commands]x",
    "100%gone",
    "$(touch ran)",
    "`touch ran`",
    '"; touch ran; "',
    "--output=ran",
    "x\n::error::y",
    "a  b",
    "-x",
    "*",
]


@pytest.mark.parametrize("name", STRANGE, ids=range(len(STRANGE)))
@pytest.mark.parametrize("where", ["from", "to"])
def test_the_action_says_why_there_is_no_report(where: str, name: str, judged: Repository) -> None:
    ran = run_action(judged, {"sarif-file": "s.sarif", where: name})
    shown = name.replace("\n", "\\n")
    assert (ran.exit_code, ran.files["GITHUB_OUTPUT"]) == (3, "exit-code=3\n")
    assert re.match(rf"error: '?{re.escape(shown)}'? (names no commit here|is no name of a commit)\n", ran.reasons)
    assert all(line.startswith("::error title=protocolarc::") for line in ran.stdout.splitlines())
    assert set(obeyed(ran.output)) == {"error"}
    assert ran.stdout.splitlines()[0].endswith(ran.reasons.splitlines()[0].replace("%", "%25"))
    assert ran.files["GITHUB_STEP_SUMMARY"].startswith(f"    {ran.reasons.splitlines()[0]}\n")
    assert not (judged.top / "s.sarif").exists()
    assert not [path for path in judged.top.parent.rglob("ran*") if path.is_file()]


@pytest.mark.parametrize("word", ["True", "yes", "1", "$(touch ran)"])
def test_the_action_does_not_guess_whether_it_is_a_release(word: str, judged: Repository) -> None:
    ran = run_action(judged, {"release": word})
    assert (ran.exit_code, ran.files) == (3, {"GITHUB_OUTPUT": "exit-code=3\n"})
    assert ran.stdout == "::error title=protocolarc::release is neither true nor false\n"
