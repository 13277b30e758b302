"""The story that ``demo`` plays in a temporary repository: a breaking edit, the commit that is refused, the bump."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from protocolarc.gitstore.sandbox import Sandbox
from protocolarc.loader.edit import with_revision

_FILE = "registry/tool_call.json"


def play(examples: Path, environ: dict[str, str]) -> Iterator[str]:
    """Yield what a person would see: titles, commands, their output and exit codes. Without git, why not.

    The repository is gone when the story is over.
    """
    with TemporaryDirectory(prefix="protocolarc-demo-", ignore_cleanup_errors=True) as folder:
        package = str(Path(__file__).parent.parent.parent)
        paths = [package, *filter(None, [environ.get("PYTHONPATH")])]
        sandbox = Sandbox(folder, {**environ, "PYTHONPATH": os.pathsep.join(paths)})
        if not sandbox.is_possible:
            yield "# git is not on PATH: the part that plays in a repository is left out\n"
            return
        hook = f"#!/bin/sh\nexec {shlex.quote(Path(sys.executable).as_posix())} -m protocolarc.hook\n"
        with sandbox.opened(hook):
            yield from _scenes(sandbox, examples)


def _scenes(sandbox: Sandbox, examples: Path) -> Iterator[str]:
    target = Path(sandbox.folder) / _FILE
    target.parent.mkdir()
    target.write_bytes((examples / "contracts" / "mcp_tool_call_1.0.0.json").read_bytes())
    yield "# The same contract in a repository, with protocolarc-check as its hook.\n"
    sandbox.git("add", "-A", day=1)
    yield from _commit(sandbox, "First contract", day=1)
    edited = (examples / "contracts" / "mcp_tool_call_2.0.0.json").read_bytes()
    target.write_bytes(with_revision(edited, "1.0.0"))
    yield "# An edit that breaks, under the old revision: the commit is refused.\n"
    yield from _commit(sandbox, "Narrow the id", day=2)
    yield "# The smallest revision that carries it.\n"
    yield from _run(sandbox, "bump", "mcp.tool_call")
    yield from _commit(sandbox, "Narrow the id", day=2)
    yield "# What happened to the contract.\n"
    yield from _run(sandbox, "log", "mcp.tool_call")


def _commit(sandbox: Sandbox, message: str, *, day: int) -> Iterator[str]:
    yield f"$ git commit -a -m '{message}'\n"
    code, said = sandbox.git("commit", "-q", "-a", "-m", message, day=day)
    yield f"{said}# exit code {code}\n\n"


def _run(sandbox: Sandbox, *words: str) -> Iterator[str]:
    yield f"$ protocolarc {' '.join(words)}\n"
    done = subprocess.run(  # noqa: S603  # this very tool
        [sys.executable, "-m", "protocolarc", *words],
        cwd=sandbox.folder,
        env=sandbox.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    yield f"{done.stdout.decode('utf-8', 'backslashreplace')}# exit code {done.returncode}\n\n"
