"""What a missing bump names is the smallest revision that the whole judgement would accept."""

from __future__ import annotations

import random
from itertools import product

import pytest

from protocolarc.engine.policy import Terms
from protocolarc.values.judgement import ERROR, Judgement
from protocolarc.values.policy import Policy
from protocolarc.values.revision import parse_revision
from tests.unit.test_judge import CONTENT, compare, held

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


NUMBERS = ("0.1.0", "0.1.1", "0.2.0", "1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.2.0", "2.0.0", "2.1.0")


class Drawn:
    """One file whose revision is to be found, with what is published, what stands beside it, and what was there."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)

        def number() -> str:
            return chance.choice(NUMBERS) + chance.choice(("", "", "", "", "-rc", "-rc.1"))

        def some(most: int) -> list[str]:
            texts = {number() for _ in range(chance.randint(0, most))}
            return [f"{text}:{chance.choice(list(CONTENT))}" for text in sorted(texts)]

        self.published, self.past = some(5) or ["1.0.0:s"], some(3)
        self.transitive = chance.random() < 0.5
        self.terms = Terms(Policy(zero=chance.choice(("shift", "shift", "strict", "free"))))
        self.content = chance.choice(list(CONTENT))
        self.beside = list(self.published)
        if chance.random() < 0.5:
            gone = chance.choice(self.beside)
            self.beside.remove(gone)
            self.number = gone.partition(":")[0]
        else:
            self.number = number()

    def judged(self, number: str) -> list[Judgement]:
        """What is said of the file, were this its revision."""
        found = compare(
            self.published,
            [*self.beside, f"new={number}:{self.content}"],
            history={"m": [held(text) for text in reversed([*self.past, *self.published])]},
            transitive=self.transitive,
            terms=self.terms,
            gate=True,
        )
        return [item for item in found if item.level == ERROR and ("new" in (item.path, item.message.split()[-1]))]


STABLE = [parse_revision(f"{major}.{minor}.{patch}") for major, minor, patch in product(range(5), range(5), range(5))]


@pytest.mark.parametrize("block", range(4))
def test_no_smaller_one_would_do_and_that_one_does(block: int) -> None:
    asked = 0
    for seed in range(block * 150, block * 150 + 150):
        drawn = Drawn(seed)
        for item in drawn.judged(drawn.number):
            if item.smallest is None:
                continue
            asked += 1
            told = (seed, item.message, drawn.published, drawn.past, drawn.content)
            assert drawn.judged(item.smallest) == [], told
            low, high = (parse_revision(text).precedence for text in (item.old or "", item.smallest))
            for revision in STABLE:
                if low < revision.precedence < high:
                    assert drawn.judged(revision.text), (revision.text, *told)
    assert asked > 20
