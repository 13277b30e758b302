"""``demo`` tells the whole story in a repository of its own."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.cli import spawn


def test_the_breaking_commit_is_refused_and_the_bump_lets_it_through(tmp_path: Path) -> None:
    done = spawn("demo", cwd=tmp_path)
    assert (done.exit_code, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    text = done.stdout.decode("ascii")
    scenes = text[text.index("$ git ") :].split("\n$ ")
    assert [scene.splitlines()[0] for scene in scenes] == [
        "$ git commit -a -m 'First contract'",
        "git commit -a -m 'Narrow the id'",
        "protocolarc bump mcp.tool_call",
        "git commit -a -m 'Narrow the id'",
        "protocolarc log mcp.tool_call",
    ]
    codes = [next(line for line in scene.splitlines() if line.startswith("# exit code")) for scene in scenes]
    assert [code.split()[-1] for code in codes] == ["0", "1", "0", "0", "0"]
    assert "breaking    field.type.narrowed        id: string|integer -> string\n" in scenes[1]
    assert "mcp.tool_call@1.0.0 is 2.0.0 now" in scenes[2]
    assert "  2.0.0 " in scenes[4]
    assert spawn("demo", environ={"LANG": "C", "TZ": "Asia/Tokyo", "GIT_DIR": "/nowhere"}).stdout == done.stdout


def test_without_git_the_rest_is_played(tmp_path: Path) -> None:
    done = spawn("demo", environ={"PATH": str(tmp_path)})
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(b"# git is not on PATH: the part that plays in a repository is left out\n")
    assert not [name for name in os.listdir(tmp_path) if name.startswith("protocolarc-demo-")]
