"""Git commands through the hooks that this repository ships: as plain git hooks, and by the runners.

Nothing is built or downloaded: the runners take the shipped manifest as a local configuration, in which only the
language is another one, so that the hooks run from the environment of the tests.
"""

from __future__ import annotations

import re
import subprocess
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.cli import ROOT
from tests.support.repository import Repository, environment

RUNNERS = ("git", "pre-commit", "prek")
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
CONFIG = ".pre-commit-config.yaml"
STAGES = ("pre-commit", "pre-merge-commit", "pre-push")

_RAN = re.compile(r"^checked \d+ contract|^protocolarc check\.*(?:Passed|Failed)", re.MULTILINE)
_SCRIPT = re.compile(r"```sh\n(#!/bin/sh\n.*?)```", re.DOTALL)


class Said(NamedTuple):
    """How a command ended, and what it and the hooks said."""

    exit_code: int
    text: str


def shipped_config() -> str:
    """The shipped manifest as a local configuration of a runner."""
    hooks = MANIFEST.read_text(encoding="ascii").replace("language: python", "language: system")
    stages = ", ".join(STAGES)
    return f"default_install_hook_types: [{stages}]\nrepos:\n- repo: local\n  hooks:\n{textwrap.indent(hooks, '  ')}"


def documented_script() -> str:
    """The plain git hook that the documentation gives."""
    found = _SCRIPT.search((ROOT / "docs" / "registry.md").read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def install(repository: Repository, runner: str, home: Path) -> None:
    """Install the hooks by a runner, whose configuration the repository holds, or as plain git hooks."""
    if runner != "git":
        done = _run([runner, "install"], repository.top, home)
        assert done.exit_code == 0, done.text
        return
    folder = Path(repository.git("rev-parse", "--path-format=absolute", "--git-path", "hooks"))
    folder.mkdir(exist_ok=True)
    for name in STAGES[:2]:
        (folder / name).write_text(documented_script(), encoding="ascii")
        (folder / name).chmod(0o755)


class Hooked:
    """A repository whose git commands run the hooks."""

    def __init__(self, repository: Repository, runner: str, home: Path) -> None:
        self.repository = repository
        self.runner = runner
        self._home = home

    def at(self, top: Path) -> Hooked:
        """Take another work tree of the same hooks."""
        return Hooked(Repository.at(top), self.runner, self._home)

    def lets(self, *words: str, below: str = ".") -> str:
        """Run a git command that must come through, past the hook; return what was said."""
        done = self.run("git", *words, below=below)
        assert done.exit_code == 0, done.text
        assert _RAN.search(done.text), "no hook ran"
        return done.text

    def refuses(self, *words: str, below: str = ".") -> str:
        """Run a git command that the hook must stop, with HEAD left as it was; return what was said."""
        before = self._head()
        done = self.run("git", *words, below=below)
        assert done.exit_code != 0, "the hook let it through"
        assert _RAN.search(done.text), done.text
        assert self._head() == before
        return done.text

    def run(self, *words: str, below: str = ".") -> Said:
        """Run a command in a directory of the repository."""
        return _run(words, self.repository.top / below, self._home)

    def _head(self) -> str:
        return self.repository.git("rev-parse", "-q", "--verify", "HEAD", check=False)


def _run(words: Sequence[str], directory: Path, home: Path) -> Said:
    homes = {"PRE_COMMIT_HOME": str(home / "pre-commit"), "PREK_HOME": str(home / "prek"), "GIT_ALLOW_PROTOCOL": "file"}
    done = subprocess.run(  # not by GitPython, which keeps the two streams apart: what was said comes in order
        words,
        cwd=directory,
        env=environment(homes),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="ascii",
        check=False,
    )
    return Said(done.returncode, done.stdout)
