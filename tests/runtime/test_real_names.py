"""Names of files that are not UTF-8: the runtime cannot open them, and says so; none is passed over in silence."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.cli import ROOT, Done, spawn
from tests.support.runtimes import real_command

CONTRACT = str(ROOT / "examples" / "contracts" / "mcp_tool_call_1.0.0.json")
CALL = b'{"contract":"mcp.tool_call","data":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}}\n'
REASON = "no such file or directory; a name that is not UTF-8 cannot be opened"


@pytest.fixture
def folder(tmp_path: Path) -> bytes:
    """A folder of three files and a folder; of half of them the names are no UTF-8."""
    folder = os.fsencode(tmp_path / "traffic")
    os.makedirs(os.path.join(folder, b"sub\xff"))
    for name in (b"a.jsonl", b"b\xff.jsonl", "c\ufffd.json".encode(), b"sub\xff/d.jsonl", b"e\xff.txt"):
        try:
            descriptor = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT)
        except OSError:
            pytest.skip("this file system takes names in UTF-8 alone")
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(CALL)
    return folder


def validate(*paths: bytes) -> Done:
    words: list[str | bytes] = [*real_command(), "validate", CONTRACT, *paths, "--jsonl"]
    done = subprocess.run(words, capture_output=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr.decode())


def answers(done: Done) -> list[tuple[str, str]]:
    results = map(json.loads, done.stdout.splitlines())
    return [(item["envelope"], item.get("error", {}).get("code", "read")) for item in results]


def test_below_a_directory_each_is_named_and_the_others_are_read(folder: bytes) -> None:
    done = validate(folder)
    assert done.exit_code == 3
    assert sorted(answers(done)) == [
        ("a.jsonl:1", "read"),
        ("b\ufffd.jsonl", "input.unreadable"),
        ("c\ufffd.json", "read"),
        ("sub\ufffd", "input.unreadable"),
    ]
    assert sorted(done.stderr.splitlines()) == [f"b\\ufffd.jsonl: {REASON}", f"sub\\ufffd: {REASON}"]


@pytest.mark.parametrize("name", [b"b\xff.jsonl", b"sub\xff", b"sub\xff/d.jsonl"])
def test_on_the_command_line_one_is_unreadable(folder: bytes, name: bytes) -> None:
    done = validate(os.path.join(folder, name))
    assert done.exit_code == 3
    assert [code for _, code in answers(done)] == ["input.unreadable"]
    assert REASON in done.stderr


def test_as_a_contract_one_is_unreadable() -> None:
    done = subprocess.run([*real_command(), "describe", b"c\xff.json"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr == f"[ERROR] c\\ufffd.json input.unreadable: {REASON}\n".encode()


@pytest.mark.parametrize("name", [b"", b"b\xff.jsonl"])
def test_parity_refuses_them(folder: bytes, name: bytes) -> None:
    path = os.fsdecode(os.path.join(folder, name) if name else folder)
    done = spawn("parity", CONTRACT, path, "--runtime", real_command()[-1])
    assert (done.exit_code, done.stdout) == (3, b"")
    assert "a name that is not UTF-8, which the .NET runtime cannot open" in done.stderr
