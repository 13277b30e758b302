"""The table of judgements, on snapshots made in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from protocolarc.engine.judge import Comparison, judge
from protocolarc.engine.policy import Terms
from protocolarc.loader.contract import load_contract
from protocolarc.rules import registry
from protocolarc.values.change import Impact
from protocolarc.values.envelope import Problem
from protocolarc.values.judgement import Judgement
from protocolarc.values.policy import Policy, Waiver
from protocolarc.values.snapshot import UNMERGED, Held, Snapshot, Unread
from tests.support.repository import contract

# Contents of one contract. From "s": "o" is compatible, "f" is forward, "b" is breaking (for a request).
CONTENT = {
    "s": "a: string",
    "o": "a: string",
    "f": "a: string; b: string opt",
    "i": "a: string; b: integer opt",
    "b": "a: integer",
}


def held(text: str) -> Held:
    """Read ``path=name@revision:content``; path and name may be left out."""
    path, _, rest = text.rpartition("=")
    label, _, content = rest.partition(":")
    name, _, revision = label.rpartition("@")
    keys: dict[str, Any] = {"doc": "other words"} if content == "o" else {}
    data = contract(name or "m", revision, CONTENT[content], **keys)
    where = path or (f"{name or 'm'}.json" if "=" in text else f"{name or 'm'}-{revision}.json")
    return Held(load_contract(data), where, data.hex())


def snapshot(*texts: str) -> Snapshot:
    return Snapshot("x", tuple(held(text) for text in texts))


def compare(base: Sequence[str], head: Sequence[str], **more: Any) -> list[Judgement]:
    before = snapshot(*base)
    anchor = more.pop("anchor", None)
    return judge(
        Comparison(head=snapshot(*head), base=before, anchor=before if anchor is None else snapshot(*anchor), **more)
    )


def brief(found: Sequence[Judgement]) -> list[str]:
    return [f"{item.code} {item.exit_code}" for item in found]


class Row(NamedTuple):
    base: list[str]
    head: list[str]
    expected: list[str]
    message: str = ""
    policy: Policy = Policy()


ROWS: dict[str, Row] = {
    # One file that evolves in place.
    "nothing": Row(["=1.0.0:s"], ["=1.0.0:s"], []),
    "new": Row([], ["=1.0.0:s"], []),
    "forward-minor": Row(["=1.0.0:s"], ["=1.1.0:f"], []),
    "breaking-major": Row(["=1.0.0:s"], ["=2.0.0:b"], []),
    "words-patch": Row(["=1.0.0:s"], ["=1.0.1:o"], []),
    "unbumped-words": Row(
        ["=1.0.0:s"],
        ["=1.0.0:o"],
        ["bump.missing 1"],
        "m: 1.0.0 changed and the revision did not; compatible, needs 1.0.1",
    ),
    "unbumped-forward": Row(["=1.0.0:s"], ["=1.0.0:f"], ["bump.missing 1"], "needs 1.1.0"),
    "unbumped-breaking": Row(["=1.0.0:s"], ["=1.0.0:b"], ["bump.missing 2"], "needs 2.0.0"),
    "small-forward": Row(
        ["=1.0.0:s"], ["=1.0.1:f"], ["bump.missing 1"], "m: 1.0.0 -> 1.0.1 is forward and needs 1.1.0"
    ),
    "small-breaking": Row(["=1.0.0:s"], ["=1.9.0:b"], ["bump.missing 2"], "is breaking and needs 2.0.0"),
    "larger": Row(["=1.0.0:s"], ["=2.0.0:f"], ["bump.larger 0"], "m: 1.0.0 -> 2.0.0 is forward, 1.1.0 would do"),
    "patch-of-nothing": Row(["=1.0.0:s"], ["=1.0.1:s"], []),
    "minor-of-nothing": Row(["=1.0.0:s"], ["=1.1.0:s"], ["bump.larger 0"], "no change, 1.0.1 would do"),
    "regressed": Row(["=1.1.0:f"], ["=1.0.0:s"], ["revision.regressed 1"], "m: 1.1.0 -> 1.0.0 goes down"),
    "build-alone": Row(["=1.0.0+a:s"], ["=1.0.0+b:s"], []),
    "build-is-no-bump": Row(["=1.0.0+a:s"], ["=1.0.0+b:b"], ["bump.missing 2"], "needs 2.0.0"),
    # Before 1.0.0.
    "zero-breaking": Row(["=0.1.0:s"], ["=0.1.1:b"], ["bump.missing 2"], "needs 0.2.0"),
    "zero-breaking-minor": Row(["=0.1.0:s"], ["=0.2.0:b"], []),
    "zero-forward-patch": Row(["=0.1.0:s"], ["=0.1.1:f"], []),
    "zero-to-one": Row(["=0.1.0:s"], ["=1.0.0:s"], []),
    "zero-strict": Row(["=0.1.0:s"], ["=0.2.0:b"], ["bump.missing 2"], "needs 1.0.0", Policy(zero="strict")),
    "zero-strict-forward": Row(["=0.1.0:s"], ["=0.1.1:f"], ["bump.missing 1"], "needs 0.2.0", Policy(zero="strict")),
    "zero-free": Row(["=0.1.0:s"], ["=0.1.1:b"], [], "", Policy(zero="free")),
    "zero-free-unbumped": Row(["=0.1.0:s"], ["=0.1.0:b"], ["bump.missing 2"], "needs 0.1.1", Policy(zero="free")),
    "zero-free-is-for-zero": Row(["=1.0.0:s"], ["=1.0.1:b"], ["bump.missing 2"], "needs 2.0.0", Policy(zero="free")),
    # Pre-releases.
    "pre-carries": Row(["=1.0.0:s"], ["=2.0.0-rc.1:b"], []),
    "pre-small-core": Row(["=1.0.0:s"], ["=1.1.0-rc.1:b"], ["bump.missing 2"], "needs 2.0.0"),
    "pre-may-break-pre": Row(["=2.0.0-rc.1:s"], ["=2.0.0-rc.2:b"], []),
    "pre-must-rise": Row(["=2.0.0-rc.2:s"], ["=2.0.0-rc.1:b"], ["revision.regressed 1"]),
    "pre-unbumped": Row(["=2.0.0-rc.1:s"], ["=2.0.0-rc.1:b"], ["bump.missing 2"], "needs 2.0.0-rc.2"),
    "pre-unbumped-without-a-number": Row(["=2.0.0-rc:s"], ["=2.0.0-rc:o"], ["bump.missing 1"], "needs 2.0.0-rc.1"),
    "pre-unbumped-core-carries": Row(
        ["1.0.0:s", "2.0.0-rc.1:b"], ["1.0.0:s", "2.0.0-rc.1:i"], ["bump.missing 2"], "needs 2.0.0-rc.2"
    ),
    "pre-unbumped-core-is-small": Row(
        ["1.0.0:s", "1.1.0-rc.1:f"], ["1.0.0:s", "1.1.0-rc.1:b"], ["bump.missing 2"], "needs 2.0.0"
    ),
    "pre-small-core-beside-a-series": Row(
        ["1.0.0:s", "2.0.0-rc.2:b"],
        ["1.0.0:s", "1.1.0-rc.1:b", "2.0.0-rc.2:b"],
        ["bump.missing 2"],
        "needs 2.0.0-rc.3, after 2.0.0-rc.2",
    ),
    "stable-after-pre": Row(["1.4.0:s", "2.0.0-rc.1:b"], ["1.4.0:s", "2.0.0-rc.1:b", "2.0.0:b"], []),
    "stable-is-judged-by-stable": Row(
        ["1.4.0:s", "1.5.0-rc.1:b"],
        ["1.4.0:s", "1.5.0-rc.1:b", "1.5.0:b"],
        ["bump.missing 2"],
        "m: 1.4.0 -> 1.5.0 is breaking and needs 2.0.0",
    ),
    # One file per revision.
    "next-file": Row(["1.0.0:s"], ["1.0.0:s", "1.1.0:f"], []),
    "next-file-small": Row(["1.0.0:s"], ["1.0.0:s", "1.0.1:f"], ["bump.missing 1"], "needs 1.1.0"),
    "two-new-files": Row(["1.0.0:s"], ["1.0.0:s", "1.1.0:f", "1.2.0:b"], ["bump.missing 2"], "1.1.0 -> 1.2.0"),
    "first-two-files": Row([], ["1.0.0:s", "1.0.1:b"], ["bump.missing 2"], "1.0.0 -> 1.0.1"),
    "back-port": Row(["1.1.0:s", "2.0.0:b"], ["1.1.0:s", "1.1.1:o", "2.0.0:b"], []),
    "back-port-small": Row(
        ["1.1.0:s", "2.0.0:b"],
        ["1.1.0:s", "1.1.1:f", "2.0.0:b"],
        ["bump.missing 1"],
        "m: 1.1.0 -> 1.1.1 is forward and needs 1.2.0",
    ),
    "back-port-next-is-taken": Row(
        ["1.0.0:s", "1.1.0:f", "2.0.0:b"],
        ["1.0.0:s", "1.0.1:i", "1.1.0:f", "2.0.0:b"],
        ["bump.missing 1"],
        "m: 1.0.0 -> 1.0.1 is forward and needs 3.0.0, after 2.0.0",
    ),
    "back-port-goes-on-from-a-higher-one": Row(
        ["1.0.0:s", "1.0.5:f", "2.0.0:b"],
        ["1.0.0:s", "1.0.1:f", "1.0.5:f", "2.0.0:b"],
        ["bump.missing 1"],
        "m: 1.0.0 -> 1.0.1 is forward and needs 1.0.6, after 1.0.5",
    ),
    "rewritten-beside-what-left": Row(
        ["1.0.0:s", "1.1.0:f", "1.2.0:f"],
        ["1.0.0:s", "1.1.0:o"],
        ["bump.missing 1", "revision.regressed 1"],
        "needs 1.3.0, after 1.2.0",
    ),
    "mutated": Row(
        ["1.0.0:s", "2.0.0:b"], ["1.0.0:o", "2.0.0:b"], ["revision.mutated 1"], "m: 1.0.0 changed beside 2.0.0"
    ),
    "mutated-breaking": Row(["1.0.0:s", "2.0.0:b"], ["1.0.0:b", "2.0.0:b"], ["revision.mutated 2"]),
    "mutated-beside-new": Row(["1.0.0:s"], ["1.0.0:f", "1.1.0:f"], ["revision.mutated 1"]),
    "highest-of-several": Row(["1.0.0:s", "2.0.0:b"], ["1.0.0:s", "2.0.0:s"], ["bump.missing 2"], "2.0.0 changed"),
    "duplicate": Row(
        ["1.0.0:s"],
        ["1.0.0:s", "z.json=1.0.0:s"],
        ["revision.duplicate 1"],
        "m: 1.0.0 is in m-1.0.0.json and in z.json",
    ),
    "duplicate-build": Row([], ["1.0.0+a:s", "z.json=1.0.0+b:s"], ["revision.duplicate 1"]),
    "removed-revision": Row(["1.0.0:s", "2.0.0:b"], ["2.0.0:b"], ["revision.removed 0"], "m: 1.0.0 left, 2.0.0 stays"),
    "removed-immutable": Row(["1.0.0:s", "2.0.0:b"], ["2.0.0:b"], ["revision.removed 1"], "", Policy(immutable=True)),
    "removed-highest": Row(["1.0.0:s", "2.0.0:b"], ["1.0.0:s"], ["revision.regressed 1"], "the highest is 1.0.0"),
    "evolved-beside": Row(["1.0.0:s", "v=1.1.0:s"], ["1.0.0:s", "v=1.1.1:o"], [], "", Policy(immutable=True)),
    # Names and places.
    "moved": Row(["a=1.0.0:s"], ["b=1.0.0:s"], ["contract.moved 0"], "m: a is now b"),
    "moved-and-broken": Row(["a=1.0.0:s"], ["b=1.0.1:b"], ["bump.missing 2"], "needs 2.0.0"),
    "gone": Row(["=1.0.0:s"], [], ["contract.removed 2"], "m: removed"),
    "retired": Row(["=1.0.0:s"], [], ["contract.removed 0"], "", Policy(retired=("m",))),
    "renamed": Row(["a=m@1.0.0:s"], ["a=n@1.0.0:s"], ["contract.removed 2"]),
    "gone-by-severity": Row(
        ["=1.0.0:s"], [], ["contract.removed 0"], "", Policy(severity={"contract.removed": Impact.FORWARD})
    ),
    # What the policy makes of a verdict.
    "severity-up": Row(
        ["=1.0.0:s"],
        ["=1.1.0:f"],
        ["bump.missing 2"],
        "needs 2.0.0",
        Policy(severity={"field.added.optional": Impact.BREAKING}),
    ),
    "severity-down": Row(
        ["=1.0.0:s"], ["=1.0.1:b"], [], "", Policy(severity={"field.type.changed": Impact.COMPATIBLE})
    ),
    "open-content": Row(["=1.0.0:s"], ["=1.1.0:f"], ["bump.missing 2"], "needs 2.0.0", Policy(open_content=True)),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_the_table(row: Row) -> None:
    found = compare(row.base, row.head, terms=Terms(row.policy))
    assert brief(found) == row.expected
    assert not found or row.message in found[0].message


def test_a_branch_goes_on_changing_what_it_has_not_published() -> None:
    assert compare(["=1.1.0:f"], ["=1.1.0:i"], anchor=["=1.0.0:s"]) == []
    assert brief(compare(["=1.1.0:f"], ["=1.1.0:b"], anchor=["=1.0.0:s"])) == ["bump.missing 2"]
    assert compare(["=1.1.0:f"], ["=1.0.0:s"], anchor=["=1.0.0:s"]) == []
    assert compare(["m@1.0.0:s", "n@1.0.0:s"], ["m@1.0.0:s"], anchor=["m@1.0.0:s"]) == []
    assert compare(["1.0.0:s", "1.1.0:f"], ["1.0.0:s"], anchor=["1.0.0:s"]) == []


def test_what_the_base_has_already_is_not_judged_again() -> None:
    assert compare(["=1.0.1:b"], ["=1.0.1:b"], anchor=["=1.0.0:s"]) == []


def test_an_entry_that_any_parent_has_is_not_judged_again() -> None:
    ours, theirs = snapshot("m@1.0.0:s"), snapshot("m@1.0.0:s", "n@1.0.0:b")
    head = ["m@1.0.0:s", "n@1.0.0:b"]
    assert compare(["m@1.0.0:s", "n@1.0.0:s"], head, parents=(ours, theirs)) == []
    assert brief(compare(["m@1.0.0:s", "n@1.0.0:s"], head, parents=(ours, theirs), judge_merged=True)) == [
        "bump.missing 2"
    ]


def test_a_merge_that_loses_a_higher_revision() -> None:
    ours, theirs = snapshot("=1.1.0:f"), snapshot("=1.2.0:i")
    found = compare(["=1.1.0:f"], ["=1.1.0:f"], anchor=["=1.0.0:s"], parents=(ours, theirs))
    assert [item.message for item in found] == ["m: a parent has 1.2.0, the merge has 1.1.0"]
    assert brief(found) == ["revision.lost-in-merge 1"]


def test_a_name_that_the_other_side_removed_may_leave() -> None:
    ours, theirs = snapshot("m@1.0.0:s", "n@1.0.0:s"), snapshot("n@1.0.0:s")
    base, head = ["m@1.0.0:s", "n@1.0.0:s"], ["n@1.0.0:s"]
    assert compare(base, head, parents=(ours, theirs), fork=ours) == []
    assert brief(compare(base, head, parents=(ours, theirs), fork=theirs)) == ["contract.removed 2"]


def test_a_chain_that_is_laundered_is_found_in_transitive_mode() -> None:
    base = ["1.0.0:f", "1.1.0:s"]
    head = [*base, "1.2.0:i"]
    assert compare(base, head) == []
    found = compare(base, head, transitive=True)
    assert [item.message for item in found] == ["m: 1.2.0 breaks 1.0.0 and needs 2.0.0"]
    assert brief(found) == ["chain.breaking 2"]
    assert compare(base, [*base, "2.0.0:i"], transitive=True) == []
    assert brief(compare(base, [*base, "2.0.0:i"])) == ["bump.larger 0"]


def test_a_chain_in_one_file_is_looked_up_in_the_history() -> None:
    past = {"m": [held("=1.0.0:f"), held("=1.1.0:s")]}
    assert brief(compare(["=1.1.0:s"], ["=1.2.0:i"], history=past, transitive=True)) == ["chain.breaking 2"]
    assert compare(["=1.1.0:s"], ["=1.2.0:i"], history=past) == []


IN_ONE_FILE = {
    # What the file was when stable, its pre-release, what becomes of it, the judgement, the revision that it asks for.
    "next-pre-breaks": ("1.0.0:f", "1.1.0-rc.1:f", "1.1.0-rc.2:i", ["bump.missing 2"], "2.0.0"),
    "stable-breaks": ("1.0.0:f", "1.1.0-rc.1:i", "1.1.0:i", ["bump.missing 2"], "2.0.0"),
    "edited-breaks": ("1.0.0:f", "1.1.0-rc.1:f", "1.1.0-rc.1:i", ["bump.missing 2"], "2.0.0"),
    "stable-adds": ("1.0.0:s", "1.0.1-rc.1:o", "1.0.1:f", ["bump.missing 1"], "1.1.0"),
    "edited-adds": ("1.0.0:s", "1.0.1-rc.1:o", "1.0.1-rc.1:f", ["bump.missing 1"], "1.1.0"),
    "carried": ("1.0.0:f", "2.0.0-rc.1:f", "2.0.0-rc.2:i", [], None),
    "carried-stable": ("1.0.0:f", "2.0.0-rc.1:i", "2.0.0:i", [], None),
    "larger": ("1.0.0:s", "1.0.1-rc.1:o", "2.0.0:o", ["bump.larger 0"], "1.0.1"),
}


@pytest.mark.parametrize(("stable", "pre", "now", "expected", "smallest"), IN_ONE_FILE.values(), ids=IN_ONE_FILE)
def test_the_core_of_a_pre_release_carries_the_bump_from_a_stable_revision_that_its_file_had(
    stable: str, pre: str, now: str, expected: list[str], smallest: str | None
) -> None:
    past = {"m": [held(f"={pre}"), held(f"={stable}")]}
    found = compare([f"={pre}"], [f"={now}"], history=past, transitive=True)
    assert brief(found) == expected
    assert [item.smallest for item in found] == [smallest] * len(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("=1.1.0:b", ["chain.breaking 2"]), ("=1.1.0-rc.1:b", ["chain.breaking 2"]), ("=1.1.0:s", []), ("=2.0.0:b", [])],
)
def test_a_name_that_is_published_nowhere_begins_anew_but_breaks_what_it_was(text: str, expected: list[str]) -> None:
    past = {"m": [held("=1.0.0:s")]}
    assert brief(compare([], [text], history=past, transitive=True)) == expected
    assert compare([], [text], history=past) == []


def test_before_1_0_0_a_chain_ends_with_its_minor() -> None:
    assert compare(["0.1.0:f", "0.2.0:s"], ["0.1.0:f", "0.2.0:s", "0.2.1:i"], transitive=True) == []
    found = compare(["0.1.0:f", "0.1.1:s"], ["0.1.0:f", "0.1.1:s", "0.1.2:i"], transitive=True)
    assert brief(found) == ["chain.breaking 2"]


@pytest.mark.parametrize(("gate", "expected"), [(True, "revision.reused 1"), (False, "revision.reused 0")])
def test_a_number_that_comes_back(*, gate: bool, expected: str) -> None:
    past = {"m": [held("=1.2.0:s"), held("=1.0.0:s")]}
    found = compare([], ["=1.2.0:b"], history=past, gate=gate)
    assert brief(found) == [expected]
    assert found[0].message == "m: 1.2.0 comes back, the history has it up to 1.2.0"
    assert compare([], ["=2.0.0:b"], history=past, gate=gate) == []


def test_a_file_that_could_not_be_read_may_be_repaired_as_it_was() -> None:
    past = {"m": [held("=1.2.0:s"), held("=1.0.0:s")]}
    broken = Snapshot("x", (), (Unread("m.json", ()),))
    for text, expected in (("=1.2.0:s", []), ("=1.2.0:b", ["revision.reused 1"])):
        compared = Comparison(head=snapshot(text), base=broken, anchor=broken, history=past, gate=True)
        assert brief(judge(compared)) == expected


IN_CONFLICT = {
    # What was there, what is left, and which of the files that are gone are there in conflict.
    "the only file": (["=1.0.0:s"], [], ["m.json"]),
    "one of two": (["1.0.0:s", "2.0.0:b"], ["2.0.0:b"], ["m-1.0.0.json"]),
    "the highest": (["1.0.0:s", "2.0.0:b"], ["1.0.0:s"], ["m-2.0.0.json"]),
    "the highest, and a new one": (["1.0.0:s", "2.0.0:b"], ["1.0.0:s", "1.0.1:o"], ["m-2.0.0.json"]),
    "both": (["1.0.0:s", "2.0.0:b"], [], ["m-1.0.0.json", "m-2.0.0.json"]),
}


@pytest.mark.parametrize(("base", "head", "paths"), IN_CONFLICT.values(), ids=IN_CONFLICT)
def test_what_is_in_conflict_has_not_left(base: list[str], head: list[str], paths: list[str]) -> None:
    before, after = snapshot(*base), snapshot(*head)
    terms = Terms(Policy(immutable=True))
    assert judge(Comparison(head=after, base=before, anchor=before, terms=terms, parents=(before, before)))
    conflict = (Problem(None, "", UNMERGED, "in conflict"),)
    unread = after._replace(unread=tuple(Unread(path, conflict) for path in paths))
    assert judge(Comparison(head=unread, base=before, anchor=before, terms=terms, parents=(before, before))) == []
    malformed = tuple(Unread(path, (Problem(0, "", "json.syntax", "no JSON"),)) for path in paths)
    for others in (malformed, (Unread("other.json", conflict),)):
        other = after._replace(unread=others)
        assert judge(Comparison(head=other, base=before, anchor=before, terms=terms, parents=(before, before)))


def test_a_revision_that_comes_back_with_other_content() -> None:
    past = {"m": [held("1.0.0:s"), held("1.1.0:f"), held("2.0.0:b")]}
    base = ["1.0.0:s", "2.0.0:b"]
    assert brief(compare(base, [*base, "1.1.0:i"], history=past, gate=True)) == ["revision.reused 1"]
    assert compare(base, [*base, "1.1.0:f"], history=past, gate=True) == []
    assert compare(base, [*base, "1.0.1:o"], history=past, gate=True) == []


def test_a_waiver_lets_one_change_through() -> None:
    waiver = Waiver("m", "field.type.changed", "a", "1.0.0", "1.0.1", "nobody uses it", "me", "2030-01-01")
    assert compare(["=1.0.0:s"], ["=1.0.1:b"], terms=Terms(waivers=(waiver,))) == []
    for other in (waiver._replace(new="1.0.2"), waiver._replace(field="b"), waiver._replace(contract="n")):
        assert brief(compare(["=1.0.0:s"], ["=1.0.1:b"], terms=Terms(waivers=(other,)))) == ["bump.missing 2"]


def test_judgements_come_worst_first_then_by_name() -> None:
    base = ["n@1.0.0:s", "m@1.0.0:s", "k@1.0.0:s", "l@1.0.0:s"]
    head = ["n@1.0.1:b", "m@1.0.1:f", "k@1.0.1:b", "l@2.0.0:s"]
    found = compare(base, head)
    assert [(item.contract, item.exit_code) for item in found] == [("k", 2), ("n", 2), ("m", 1), ("l", 0)]
    assert compare(base[::-1], head[::-1]) == found


def test_every_code_of_the_engine_has_its_page() -> None:
    pages = {code.entry.id for code in registry.CODES} | {"contract.removed"}
    assert {word.split()[0] for row in ROWS.values() for word in row.expected} <= pages
