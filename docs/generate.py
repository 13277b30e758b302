"""Writes the generated reference pages: ``python docs/generate.py``. A test fails while they are out of date."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

from protocolarc.cli.app import COMMANDS

REFERENCE = Path(__file__).parent / "reference"
BRIDGE_TESTS = Path(__file__).parents[1] / "tests" / "bridge"


def run(*words: str) -> str:
    """Return what a command prints, at a fixed width."""
    done = subprocess.run(
        [sys.executable, "-m", "protocolarc", *words],
        capture_output=True,
        check=True,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERMINAL_WIDTH": "100"},
    )
    return done.stdout.decode("ascii")


def marked_tests() -> dict[str, list[tuple[str, str]]]:
    """Return file and name of the tests of each requirement, as ``@pytest.mark.requirement`` names it."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(BRIDGE_TESTS.glob("test_*.py")):
        for node in ast.parse(path.read_bytes()).body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.requirement":
                    for word in mark.args:
                        found.setdefault(ast.literal_eval(word), []).append((path.name, node.name))
    return found


def requirements() -> str:
    """Return the table of what the bridge promises and the tests that hold it to that."""
    texts: dict[str, str] = json.loads((BRIDGE_TESTS / "requirements.json").read_bytes())
    tests = marked_tests()
    rows = [f"| {key} | {text} | {shown(tests.get(key, []))} |" for key, text in texts.items()]
    head = "# What the bridge promises\n\nMade from the marks of the tests in `tests/bridge`.\n\n"
    return head + "| | requirement | tests |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def shown(tests: list[tuple[str, str]]) -> str:
    """Return the tests of one requirement: their names are sentences."""
    return "<br>".join(
        f"[{name.removeprefix('test_').replace('_', ' ')}](../../tests/bridge/{file_name})" for file_name, name in tests
    )


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    help_texts = [f"## `protocolarc {name}`\n\n```text\n{run(name, '--help').rstrip()}\n```\n" for name in COMMANDS]
    commands = "# Commands\n\nMade from the help of each command.\n\n" + "\n".join(help_texts)
    return {"bridge.md": requirements(), "commands.md": commands, "rules.md": run("rules", "--format", "markdown")}


if __name__ == "__main__":
    for file_name, text in pages().items():
        (REFERENCE / file_name).write_text(text, encoding="ascii", newline="\n")
