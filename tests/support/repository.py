"""Real git repositories: identity, dates and configuration are pinned, a day per commit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self
from unittest import mock

from git import Git, Repo

from tests.support import cli
from tests.support.cli import ROOT, Done
from tests.support.notation import document

NOTHING: Mapping[str, str] = MappingProxyType({})
Files = Mapping[str, bytes | str | None]
"""What stands in files, by their paths from the top; ``None`` for one that is deleted."""
_NO_UPKEEP = ("-c", "maintenance.auto=false")
"""Git starts another process after each commit, which finds that there is nothing to tidy."""


def environment(more: Mapping[str, str] = NOTHING) -> dict[str, str]:
    """The environment of every process: nothing of the person or of the run that this test is part of."""
    return {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TEMPLATE_DIR": "",  # the samples of hooks would be most of the files of a repository, and of its copies
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.com",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.com",
        "GIT_MERGE_AUTOEDIT": "no",
        **more,
    }


def only(environ: Mapping[str, str]) -> AbstractContextManager[object]:
    """Give this process an environment, which GitPython hands to its children."""
    return mock.patch.dict(os.environ, environ, clear=True)


def contract(name: str, revision: str, fields: str = "a: string", **keys: Any) -> bytes:
    """A contract document; fields in the notation of the tests."""
    return json.dumps({**document(fields), "name": name, "revision": revision, **keys}).encode()


class Repository:
    """A repository, and the product inside it."""

    def __init__(self, top: Path, **options: Any) -> None:
        """Make a new one, with more options for ``git init``."""
        self.top = top
        self.days = 0
        with only(environment()):
            Repo.init(top, quiet=True, initial_branch="main", **options).close()

    @classmethod
    def at(cls, top: Path) -> Self:
        """Take the directory that is there: a copy, a clone, a worktree, or no repository at all."""
        there = cls.__new__(cls)
        there.top, there.days = top, 10
        return there

    def git(self, *words: str, check: bool = True, environ: Mapping[str, str] = NOTHING, stdin: bytes = b"") -> str:
        """Run git, in whatever stands there, by what ``Repo.git`` is; return what it printed."""
        with only(environment(environ)):
            process = Git(self.top).execute(["git", *words], istream=subprocess.PIPE, as_process=True)
            assert isinstance(process, Git.AutoInterrupt)
            out, err = process.communicate(stdin)
        if check and process.returncode:
            raise AssertionError(f"git {words}: {err.decode()}")
        return str(out, "utf-8", "surrogateescape").strip()

    def write(self, files: Files) -> None:
        """Write files, or delete them."""
        for name, data in files.items():
            path = self.top / name
            if data is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)

    def put(self, path: str, fields: str, revision: str = "1.0.0", **keys: Any) -> None:
        """Write the contract ``t``, or one of another name, over several lines."""
        self.write({path: json.dumps(document(fields, revision=revision, **keys), indent=2) + "\n"})

    def stage(self, files: Files = MappingProxyType({})) -> None:
        """Write files and stage everything."""
        self.write(files)
        self.git("add", "-A")

    def commit(self, files: Files = MappingProxyType({}), *words: str, author: str = "Ada") -> str:
        """Write files, commit everything a day after the commit before, and return the commit's id."""
        self.stage(files)
        environ = {**self._next_day(), "GIT_AUTHOR_NAME": author}
        self.git(*_NO_UPKEEP, "commit", "-q", "--allow-empty", "--no-verify", "-m", "step", *words, environ=environ)
        return self.git("rev-parse", "HEAD")

    def merge(self, *words: str) -> str:
        """Merge without a fast-forward and return the commit's id."""
        self.git(*_NO_UPKEEP, "merge", "-q", "--no-ff", "--no-verify", "-m", "merge", *words, environ=self._next_day())
        return self.git("rev-parse", "HEAD")

    def _next_day(self) -> dict[str, str]:
        self.days += 1
        date = f"2026-01-{self.days:02}T12:00:00+00:00"
        return {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}

    def run(self, *words: str, environ: Mapping[str, str] = NOTHING, below: str = ".", stdin: bytes = b"") -> Done:
        """Run the command line inside this process, in a directory of the repository."""
        here = os.getcwd()
        with only(environment(environ)):
            os.chdir(self.top / below)
            try:
                return cli.run(*words, stdin=stdin)
            finally:
                os.chdir(here)

    def light(self, *words: str, environ: Mapping[str, str] = NOTHING, below: str = ".") -> Done:
        """Run the light entry of the hooks as a process of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "protocolarc.hook", *words],
            cwd=self.top / below,
            env=environment(environ),
            capture_output=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr.decode())


def codes(done: Done) -> list[str]:
    """The codes of a text report, in order."""
    return [line.split()[1] for line in done.stdout.decode().splitlines() if line.startswith(("  ERROR", "  NOTICE"))]
