from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest

from protocolarc.runtime.client import Client
from protocolarc.runtime.errors import RuntimeBrokenError, RuntimeHungError
from protocolarc.runtime.wire import Request
from tests.support.runtimes import fake_command

CONTRACT = b'{"name":"t","revision":"1.0.0","kind":"mcp","fields":[{"name":"id","type":"string"}]}'
REQUEST = Request("json", "in.json", CONTRACT, b'{"contract":"t","data":{}}')


@pytest.fixture
def honest() -> Iterator[Client]:
    with Client(fake_command()) as client:
        yield client


def test_requests_are_answered_one_after_the_other(honest: Client) -> None:
    first, second = honest.validate(REQUEST), honest.validate(REQUEST._replace(input=b"[]"))
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert json.loads(first.report)["results"][0]["envelope"] == "in.json"
    honest.bye()


def test_megabytes_pass_in_both_directions(honest: Client) -> None:
    lines = b"1\n" * 40_000
    report = json.loads(honest.validate(REQUEST._replace(format="jsonl", input=lines)).report)
    assert len(report["results"]) == 40_000


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("garbage", "Unhandled exception. System.Exception: no"),
        ("endless", "no header"),
        ("other", "in place of"),
        ("huge", "over the limit"),
        ("negative", "no header"),
        ("short", "8 bytes before the end of a report of 10"),
        ("dies", r"ended without an answer \(out of luck\)"),
    ],
)
def test_a_runtime_that_misbehaves_is_ended_with_a_reason(mode: str, reason: str) -> None:
    with Client(fake_command(mode)) as client, pytest.raises(RuntimeBrokenError, match=reason):
        client.validate(REQUEST)


def test_a_runtime_that_hangs_is_ended_at_the_deadline() -> None:
    with (
        Client(fake_command("hangs"), timeout=0.5) as client,
        pytest.raises(RuntimeHungError, match=r"within 0\.5 seconds"),
    ):
        client.validate(REQUEST)


def test_a_runtime_that_reads_nothing_is_ended_at_the_deadline() -> None:
    deaf = (sys.executable, "-c", "import threading; threading.Event().wait()")
    with Client(deaf, timeout=0.5) as client, pytest.raises(RuntimeHungError):
        client.validate(REQUEST._replace(input=b"x" * 1_000_000))


def test_what_a_runtime_started_ends_with_it() -> None:
    spawner = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import threading; threading.Event().wait()'])"
    )
    with Client((sys.executable, "-c", spawner), timeout=0.5) as client, pytest.raises(RuntimeHungError):
        client.validate(REQUEST)


def test_a_runtime_that_talks_without_end_on_standard_error_is_served() -> None:
    talker = "import sys; sys.stderr.write('x' * 1_000_000); sys.stderr.flush(); print('PA1 1 0 0', flush=True)"
    with Client((sys.executable, "-c", talker)) as client:
        assert client.hello().report == b""


@pytest.mark.parametrize(("mode", "reason"), [("chatty", "more than it was asked"), ("sore", "exit code 9")])
def test_a_bad_end_is_told(mode: str, reason: str) -> None:
    with Client(fake_command(mode)) as client, pytest.raises(RuntimeBrokenError, match=reason):
        client.bye()


def test_a_runtime_that_does_not_start_is_told() -> None:
    with pytest.raises(RuntimeBrokenError, match="does not start: No such file"):
        Client(("/nowhere/runtime",))


def test_many_requests_are_answered_at_once_in_their_order(honest: Client) -> None:
    requests = [REQUEST._replace(input=b"[%d]" % number, label=f"{number}.json") for number in range(40)]
    answers = list(honest.validate_all(requests))
    labels = [json.loads(answer.report)["results"][0]["envelope"] for answer in answers]
    assert labels == [f"{number}.json[0]" for number in range(40)]
    assert honest.validate(REQUEST).exit_code == 1
    honest.bye()


def test_requests_and_answers_beyond_every_buffer_do_not_wait_for_each_other(honest: Client) -> None:
    lines = REQUEST._replace(format="jsonl", input=b"1\n" * 40_000)
    assert [answer.exit_code for answer in honest.validate_all([lines] * 4)] == [3] * 4


def test_what_was_answered_before_the_end_is_given() -> None:
    with Client(fake_command("crash")) as client:
        answers = client.validate_all([REQUEST, REQUEST, REQUEST._replace(input=b"\0"), REQUEST])
        assert [next(answers).exit_code, next(answers).exit_code] == [1, 1]
        with pytest.raises(RuntimeBrokenError, match="ended without an answer"):
            next(answers)
