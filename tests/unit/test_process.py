"""Starting a process: by the system's own call and by ``subprocess`` it answers the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import chain, combinations
from pathlib import Path

import pytest

from protocolarc.gitstore import process as processes
from protocolarc.gitstore import streams
from protocolarc.gitstore.process import DEVNULL, PIPE, Process, start
from tests.support.cli import ROOT

SHELL = "/bin/sh"
SLEEP = ["/bin/sleep", "1000"]
MUCH = 1_000_000
KEPT = 65_536
ANSWERS = [
    ("echo out; echo reason >&2; exit 3", None, (3, b"out\n", b"reason\n")),
    ("cat", None, (0, b"", b"")),
    ("cat", b"given", (0, b"given", b"")),
    ("cat >&2", b"x" * MUCH, (0, b"", b"x" * KEPT)),
    ("exit 1", b"x" * MUCH, (1, b"", b"")),
    ("kill -9 $$", None, (-9, b"", b"")),
    (f"head -c {MUCH} /dev/zero >&2; head -c {MUCH} /dev/zero", None, (0, bytes(MUCH), bytes(KEPT))),
    ("echo $ONE $TWO", None, (0, b"1\n", b"")),
]
STANDARD = [*chain.from_iterable(combinations((0, 1, 2), count) for count in range(4))]
PROBE = """
import json, os, sys
from protocolarc.gitstore import process as processes
from protocolarc.gitstore import streams
from protocolarc.gitstore.process import PIPE, start
with start(["/bin/sh", "-c", "cat; echo out; echo reason >&2"], os.environ, PIPE) as process:
    process.write(b"given ")
    process.end_input()
    answer = [process.stdout.read().decode(), process.reasons().decode(), process.wait()]
with open(sys.argv[1], "w") as stream:
    json.dump(answer, stream)
"""
WITHOUT = "from protocolarc.gitstore import process; process._spawn = lambda *_: None\n"
CLOSING = "import os, sys; [os.close(end) for end in {}]; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"


@pytest.fixture(params=["spawned", "subprocess"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Start processes in both ways."""
    if request.param == "subprocess":
        monkeypatch.setattr(processes, "_spawn", lambda *_: None)
    return str(request.param)


def is_inheritable(end: int) -> bool:
    try:
        return os.get_inheritable(end)
    except OSError:  # that of the listing itself
        return False


def shell(script: str, stdin: int = DEVNULL) -> Process:
    return start([SHELL, "-c", script], {"ONE": "1", "PATH": os.environ["PATH"]}, stdin)


@pytest.mark.parametrize(("script", "given", "answer"), ANSWERS, ids=lambda value: str(value)[:30])
def test_a_command_answers(script: str, given: bytes | None, answer: tuple[int, bytes, bytes]) -> None:
    with shell(script, DEVNULL if given is None else PIPE) as process:
        if given is not None:
            process.write(given)
            process.end_input()
        out = process.stdout.read()
    assert (process.wait(), out, process.reasons()) == answer


def test_questions_and_answers_alternate() -> None:
    with shell("while read word; do echo got $word; done", PIPE) as process:
        for word in (b"one", b"two"):
            process.write(word + b"\n")
            assert process.stdout.readline() == b"got " + word + b"\n"
    assert process.reasons() == b""


def test_a_command_reads_what_another_writes() -> None:
    with shell("echo one; echo two") as first, start(["/bin/cat"], {}, first.stdout) as process:
        first.stdout.close()
        assert process.stdout.read() == b"one\ntwo\n"
    assert (first.wait(), process.wait()) == (0, 0)
    assert (first.reasons(), process.reasons()) == (b"", b"")


def test_a_command_is_killed_and_then_left_alone() -> None:
    with start(SLEEP, {}, DEVNULL) as process:
        process.kill()
    assert (process.wait(), process.reasons()) == (-9, b"")
    process.kill()


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, ValueError])
def test_nobody_waits_for_a_command_that_is_given_up(error: type[BaseException]) -> None:
    with pytest.raises(error), start(SLEEP, {}, PIPE) as first, start(SLEEP, {}, first.stdout) as process:
        raise error
    assert (first.wait(), process.wait()) == (-9, -9)
    assert (first.reasons(), process.reasons()) == (b"", b"")


def test_without_a_thread_to_listen_nothing_is_left_running(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(streams, "start_new_thread", refuse)
    before = sorted(os.listdir("/dev/fd"))
    with pytest.raises(OSError, match="temporarily unavailable"):
        start(SLEEP, {}, PIPE)
    assert sorted(os.listdir("/dev/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.parametrize("program", ["/nonexistent", "/etc/passwd", "/"])
def test_what_cannot_run_is_an_error_and_leaves_nothing_open(program: str) -> None:
    before = sorted(os.listdir("/dev/fd"))
    with pytest.raises(OSError, match=r"No such file|Permission denied"):
        start([program], {}, PIPE)
    assert sorted(os.listdir("/dev/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_nothing_stays_open_and_no_pipe_is_handed_on() -> None:
    before = sorted(os.listdir("/dev/fd"))
    given = sorted(end for end in map(int, before) if end > 2 and is_inheritable(end))
    for _ in range(3):
        with shell("cat", PIPE) as other, shell("cat; echo /dev/fd/*", PIPE) as process:
            process.end_input()
            listed = {int(name.rpartition(b"/")[2]) for name in process.stdout.read().split()}
            other.end_input()
        assert listed - {0, 1, 2, *given} == {3} - {*given}  # the listing itself
        assert (other.reasons(), process.reasons()) == (b"", b"")
    assert sorted(os.listdir("/dev/fd")) == before


@pytest.mark.parametrize("closed", STANDARD, ids=str)
def test_standard_streams_may_be_closed(closed: tuple[int, ...], way: str, tmp_path: Path) -> None:
    probe = PROBE if way == "spawned" else f"{WITHOUT}{PROBE}"
    words = [sys.executable, "-c", CLOSING.format(closed), "-c", probe, str(tmp_path / "answer")]
    subprocess.run(words, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    assert json.loads((tmp_path / "answer").read_bytes()) == ["given out\n", "reason\n", 0]
