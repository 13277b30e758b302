"""In transitive mode a missing bump names the revision that the whole judgement would accept."""

from __future__ import annotations

import pytest

from protocolarc.values.judgement import Judgement
from tests.unit.test_judge import compare, held

# Base, what stands in the head instead, its message and exit code, and the revision that is enough.
CASES = [
    (
        ["=1.0.0:f", "=1.1.0:s"],
        "=1.1.1:i",
        "m: 1.1.0 -> 1.1.1 is forward and needs 2.0.0, because it breaks 1.0.0",
        2,
        "=2.0.0:i",
    ),
    (
        ["=1.0.0:f", "=1.1.0:s"],
        "=1.1.0:i",
        "m: 1.1.0 changed and the revision did not; forward, needs 2.0.0, because it breaks 1.0.0",
        2,
        "=2.0.0:i",
    ),
    (
        ["=0.1.0:f", "=0.1.1:s"],
        "=0.1.1:i",
        "m: 0.1.1 changed and the revision did not; forward, needs 0.2.0, because it breaks 0.1.0",
        2,
        "=0.2.0:i",
    ),
    (["=1.0.0:o", "=1.1.0:s"], "=1.1.1:f", "m: 1.1.0 -> 1.1.1 is forward and needs 1.2.0", 1, "=1.2.0:f"),
]


def transitive(past: list[str], head: str) -> list[Judgement]:
    return compare([past[-1]], [head], history={"m": [held(text) for text in past]}, transitive=True)


@pytest.mark.parametrize(("past", "head", "message", "code", "enough"), CASES, ids=[case[1] for case in CASES])
def test_the_bump_that_is_named_is_enough(past: list[str], head: str, message: str, code: int, enough: str) -> None:
    (found,) = transitive(past, head)
    assert (found.code, found.message, found.exit_code) == ("bump.missing", message, code)
    assert found.smallest == enough[1:].partition(":")[0]
    assert transitive(past, enough) == []


def test_without_the_mode_the_last_step_alone_counts() -> None:
    (found,) = compare(["=1.1.0:s"], ["=1.1.1:i"])
    assert (found.smallest, found.exit_code) == ("1.2.0", 1)
