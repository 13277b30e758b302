"""Writes the generated reference pages: ``python docs/generate.py``. A test fails while they are out of date."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from protocolarc.cli.app import COMMANDS

REFERENCE = Path(__file__).parent / "reference"


def run(*words: str) -> str:
    """Return what a command prints, at a fixed width."""
    done = subprocess.run(
        [sys.executable, "-m", "protocolarc", *words],
        capture_output=True,
        check=True,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERMINAL_WIDTH": "100"},
    )
    return done.stdout.decode("ascii")


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    help_texts = [f"## `protocolarc {name}`\n\n```text\n{run(name, '--help').rstrip()}\n```\n" for name in COMMANDS]
    commands = "# Commands\n\nMade from the help of each command.\n\n" + "\n".join(help_texts)
    return {"commands.md": commands, "rules.md": run("rules", "--format", "markdown")}


if __name__ == "__main__":
    for file_name, text in pages().items():
        (REFERENCE / file_name).write_text(text, encoding="ascii", newline="\n")
