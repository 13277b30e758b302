"""Colour is for people at a terminal, or for those who ask for it; it never reaches a file format."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from protocolarc.cli.options import wants_color
from tests.support.cli import ROOT, run, spawn

EXAMPLES = ROOT / "examples"
CONTRACT = str(EXAMPLES / "contracts" / "mcp_tool_call_1.0.0.json")
CALLS = str(EXAMPLES / "fixtures" / "mcp_calls.jsonl")
NEWER = str(EXAMPLES / "contracts" / "mcp_tool_call_2.0.0.json")
DRAWN = [
    ["validate", CONTRACT, CALLS],
    ["diff", CONTRACT, NEWER],
    ["describe", CONTRACT],
    ["matrix", "--contracts", CONTRACT, NEWER, "--envelopes", CALLS],
]
ESCAPES = re.compile(rb"\x1b\[[0-9;]*m")


@pytest.mark.parametrize(
    ("choice", "environ", "colored"),
    [
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": ""}, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_who_decides_about_colour(choice: str, environ: dict[str, str], colored: bool) -> None:
    assert wants_color(choice, environ=environ) is colored


@pytest.mark.parametrize("words", DRAWN, ids=lambda words: words[0])
def test_colour_may_be_asked_for_in_a_pipe(words: list[str]) -> None:
    assert ESCAPES.search(run(*words, "--color", "always").stdout)
    assert ESCAPES.search(spawn(*words, environ={"FORCE_COLOR": "1"}).stdout)
    assert not ESCAPES.search(run(*words).stdout)


def test_coloured_results_are_the_plain_ones_with_colour() -> None:
    words = ["validate", CONTRACT, CALLS, str(EXAMPLES / "fixtures" / "broken.jsonl")]
    assert ESCAPES.sub(b"", run(*words, "--color", "always").stdout) == run(*words).stdout


@pytest.mark.parametrize("words", DRAWN, ids=lambda words: words[0])
def test_frames_are_ascii_where_the_terminal_does_not_speak_utf8(words: list[str]) -> None:
    assert spawn(*words, environ={"FORCE_COLOR": "1", "PYTHONIOENCODING": "ascii"}).stdout.isascii()


@pytest.mark.parametrize("format_name", ["json", "jsonl"])
def test_a_file_format_is_never_coloured(format_name: str) -> None:
    words = ["validate", CONTRACT, CALLS, "--format", format_name]
    assert run(*words, "--color", "always") == run(*words)


def test_markup_in_data_is_shown_as_it_is(tmp_path: Path) -> None:
    text = '{"name":"t","revision":"1.0.0","kind":"k","title":"[red]x[/red] :smile:","fields":%s}'
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(text % '[{"name":"[\'[bold]a\']","type":"any"}]', encoding="ascii")
    new.write_text(text % '[{"name":"[\'[bold]a\']","type":"string","enum":["[/x]"]}]', encoding="ascii")
    for words in (["describe", str(new)], ["diff", str(old), str(new)]):
        shown = ESCAPES.sub(b"", spawn(*words, environ={"FORCE_COLOR": "1", "COLUMNS": "200"}).stdout).decode()
        assert "['[bold]a']" in shown
        assert "{'[/x]'}" in shown
    assert "[red]x[/red] :smile:" in spawn("describe", str(new), environ={"FORCE_COLOR": "1"}).stdout.decode()


@pytest.mark.parametrize("words", DRAWN, ids=lambda words: words[0])
def test_a_terminal_gets_colour_unless_it_is_dumb(words: list[str]) -> None:
    assert ESCAPES.search(on_terminal(words, TERM="xterm"))
    assert not ESCAPES.search(on_terminal(words, TERM="dumb"))
    assert not ESCAPES.search(on_terminal(words, TERM="xterm", NO_COLOR="1"))


def on_terminal(words: list[str], **environ: str) -> bytes:
    """Run a command with a pseudo-terminal as its standard output."""
    master, slave = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "protocolarc", *words],
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ},
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    running.wait()
    os.close(master)
    return shown


@pytest.mark.parametrize(("count", "shown"), [(1000, 1000), (1002, 1000)])
def test_a_picture_shows_so_many_changes_and_says_how_many_there_are(tmp_path: Path, count: int, shown: int) -> None:
    paths = tmp_path / "old.json", tmp_path / "new.json"
    for path, revision, types in zip(paths, ("1.0.0", "2.0.0"), ("string", "integer"), strict=True):
        fields = [{"name": f"k{number}", "type": types} for number in range(count)]
        path.write_text(json.dumps({"name": "t", "revision": revision, "kind": "k", "fields": fields}))
    drawn = run("diff", *map(str, paths), "--color", "always").stdout.decode()
    assert drawn.count("field.type.changed") == shown
    assert (f"the first 1000 of {count} changes; --color never lists all of them" in drawn) is (count > shown)
    assert run("diff", *map(str, paths)).stdout.count(b"field.type.changed") == count
