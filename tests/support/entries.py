"""Both entries of the product as processes of their own, in a repository."""

from __future__ import annotations

import subprocess
import sys

from tests.support.cli import Done
from tests.support.repository import Repository, environment


def light(repository: Repository, *words: str, stdin: bytes = b"") -> Done:
    """Run the light entry."""
    return _run("protocolarc.hook", repository, ".", words, stdin)


def command(repository: Repository, *words: str, stdin: bytes = b"", below: str = ".") -> Done:
    """Run the command line."""
    return _run("protocolarc", repository, below, words, stdin)


def _run(module: str, repository: Repository, below: str, words: tuple[str, ...], stdin: bytes) -> Done:
    done = subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=repository.top / below,
        env=environment(),
        input=stdin,
        capture_output=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())
