"""Real git repositories, made with few processes, with identity, dates and configuration pinned."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.support.cli import ROOT, Done
from tests.support.notation import document

NOTHING: Mapping[str, str] = MappingProxyType({})


def environment(more: Mapping[str, str] = NOTHING) -> dict[str, str]:
    """The environment of every process: nothing of the person or of the run that this test is part of."""
    return {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.com",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "GIT_MERGE_AUTOEDIT": "no",
        **more,
    }


def contract(name: str, revision: str, fields: str = "a: string", **keys: Any) -> bytes:
    """A contract document; fields in the notation of the tests."""
    return json.dumps({**document(fields), "name": name, "revision": revision, **keys}).encode()


class Repository:
    """A repository below a temporary directory."""

    def __init__(self, top: Path, *init: str) -> None:
        self.top = top
        top.mkdir(parents=True, exist_ok=True)
        if init != ("none",):
            self.git("init", "-q", "-b", "main", *init)

    def git(self, *words: str, check: bool = True, environ: Mapping[str, str] = NOTHING, stdin: bytes = b"") -> str:
        """Run git and return what it printed."""
        done = subprocess.run(
            ["git", *words], cwd=self.top, env=environment(environ), capture_output=True, check=False, input=stdin
        )
        if check and done.returncode:
            raise AssertionError(f"git {words}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: Mapping[str, bytes | None]) -> None:
        """Write files below the top; ``None`` deletes one."""
        for name, data in files.items():
            path = self.top / name
            if data is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def stage(self, files: Mapping[str, bytes | None]) -> None:
        """Write files and stage everything."""
        self.write(files)
        self.git("add", "-A")

    def commit(self, files: Mapping[str, bytes | None], *words: str) -> str:
        """Write files, commit everything, and return the id."""
        self.stage(files)
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", "step", *words)
        return self.git("rev-parse", "HEAD")

    def run(self, *words: str, environ: Mapping[str, str] = NOTHING, below: str = ".") -> Done:
        """Run the light entry as a process of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "protocolarc.hook", *words],
            cwd=self.top / below,
            env=environment(environ),
            capture_output=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr.decode())

    def install_hook(self, *names: str) -> None:
        """Install the light entry as a plain git hook; its output goes to the file ``hook.log``."""
        for name in names or ("pre-commit",):
            folder = Path(self.git("rev-parse", "--path-format=absolute", "--git-path", "hooks"))
            folder.mkdir(exist_ok=True)
            log = self.top.parent / "hook.log"
            hook = folder / name
            hook.write_text(
                f"#!/bin/sh\n{sys.executable} -m protocolarc.hook >'{log}' 2>&1\ncode=$?\n"
                f"echo \"exit $code\" >>'{log}'\nexit $code\n",
                encoding="ascii",
            )
            hook.chmod(0o755)

    def hook_log(self) -> list[str]:
        """What the hook printed last, its exit code at the end; nothing when no hook ran."""
        log = self.top.parent / "hook.log"
        if not log.exists():
            return []
        lines = log.read_text(encoding="ascii").splitlines()
        log.unlink()
        return lines


def codes(done: Done) -> list[str]:
    """The codes of a text report, in order."""
    return [line.split()[1] for line in done.stdout.decode().splitlines() if line.startswith(("  ERROR", "  NOTICE"))]
