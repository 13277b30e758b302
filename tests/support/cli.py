"""Running the command line: in this process for speed, or as a process of its own where that is the point."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from protocolarc.cli.main import main

ROOT = Path(__file__).parent.parent.parent


class Done(NamedTuple):
    """What a run left: its exit code and the bytes it wrote."""

    exit_code: int
    stdout: bytes
    stderr: str


def run(*words: str, stdin: bytes = b"") -> Done:
    """Run a command in this process, with streams of its own."""
    saved = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.StringIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    sys.stdout = io.TextIOWrapper(out, encoding="ascii", write_through=True)
    sys.stderr = err
    try:
        code = main(words)
        return Done(code, out.getvalue(), err.getvalue())
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved


def spawn(
    *words: str, stdin: bytes = b"", cwd: Path | None = None, environ: Mapping[str, str] = MappingProxyType({})
) -> Done:
    """Run a command as a process, with a nearly empty environment."""
    done = subprocess.run(
        [sys.executable, "-m", "protocolarc", *words],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ},
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())
