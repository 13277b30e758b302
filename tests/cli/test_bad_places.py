"""Bad usage, closed pipes, interrupts, and faults: a clear line and the right exit code, never a traceback."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from protocolarc.cli.exit_codes import worst
from tests.support.cli import ROOT, run, spawn
from tests.support.notation import document

CONTRACT = str(ROOT / "examples" / "contracts" / "mcp_tool_call_1.0.0.json")
CALLS = str(ROOT / "examples" / "fixtures" / "mcp_calls.jsonl")

USAGE = [
    (["--nope"], "No such option: --nope"),
    (["nope"], "No such command 'nope'"),
    (["validate"], "Missing argument 'CONTRACT'"),
    (["validate", CONTRACT], "Missing argument 'ENVELOPES...'"),
    (["validate", CONTRACT, CALLS, "--format", "xml"], "'xml' is not one of text, json, jsonl"),
    (["validate", CONTRACT, CALLS, "--color", "red"], "'red' is not one of auto, always, never"),
    (["diff", CONTRACT], "Missing argument 'NEW'"),
    (["diff", CONTRACT, CONTRACT, "--side", "left"], "'left' is not one of request, response, both"),
    (["matrix", "--contracts", CONTRACT], "Missing option '--envelopes'"),
    (["report", "--envelopes", CALLS], "Missing option '--contracts'"),
    (["rules", "no.such"], "there is no rule 'no.such'"),
]


@pytest.mark.parametrize(("words", "reason"), USAGE, ids=lambda value: " ".join(value)[-30:] if value else "")
def test_a_usage_error_is_3_and_says_why(words: list[str], reason: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_no_command_shows_the_help_and_is_a_usage_error() -> None:
    done = run()
    assert done.exit_code == 3
    assert "Usage: protocolarc" in done.stdout.decode() + done.stderr


@pytest.mark.parametrize(
    ("codes", "expected"),
    [([], 0), ([0, 1], 1), ([2, 1], 2), ([3, 2], 3), ([70, 3, 1], 70)],
)
def test_the_worst_of_several_codes(codes: list[int], expected: int) -> None:
    assert worst(*codes) == expected


def process(*words: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "protocolarc", *words],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("words", [["rules"], ["--help"], ["validate", CONTRACT, CALLS], ["--version"]])
def test_a_pipe_that_is_closed_before_the_first_byte_is_no_error(words: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "protocolarc", *words],
        stdout=write,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    os.close(write)
    assert done.stderr == b""
    assert done.returncode in (0, 1)


def test_a_reader_that_leaves_gets_the_code_of_the_work_done_so_far(tmp_path: Path) -> None:
    contract = tmp_path / "t.json"
    contract.write_text(json.dumps(document("a: integer")), encoding="ascii")
    with process("validate", str(contract), "-", stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(b'{"contract":"t","data":{}}\n')
        running.stdin.flush()
        assert running.stdout.readline() == b"[FAIL] t@1.0.0 <- -:1\n"
        running.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            running.stdin.write(b'{"contract":"t","data":{"a":1}}\n' * 100_000)
            running.stdin.close()
        assert running.stderr is not None
        assert running.stderr.read() == b""
        assert running.wait() == 1


def test_results_of_standard_input_are_handed_on_as_they_come() -> None:
    with process("validate", CONTRACT, "-", "--format", "jsonl", stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for number in range(1, 4):
            running.stdin.write(b"{}\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["envelope"] == f"-:{number}"
        running.stdin.close()
        assert running.wait() == 3


def test_an_interrupt_is_130_and_keeps_what_was_written() -> None:
    with process("validate", CONTRACT, "-", stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(b"{}\n")
        running.stdin.flush()
        assert running.stdout.readline() == b"[ERROR] -:1 envelope.key_missing at byte 0\n"
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
        assert running.stderr is not None
        assert running.stderr.read() == b"interrupted\n"


def test_an_interrupt_leaves_the_file_of_an_earlier_run_alone(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_bytes(b"earlier")
    with process("validate", CONTRACT, "-", "--output", str(target), "--summary", stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.write(b"{}\n")
        running.stdin.flush()
        # The temporary file appears when the run has begun; only then is there something to interrupt.
        while len(list(tmp_path.iterdir())) == 1:
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.txt", b"earlier")]


def test_a_full_disk_is_a_clear_error() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "protocolarc", "validate", CONTRACT, CALLS],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
    assert (done.returncode, done.stderr) == (3, b"error: cannot write standard output: No space left on device\n")


def test_a_line_over_the_limit_is_one_error_and_the_next_is_read() -> None:
    long = b'{"contract":"' + b"x" * (16 * 1024 * 1024) + b'"}\n'
    done = run("validate", CONTRACT, "-", stdin=long + b"{}\n")
    assert (done.exit_code, done.stdout) == (
        3,
        b"[ERROR] -:1 input.size at byte 0\n[ERROR] -:2 envelope.key_missing at byte 0\n",
    )


def test_an_internal_fault_is_70_with_one_line_that_points_to_a_report(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import protocolarc.engine.validate as v\n"
        "def judge(self, document): raise KeyError('secret payload')\n"
        "v.Validator.judge = judge\n",
        encoding="utf-8",
    )
    done = spawn("validate", CONTRACT, CALLS, environ={"PYTHONPATH": f"{tmp_path}:{ROOT}", "TMPDIR": str(tmp_path)})
    assert (done.exit_code, done.stdout) == (70, b"")
    line, rest = done.stderr.split("\n", 1)
    assert line.startswith("internal fault: KeyError; please report it with ")
    assert rest == ""
    assert "secret payload" in Path(line.split(" with ")[1]).read_text(encoding="ascii")


def test_the_module_runs_like_the_command() -> None:
    assert spawn("--version").stdout == run("--version").stdout
    assert spawn("validate", CONTRACT, CALLS) == run("validate", CONTRACT, CALLS)
