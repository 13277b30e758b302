"""The real ``serve``: what it answers to well-formed requests, to hostile ones, and to a client that leaves."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from protocolarc import __version__
from protocolarc.parity.compare import compare_answers
from protocolarc.parity.python import PythonSide
from protocolarc.rules.validation import RULES
from protocolarc.runtime.client import Client
from protocolarc.runtime.wire import Request, encode_request, encode_word
from tests.support.runtimes import real_command

CONTRACT = b'{"name":"t","revision":"1.0.0","kind":"mcp","fields":[{"name":"id","type":"string"}]}'
REQUEST = Request("jsonl", "in.jsonl", CONTRACT, b'{"contract":"t","data":{"id":"x"}}\n')
SECONDS = 60


@pytest.fixture(scope="module")
def command() -> tuple[str, ...]:
    return real_command()


def serve(command: tuple[str, ...], *frames: bytes) -> subprocess.CompletedProcess[bytes]:
    """Give everything at once, close, and wait."""
    return subprocess.run(
        [*command, "serve"], input=b"".join(frames), capture_output=True, timeout=SECONDS, check=False
    )


def test_hello_names_version_profile_and_rules(command: tuple[str, ...]) -> None:
    with Client(command) as client:
        told = json.loads(client.hello().report)
        client.bye()
    assert (told["version"], told["profile"]) == (__version__, 1)
    assert sorted(told["rules"]) == sorted(rule.entry.id for rule in RULES)


def test_the_end_of_the_input_is_a_good_end(command: tuple[str, ...]) -> None:
    done = serve(command, encode_word(1, "hello"))
    assert (done.returncode, done.stdout[:8]) == (0, b"PA1 1 0 ")
    done = serve(command)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_nothing_is_answered_after_bye(command: tuple[str, ...]) -> None:
    done = serve(command, encode_word(1, "bye"), encode_word(2, "hello"))
    assert (done.returncode, done.stdout) == (0, b"PA1 1 0 0\n")


def test_requests_that_are_sent_together_are_answered_in_order(command: tuple[str, ...]) -> None:
    done = serve(command, *(encode_request(seq, REQUEST) for seq in range(1, 51)))
    report = PythonSide().validate(REQUEST).report
    assert done.stdout == b"".join(b"PA1 %d 0 %d\n" % (seq, len(report)) + report for seq in range(1, 51))
    assert done.returncode == 0


@pytest.mark.parametrize(
    "header",
    [
        b"\n",
        b"\r\n",
        b"PA1\n",
        b"PA1 1\n",
        b"PA1 1 hello\r\n",
        b"PA1 1 hello \n",
        b"PA1  1 hello\n",
        b" PA1 1 hello\n",
        b"PA2 1 hello\n",
        b"PA1 x hello\n",
        b"PA1 -1 hello\n",
        b"PA1 1 hullo\n",
        b"PA1 1 validate\n",
        b"PA1 1 validate json in 2\n",
        b"PA1 1 validate yaml in 2 2\n{}{}",
        b"PA1 1 validate json in 2 2 rare\n{}{}",
        b"PA1 1 validate json in 2 2 raw raw\n{}{}",
        b"PA1 1 validate json in -2 2\n{}{}",
        b"PA1 1 validate json in +2 2\n{}{}",
        b"PA1 1 validate json in 2.0 2\n{}{}",
        b"PA1 1 validate json in 0x2 2\n{}{}",
        b"PA1 1 validate json in \xd9\xa2 2\n{}{}",
        b"PA1 1 validate json in 99999999999999999999 2\n{}{}",
        b"PA1 1 validate json in%2 2 2\n{}{}",
        b"PA1 1 validate json in%zz 2 2\n{}{}",
        b"PA1 1 validate json \xff 2 2\n{}{}",
        b"PA1 1 validate json i\x00n 2 2\n{}{}",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"{}\n",
        b"x" * 100_000 + b"\n",
    ],
    ids=lambda header: header[:40].hex(" "),
)
def test_a_header_that_is_none_is_answered_3_and_ends_the_process(command: tuple[str, ...], header: bytes) -> None:
    done = serve(command, encode_request(1, REQUEST), header, encode_request(9, REQUEST))
    assert done.returncode == 3
    lines = done.stdout[done.stdout.rindex(b"PA1 ") :]
    assert lines.split()[2:] == [b"3", b"0"]
    assert b"PA1 9" not in done.stdout
    assert b"Unhandled" not in done.stderr


@pytest.mark.parametrize("left", [1, 5, 60, 100])
def test_a_request_that_is_cut_off_ends_the_process_without_an_answer(command: tuple[str, ...], left: int) -> None:
    frame = encode_request(1, REQUEST)
    done = serve(command, frame[:-left])
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"Unhandled" not in done.stderr


def test_lengths_that_lie_by_terabytes_cost_no_memory(command: tuple[str, ...]) -> None:
    done = serve(command, b"PA1 1 validate jsonl in 999999999999999999 999999999999999999\n{}")
    assert (done.returncode, done.stdout) == (3, b"")


@pytest.mark.parametrize(
    "contract", [b"", b"\x00", b"[]", b"{}", CONTRACT[:-1], b'{"name":7}', b"[" * 100_000, b"\xff" * 1000]
)
def test_a_contract_that_does_not_load_is_answered_and_the_next_one_is_served(
    command: tuple[str, ...], contract: bytes
) -> None:
    python = PythonSide()
    with Client(command) as client:
        for request in (REQUEST._replace(contract=contract), REQUEST):
            assert compare_answers(python.validate(request), client.validate(request)) is None
        client.bye()


@pytest.mark.parametrize(
    "label", ["\u00fc.jsonl", "a b%20c", "\udcff\udc80", "it's\\\n\"", "\U0001f600", "\u00e9" * 127]
)
def test_a_label_is_any_file_name(command: tuple[str, ...], label: str) -> None:
    request = REQUEST._replace(label=label)
    with Client(command) as client:
        assert client.validate(request) == PythonSide().validate(request)


LIMIT = 16 * 1024 * 1024


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("over", [0, 1])
@pytest.mark.parametrize("format_name", ["json", "jsonl"])
def test_the_size_limit_is_exact_and_the_next_request_is_served(
    command: tuple[str, ...], format_name: str, over: int, ending: bytes
) -> None:
    envelope = REQUEST.input.rstrip()
    padded = envelope + b" " * (LIMIT + over - len(envelope)) + ending
    python = PythonSide()
    with Client(command) as client:
        for data in (padded, REQUEST.input):
            request = REQUEST._replace(format=format_name, input=data)
            assert compare_answers(python.validate(request), client.validate(request)) is None


def test_an_oversize_contract_is_drained_and_the_next_request_is_served(command: tuple[str, ...]) -> None:
    python = PythonSide()
    with Client(command) as client:
        for contract in (CONTRACT + b" " * LIMIT, CONTRACT):
            request = REQUEST._replace(contract=contract)
            assert compare_answers(python.validate(request), client.validate(request)) is None


def test_a_long_stream_of_lines_is_no_oversize_document(command: tuple[str, ...]) -> None:
    request = REQUEST._replace(input=REQUEST.input * 40_000)
    with Client(command) as client:
        assert client.validate(request) == PythonSide().validate(request)


def test_a_reader_that_leaves_is_no_crash(command: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [*command, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        try:
            process.stdin.write(encode_request(1, REQUEST) * 1000)
            process.stdin.close()
        except BrokenPipeError:
            pass
        said = process.stderr.read()
        assert process.wait(SECONDS) in {0, 3}
        assert b"Unhandled" not in said


def test_many_clients_have_a_process_each(command: tuple[str, ...]) -> None:
    def ask(number: int) -> bytes:
        with Client(command) as client:
            return client.validate(REQUEST._replace(label=f"{number}.jsonl")).report

    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(ask, range(8)))
    assert [json.loads(report)["results"][0]["envelope"] for report in reports] == [f"{n}.jsonl:1" for n in range(8)]
