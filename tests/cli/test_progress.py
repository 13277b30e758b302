"""Progress goes to standard error, on a terminal alone, and only for work that takes long."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import ROOT

CONTRACT = str(ROOT / "examples" / "contracts" / "mcp_tool_call_1.0.0.json")
LINE = b'{"contract":"mcp.tool_call","data":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}}\n'


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A short log, and one that is over the size from which on progress is shown."""
    folder = tmp_path_factory.mktemp("logs")
    for name, size in (("short.jsonl", 1), ("long.jsonl", 9 << 20)):
        (folder / name).write_bytes(LINE * (size // len(LINE) + 1))
    return str(folder / "short.jsonl"), str(folder / "long.jsonl")


def said(log: str, *, stdin: bytes | None = None, to: str | None = os.devnull, **environ: str) -> bytes:
    """Run ``validate`` with a pseudo-terminal as its standard error, and return what is said there."""
    master, slave = pty.openpty()
    words = ["validate", CONTRACT, log, *(["--output", to] if to else [])]
    given = subprocess.DEVNULL if stdin is None else subprocess.PIPE
    running = subprocess.Popen(
        [sys.executable, "-m", "protocolarc", *words],
        stdin=given,
        stdout=slave if to is None else subprocess.DEVNULL,
        stderr=slave,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm", **environ},
    )
    os.close(slave)
    if running.stdin is not None and stdin is not None:
        running.stdin.write(stdin)
        running.stdin.close()
    shown = b""
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    assert running.wait() == 0
    os.close(master)
    return shown


def test_a_long_log_has_a_bar_with_its_size(logs: tuple[str, str]) -> None:
    assert b"/9.4 MB" in said(logs[1])


def test_standard_input_has_a_counter(logs: tuple[str, str]) -> None:
    shown = said("-", stdin=Path(logs[1]).read_bytes())
    assert b" MB" in shown or b" kB" in shown or b" bytes" in shown
    assert b"/9.4 MB" not in shown


def test_a_short_log_and_a_dumb_terminal_have_none(logs: tuple[str, str]) -> None:
    assert said(logs[0]) == b""
    assert said(logs[1], TERM="dumb") == b""


def test_results_on_the_same_terminal_are_not_drawn_over(logs: tuple[str, str]) -> None:
    shown = said(logs[0], to=None)
    assert shown.count(b"PASS") == 1
    assert b" MB" not in shown
