"""Real git repositories for tests: identity, dates and configuration are pinned."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.cli import ROOT, Done
from tests.support.notation import document

_ENVIRON = {
    "PATH": os.environ["PATH"],
    "PYTHONPATH": str(ROOT),
    "HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
}


def pinned_environment() -> dict[str, str]:
    """The environment of every process here."""
    return dict(_ENVIRON)


class Workshop:
    """A repository in which a test works, a day per commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.days = 0
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str, **environ: str) -> str:
        """Run git and return what it prints."""
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env={**_ENVIRON, **environ}, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def path(self, name: str) -> Path:
        """Return a path of the work tree."""
        return self.folder / name

    def write(self, path: str, fields: str, revision: str = "1.0.0", **more: Any) -> None:
        """Write a contract file."""
        self.write_text(path, json.dumps(document(fields, revision=revision, **more), indent=2) + "\n")

    def write_text(self, path: str, text: str) -> None:
        """Write a file."""
        target = self.path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")

    def commit(self, message: str = "work", author: str = "Ada") -> str:
        """Commit everything, a day after the commit before, and return the commit's id."""
        self.days += 1
        date = f"2026-01-{self.days:02}T12:00:00+00:00"
        self.git("add", "-A")
        self.git(
            *("commit", "-q", "--allow-empty", "-m", message),
            GIT_AUTHOR_DATE=date,
            GIT_COMMITTER_DATE=date,
            GIT_AUTHOR_NAME=author,
        )
        return self.git("rev-parse", "HEAD")

    def merge(self, *words: str) -> str:
        """Merge without a fast-forward and return the commit's id."""
        self.days += 1
        date = f"2026-01-{self.days:02}T12:00:00+00:00"
        self.git("merge", "-q", "--no-ff", "-m", "merge", *words, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
        return self.git("rev-parse", "HEAD")

    def run(self, *words: str, stdin: bytes = b"", **environ: str) -> Done:
        """Run the product here, as a process."""
        done = subprocess.run(
            [sys.executable, "-m", "protocolarc", *words],
            cwd=self.folder,
            env={**_ENVIRON, **environ},
            input=stdin,
            capture_output=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr.decode())
