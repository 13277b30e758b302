"""Bad usage, closed pipes, interrupts, and faults: a clear line and the right exit code, never a traceback."""

from __future__ import annotations

import contextlib
import json
import os
import re
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


@pytest.mark.parametrize(
    ("words", "code"), [(["rules"], 0), (["--help"], 0), (["--version"], 0), (["validate", CONTRACT, CALLS], 1)]
)
def test_a_pipe_that_is_closed_before_the_first_byte_is_no_error(words: list[str], code: int) -> None:
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
    assert (done.returncode, done.stderr) == (code, b"")


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
    missing = str(tmp_path / "missing.json")
    with process("validate", CONTRACT, missing, "-", "--output", str(target), stdin=subprocess.PIPE) as running:
        assert running.stderr is not None
        # The reason for the first input is said when the second, which never ends, is about to be read.
        assert running.stderr.readline() == b"missing.json: No such file or directory\n"
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.txt", b"earlier")]


CLOSED = [
    (["rules"], 1, 3, "error: cannot write standard output: it is closed\n"),
    (["validate", CONTRACT, CALLS], 1, 3, "error: cannot write standard output: it is closed\n"),
    (["validate", CONTRACT, "-"], 0, 3, "-: it is closed\n"),
    (["validate", CONTRACT, "nope"], 2, 3, ""),
    (["diff", CONTRACT, "nope"], 2, 3, ""),
    (["rules", "nope"], 2, 3, ""),
    (["validate"], 2, 3, ""),
    (["validate", CONTRACT, CALLS, "--summary"], 2, 1, ""),
]


@pytest.mark.parametrize(("words", "descriptor", "code", "stderr"), CLOSED, ids=lambda value: str(value)[-24:])
def test_a_standard_stream_that_is_closed_from_the_start(
    words: list[str], descriptor: int, code: int, stderr: str
) -> None:
    script = f"import os, sys; os.close({descriptor}); python = sys.executable; "
    script += "os.execv(python, [python, '-m', 'protocolarc', *sys.argv[1:]])"
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (code, stderr)


def test_an_interrupt_while_the_program_starts_is_130(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n", encoding="ascii")
    done = spawn("--version", environ={"PYTHONPATH": f"{tmp_path}:{ROOT}"})
    assert done == (130, b"", "interrupted\n")


def test_a_pipe_in_a_directory_is_no_file_to_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "a.json").write_bytes(b"[]")
    assert run("validate", CONTRACT, str(tmp_path)) == (0, b"", "")


def test_standard_input_that_does_not_block_is_waited_for() -> None:
    read, write = os.pipe()
    os.set_blocking(read, False)
    with process("validate", CONTRACT, "-", "--format", "jsonl", stdin=read) as running:
        os.close(read)
        assert running.stdout is not None
        os.write(write, b"{}\n")
        assert json.loads(running.stdout.readline())["envelope"] == "-:1"
        os.write(write, b"{}\n")
        assert json.loads(running.stdout.readline())["envelope"] == "-:2"
        os.close(write)
        assert running.wait() == 3


def test_results_may_be_written_to_a_pipe_by_its_name() -> None:
    with process("validate", CONTRACT, CALLS, "--output", "/dev/stdout") as running:
        assert running.stdout is not None
        assert running.stdout.read() == run("validate", CONTRACT, CALLS).stdout
        assert running.wait() == 1


PRINTING = {
    "a report": ["-m", "protocolarc", "validate", CONTRACT, CALLS],
    "a list": ["-m", "protocolarc", "rules"],
    "help": ["-m", "protocolarc", "show", "--help"],
    "the version": ["-m", "protocolarc", "--version"],
    "the hook": ["-c", "from protocolarc.hook import main; main()"],
}


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("words", PRINTING.values(), ids=PRINTING)
def test_a_full_disk_is_one_clear_line(words: list[str], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
            cwd=ROOT,
            check=False,
        )
    assert done.returncode == 3
    assert re.fullmatch(rb"error: cannot write( standard output)?: No space left on device\n", done.stderr)


WRONG = {
    "a command": (["-m", "protocolarc", "nosuch"], 3),
    "an option": (["-m", "protocolarc", "rules", "--nosuch"], 3),
    "a file": (["-m", "protocolarc", "describe", "no/such.json"], 3),
    "an option of the hook": (["-c", "from protocolarc.hook import main; main()", "--nosuch"], 3),
}


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize(("words", "code"), WRONG.values(), ids=WRONG)
def test_reasons_that_cannot_be_written_leave_the_exit_code(words: list[str], code: int, unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, *words],
            stdout=subprocess.PIPE,
            stderr=full,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
            cwd=ROOT,
            check=False,
        )
    assert (done.returncode, done.stdout) == (code, b"")


@pytest.mark.parametrize("words", [PRINTING["a report"], PRINTING["a list"], PRINTING["the hook"]])
def test_an_output_that_is_closed_is_a_clear_error(words: list[str]) -> None:
    closing = 'exec "$0" "$@" >&-'  # a shell can start a process without the stream; Python cannot
    done = subprocess.run(
        ["/bin/sh", "-c", closing, sys.executable, *words],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (3, b"error: cannot write standard output: it is closed\n")


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
