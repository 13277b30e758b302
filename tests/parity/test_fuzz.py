from __future__ import annotations

import pytest

from protocolarc import __version__
from protocolarc.cli.progress import counting
from protocolarc.parity.fuzz import MAX_BROKEN, Fuzzer
from protocolarc.parity.peer import Peer
from protocolarc.parity.python import PythonSide
from protocolarc.runtime.errors import RuntimeBrokenError
from protocolarc.runtime.hello import connect
from protocolarc.runtime.wire import Request
from tests.support.runtimes import fake_command


def peer(mode: str, timeout: float = 60) -> Peer:
    return Peer(lambda: connect(fake_command(mode), __version__, timeout=timeout))


def unheard(_count: int) -> None:
    pass


def test_a_search_without_a_difference_asks_what_it_was_told_to() -> None:
    with peer("honest") as honest:
        fuzzer = Fuzzer(honest)
        assert fuzzer.run(500, 3, unheard) is None
        honest.finish()
    assert 500 <= fuzzer.count < 516


def test_a_runtime_that_hangs_is_a_failure_that_is_not_made_small() -> None:
    with peer("hangs", timeout=3) as hung:
        fuzzer = Fuzzer(hung)
        failure = fuzzer.run(500, 3, unheard)
    assert failure is not None
    assert (fuzzer.count, hung.broken) == (1, 1)
    assert failure.difference.rows[0][2] == "the runtime failed: no answer within 3 seconds"


def test_a_runtime_that_always_dies_is_started_only_so_often() -> None:
    with peer("dies") as dying:
        assert Fuzzer(dying).run(500, 3, unheard) is not None
    assert dying.broken <= MAX_BROKEN + 1


def test_a_bad_end_of_the_runtime_is_told() -> None:
    with peer("sore") as sore:
        Fuzzer(sore).run(1, 3, unheard)
        with pytest.raises(RuntimeBrokenError, match="exit code 9"):
            sore.finish()


def test_the_oldest_request_without_an_answer_is_blamed() -> None:
    good = Request("json", "in.json", b"{}", b"[]")
    requests = [good, good._replace(input=b"\0"), good._replace(input=b"\0"), good]
    with peer("crash") as crashing:
        found = crashing.first_difference(requests, [PythonSide().validate(request) for request in requests])
    assert found is not None
    assert (found[0], found[1].place, crashing.broken) == (1, "the runtime", 1)


def test_a_log_gets_a_line_of_progress_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with counting(400_000) as told:
        for count in (99_999, 100_003, 101_000, 199_999, 320_000, 399_999, 400_016):
            told(count)
    assert capsys.readouterr().err.splitlines() == [
        "100003 of 400000 cases",
        "320000 of 400000 cases",
        "400016 of 400000 cases",
    ]
