from __future__ import annotations

import pytest

from protocolarc import __version__
from protocolarc.parity.fuzz import MAX_BROKEN, Fuzzer
from protocolarc.parity.peer import Peer
from protocolarc.runtime.errors import RuntimeBrokenError
from protocolarc.runtime.hello import connect
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
