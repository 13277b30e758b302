"""Which commands GitPython serves, and that git is asked the same way through it as without it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from protocolarc.cli.app import COMMANDS
from protocolarc.gitstore.gitpython import by_gitpython
from protocolarc.gitstore.plumbing import GitError, open_repository
from tests.support.cli import Done
from tests.support.repository import Repository, contract, environment

CALL = b'{"contract": "m", "data": {"a": "x"}}\n'
SERVED = {
    "init": (),
    "log": (),
    "show": ("m",),
    "blame": ("m",),
    "bisect": ("m", "-"),
    "demo": (),
}
ASKING = [command for command in SERVED if command != "demo"]
WAIVER = ["--from", "1.0.0", "--to", "2.0.0", "--reason", "none", "--owner", "Ada", "--expires", "9999-01-31"]
LIGHT = {
    "validate": ("registry/m.json", "-"),
    "diff": ("m@1.0.0", "registry/m.json"),
    "matrix": ("--contracts", "registry/m.json", "--envelopes", "-"),
    "report": ("--contracts", "registry/m.json", "--envelopes", "-"),
    "describe": ("m", "--at", "HEAD"),
    "parity": ("registry/m.json", "-", "--runtime", "/nonexistent"),
    "check": (),
    "gate": ("--from", "HEAD~1"),
    "bump": ("m",),
    "waive": ("m", "field.type.changed", "a", *WAIVER),
    "rules": (),
}
TELLING = """
import sys
from protocolarc.{module} import main
code = main(sys.argv[1:])
print(code, *sorted({{"git", "gitdb", "protocolarc.gitstore.gitpython"}} & sys.modules.keys()), file=sys.stderr)
"""


def spawn(repository: Repository, *words: str, module: str = "cli.main", **environ: str) -> Done:
    """Run a command as a process; the last line on standard error says how it ended and what it had loaded."""
    done = subprocess.run(
        [sys.executable, "-c", TELLING.format(module=module), *words],
        cwd=repository.top,
        env=environment(environ),
        input=CALL,
        capture_output=True,
        check=True,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


def test_the_tables_hold_every_command() -> None:
    assert {*SERVED, *LIGHT} == set(COMMANDS)


@pytest.mark.parametrize("command", LIGHT)
def test_a_command_that_judges_does_without(repository: Repository, command: str) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", "a: string; b: any opt")})
    said = spawn(repository, command, *LIGHT[command]).stderr
    assert said.splitlines()[-1] == ("3" if command == "parity" else "0")


def test_the_hook_does_without(repository: Repository) -> None:
    repository.stage({"registry/m.json": contract("m", "1.0.0", "a: integer")})
    assert spawn(repository, module="hook").stderr == "2\n"


@pytest.mark.parametrize("command", SERVED)
def test_a_command_that_tells_is_served(repository: Repository, command: str) -> None:
    assert spawn(repository, command, *SERVED[command]).stderr == "0 git gitdb protocolarc.gitstore.gitpython\n"


@pytest.mark.parametrize("command", ASKING)
def test_without_git_it_is_not_even_loaded(repository: Repository, command: str, tmp_path: Path) -> None:
    said = spawn(repository, command, *SERVED[command], PATH=str(tmp_path)).stderr
    assert said == "error: git is not on PATH\nhint: install git, or add its directory to PATH\n3\n"


@pytest.mark.parametrize("command", [*SERVED, *LIGHT])
def test_a_variable_without_a_name_is_no_obstacle(repository: Repository, command: str) -> None:
    words = (command, *{**SERVED, **LIGHT}[command])
    plain = spawn(repository, *words)
    repository.git("clean", "-q", "-f")  # what it wrote
    assert spawn(repository, *words, **{"": "x"}) == plain


@pytest.mark.parametrize("command", ASKING)
def test_no_variable_and_no_configuration_has_a_program_run(
    repository: Repository, command: str, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", encoding="ascii")
    program.chmod(0o755)
    plain = spawn(repository, command, *SERVED[command])
    repository.git("clean", "-q", "-f")
    for key in ("core.fsmonitor", "core.pager", "pager.log", "diff.external", "gpg.program", "core.sshCommand"):
        repository.git("config", key, str(program))
    programs = (
        "GIT_PYTHON_GIT_EXECUTABLE",
        "GIT_PAGER",
        "PAGER",
        "GIT_EXTERNAL_DIFF",
        "GIT_SSH_COMMAND",
        "GIT_ASKPASS",
    )
    traps = dict.fromkeys(programs, str(program)) | {"GIT_PYTHON_REFRESH": "rubbish", "GIT_PYTHON_TRACE": "full"}
    assert spawn(repository, command, *SERVED[command], **traps) == plain
    assert not (tmp_path / "ran").exists()


def test_a_configuration_that_git_reads_at_once_takes_no_longer_through_it(repository: Repository) -> None:
    with (repository.top / ".git" / "config").open("a", encoding="ascii") as stream:
        stream.write("[x]\n\ty = 1" + "\\\n1" * 100_000 + "\n")
    done = subprocess.run(
        ["sh", "-c", 'ulimit -t 60 && exec "$0" -m protocolarc log', sys.executable],
        cwd=repository.top,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


SHIM = """#!{python}
import json, os, sys
with open({log!r}, "a") as stream:
    stream.write(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()]) + "\\n")
os.execv({git!r}, ["git", *sys.argv[1:]])
"""


@pytest.mark.parametrize("command", ["log", "blame", "bisect", "show"])
def test_git_is_started_as_without_it(repository: Repository, command: str, tmp_path: Path) -> None:
    git, log = shutil.which("git"), tmp_path / "log"
    assert git is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text(SHIM.format(python=sys.executable, log=str(log), git=git), encoding="ascii")
    (tmp_path / "bin" / "git").chmod(0o755)
    odd = {"GIT_EXTERNAL_DIFF": "x", "GIT_TRACE": "1", "LANGUAGE": "de", "GIT_PREFIX": "", "ODD": "\udcff"}
    places = {"GIT_DIR": ".git", "GIT_OBJECT_DIRECTORY": ".git/objects"}
    spawn(repository, command, *SERVED[command], PATH=f"{tmp_path}/bin", **odd, **places)
    (_, environ, place), *others = map(json.loads, log.read_text("ascii").splitlines())
    assert 2 <= len(others) <= 3
    assert {"ODD": odd["ODD"], **places}.items() <= environ.items()
    for words, given, where in others:
        assert given.pop("LANGUAGE") == "C"
        assert (words[:2], given, where) == (["-C", place], environ, place)


def test_it_leaves_nothing_behind(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository.top)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "x")
    before = dict(os.environ)
    with open_repository() as git, by_gitpython(git):
        assert git.commit("HEAD") == repository.git("rev-parse", "HEAD")
        assert dict(os.environ) == before
        git.executable = "/nonexistent"
        with pytest.raises(GitError, match="cannot run git: No such file or directory"):
            git.run("version")
    assert dict(os.environ) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_an_exit_code_is_an_answer_and_a_long_output_comes_whole(repository: Repository) -> None:
    data = b"line\n" * 100_000
    repository.commit({"long": data})
    with open_repository(str(repository.top)) as git, by_gitpython(git):
        assert git.run("cat-file", "blob", "HEAD:long") == data
        assert git.ask("hash-object", "--stdin", stdin=data)[0] == 0
        code, out, err = git.ask(b"rev-parse", b"--verify", b"no\xffthing")
    assert (code, out, err) == (128, b"", b"fatal: Needed a single revision\n")
