"""Every code of the table of judgements on real repositories, as a commit in a hook and as a branch in a gate."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from tests.support.repository import Files, Repository, codes, contract

A, AB, AC, INT = "a: string", "a: string; b: any opt", "a: string; c: any opt", "a: integer"
FILE = "registry/m.json"


def m(revision: str, fields: str = A, path: str = FILE, **keys: str) -> Files:
    """One file that holds one revision of the contract ``m``."""
    return {path: contract("m", revision, fields, **keys)}


def apart(*revisions: tuple[str, str]) -> Files:
    """A file for each revision."""
    return {f"registry/m/{revision}.json": contract("m", revision, fields) for revision, fields in revisions}


class Case(NamedTuple):
    """What is published, in several steps; what a branch makes of it; the exit code and the codes."""

    name: str
    published: list[Files]
    change: Files
    exit_code: int
    codes: list[str]
    policy: str = ""


def bump(old: str, fields: str, new: str, exit_code: int, policy: str = "") -> Case:
    """One file that goes from 1.0.0, or another, to a revision that carries the change or does not."""
    expected = {0: [], 1: ["bump.missing"], 2: ["bump.missing"]}[exit_code]
    name = f"{old} to {new}, {fields}{', ' * bool(policy)}{policy}"
    return Case(name, [m(old)], m(new, fields), exit_code, expected, policy)


PAIR, TRIED = apart(("1.0.0", A), ("2.0.0", INT)), apart(("1.0.0", A), ("1.1.0-rc.1", AB))
ONE, TWO = PAIR
BUMPS = [
    bump("1.0.0", AB, "1.0.0", 1),
    bump("1.0.0", AB, "1.0.1", 1),
    bump("1.0.0", AB, "1.1.0", 0),
    bump("1.0.0", AB, "1.1.0-rc.1", 0),
    bump("1.0.0", AB, "1.0.1-rc.1", 1),
    bump("1.0.0", INT, "1.0.0", 2),
    bump("1.0.0", INT, "1.0.0+build", 2),
    bump("1.0.0", INT, "1.9.9", 2),
    bump("1.0.0", INT, "2.0.0", 0),
    bump("1.0.0", INT, "2.0.0-alpha", 0),
    bump("1.0.0", INT, "1.1.0-rc.1", 2),
    bump("1.0.0", A, "1.0.1", 0),
    bump("0.1.0", AB, "0.1.1", 0),
    bump("0.1.0", INT, "0.1.1", 2),
    bump("0.1.0", INT, "0.2.0", 0),
    bump("0.1.0", INT, "1.0.0", 0),
    bump("0.1.0", AB, "0.1.1", 1, 'zero = "strict"'),
    bump("0.1.0", INT, "0.2.0", 2, 'zero = "strict"'),
    bump("0.1.0", INT, "0.1.1", 0, 'zero = "free"'),
    bump("0.1.0", INT, "0.1.0", 2, 'zero = "free"'),
    bump("1.0.0", "a: string; b: null opt", "1.1.0", 2, "open-content = true"),
    bump("1.0.0", AB, "1.1.0", 2, '[severity]\n"field.added.optional" = "breaking"'),
    bump("1.0.0", INT, "1.1.0", 0, '[severity]\n"field.type.changed" = "forward"'),
]
CASES = [
    Case("words alone need a patch", [m("1.0.0")], m("1.0.0", doc="words"), 1, ["bump.missing"]),
    Case("a patch carries words", [m("1.0.0")], m("1.0.1", doc="words"), 0, []),
    Case("more than was needed", [m("1.0.0")], m("2.0.0", AB), 0, ["bump.larger"]),
    Case("from a pre-release to another", [m("1.0.0"), m("2.0.0-rc.1", INT)], m("2.0.0-rc.2", "a: boolean"), 0, []),
    Case("the same pre-release", [m("1.0.0"), m("2.0.0-rc.1", INT)], m("2.0.0-rc.1", "a: null"), 2, ["bump.missing"]),
    Case("from a pre-release to the last", [m("1.0.0"), m("2.0.0-rc.1", INT)], m("2.0.0", INT), 0, []),
    Case("one file for each", [apart(("1.0.0", A))], apart(("1.0.0", A), ("1.1.0", AB)), 0, []),
    Case("one more that carries too little", [apart(("1.0.0", A))], apart(("1.1.0", INT)), 2, ["bump.missing"]),
    Case("a back-port beside a newer one", [PAIR], apart(("1.1.0", AB)), 0, []),
    Case("a back-port that breaks", [PAIR], apart(("1.1.0", "a: boolean")), 2, ["bump.missing"]),
    Case("every new link counts", [apart(("1.0.0", A))], apart(("1.1.0", AB), ("1.1.1", AC)), 1, ["bump.missing"]),
    Case("both layouts", [m("1.0.0")], {**m("1.1.0", AB), "registry/old.json": contract("m", "1.0.0", A)}, 0, []),
    Case("the file went down", [m("1.1.0", AB)], m("1.0.0"), 1, ["revision.regressed"]),
    Case("a published one breaks", [PAIR], apart(("1.0.0", "a: null")), 2, ["revision.mutated"]),
    Case("a published one changes", [PAIR], apart(("1.0.0", AB)), 1, ["revision.mutated"]),
    Case("twice the same", [m("1.0.0")], m("1.0.0", path="registry/copy.json"), 1, ["revision.duplicate"]),
    Case("twice but for the build", [m("1.0.0")], m("1.0.0+b", path="registry/x.json"), 1, ["revision.duplicate"]),
    Case(
        "an old one evolves in its file",
        [PAIR],
        {"registry/m/1.0.0.json": contract("m", "1.1.0", AB)},
        0,
        [
            "revision.removed",
        ],
    ),
    Case(
        "an old one evolves where none may leave",
        [PAIR],
        {"registry/m/1.0.0.json": contract("m", "1.1.0", AB)},
        1,
        [
            "revision.removed",
        ],
        "immutable = true",
    ),
    Case(
        "the last one evolves where none may leave",
        [PAIR],
        {"registry/m/2.0.0.json": contract("m", "3.0.0", A)},
        0,
        [],
        "immutable = true",
    ),
    Case("the last one evolves", [PAIR], {"registry/m/2.0.0.json": contract("m", "3.0.0", A)}, 0, []),
    Case("an old one leaves", [PAIR], {"registry/m/1.0.0.json": None}, 0, ["revision.removed"]),
    Case("it may not", [PAIR], {"registry/m/1.0.0.json": None}, 1, ["revision.removed"], "immutable = true"),
    Case("the highest leaves", [PAIR], {"registry/m/2.0.0.json": None}, 1, ["revision.regressed"]),
    Case(
        "the name leaves",
        [m("1.0.0"), {"registry/k.json": contract("k", "1.0.0")}],
        {FILE: None},
        2,
        ["contract.removed"],
    ),
    Case("all of it leaves", [m("1.0.0")], {FILE: None}, 2, ["contract.removed"]),
    Case("a retired name leaves", [m("1.0.0")], {FILE: None}, 0, ["contract.removed"], 'retired = ["m"]'),
    Case("another name", [m("1.0.0")], {FILE: contract("n", "1.0.0")}, 2, ["contract.removed"]),
    Case("another path", [m("1.0.0")], {FILE: None, **m("1.0.0", path="registry/v1.json")}, 0, ["contract.moved"]),
    Case("moved and broken", [m("1.0.0")], {FILE: None, **m("1.0.1", INT, "registry/v1.json")}, 2, ["bump.missing"]),
    Case("another spelling", [m("1.0.0")], {FILE: json.dumps(json.loads(contract("m", "1.0.0")), indent=1)}, 0, []),
    Case("every file of it leaves", [PAIR], dict.fromkeys(PAIR), 2, ["contract.removed"]),
    Case("all files of a retired name", [PAIR], dict.fromkeys(PAIR), 0, ["contract.removed"], 'retired = ["m"]'),
    Case(
        "one of its files moves",
        [PAIR],
        {"registry/m/1.0.0.json": None, **m("1.0.0", path="registry/old.json")},
        0,
        ["contract.moved"],
    ),
    Case("two files change places", [PAIR], {**m("1.0.0", A, TWO), **m("2.0.0", INT, ONE)}, 0, []),
    Case(
        "two files change what they hold",
        [PAIR],
        {**m("1.0.0", INT, ONE), **m("2.0.0", A, TWO)},
        2,
        ["revision.mutated", "bump.missing"],
    ),
    Case("more than was needed in a file", [apart(("1.0.0", A))], apart(("2.0.0", AB)), 0, ["bump.larger"]),
    Case("a small step below 1.0.0", [apart(("0.1.0", A))], apart(("0.1.1", INT)), 2, ["bump.missing"]),
    Case("a step below 1.0.0", [apart(("0.1.0", A))], apart(("0.2.0", INT)), 0, []),
    Case("out of 0.y.z", [apart(("0.1.0", A))], apart(("1.0.0", INT)), 0, []),
    Case("a pre-release in a file", [apart(("1.0.0", A))], apart(("2.0.0-rc.1", INT)), 0, []),
    Case("a pre-release that carries less", [apart(("1.0.0", A))], apart(("1.1.0-rc.1", INT)), 2, ["bump.missing"]),
    Case("a pre-release breaks another", [TRIED], apart(("1.1.0-rc.2", AC)), 0, []),
    Case("what follows a pre-release breaks", [TRIED], apart(("1.1.0", INT)), 2, ["bump.missing"]),
    Case("a pre-release comes below", [apart(("1.1.0", AB))], apart(("1.1.0-rc.1", AC)), 0, []),
    Case("the last pre-release changes", [TRIED], apart(("1.1.0-rc.1", AC)), 1, ["bump.missing"]),
    Case(
        "the file goes on and the old one is another",
        [m("1.0.0")],
        {**m("2.0.0", INT), **m("1.0.0", "a: null", "registry/old.json")},
        2,
        ["revision.mutated"],
    ),
    Case(
        "an old one changes as a new one comes",
        [apart(("1.0.0", A))],
        apart(("1.0.0", INT), ("1.0.1", A)),
        2,
        ["revision.mutated"],
    ),
    Case("the highest makes room for less", [PAIR], {TWO: None, **apart(("1.1.0", AB))}, 1, ["revision.regressed"]),
    Case("the highest makes room for more", [PAIR], {TWO: None, **apart(("3.0.0", A))}, 0, ["revision.removed"]),
    Case(
        "the highest makes room for a break",
        [PAIR],
        {TWO: None, **apart(("2.0.1", A))},
        2,
        ["bump.missing", "revision.removed"],
    ),
]


@pytest.mark.parametrize("case", [*BUMPS, *CASES], ids=lambda case: case.name)
def test_a_change_is_judged_alike_in_the_hook_and_in_the_gate(case: Case, empty: Repository) -> None:
    empty.commit({"protocolarc.toml": case.policy + "\n", "other": "1"})
    for files in case.published:
        empty.commit(files)
    empty.git("checkout", "-q", "-b", "topic")
    empty.stage(case.change)
    hook = empty.run("check")
    empty.commit()
    gate = empty.run("gate")
    for done in (hook, gate):
        assert (done.exit_code, codes(done), done.stderr) == (case.exit_code, case.codes, ""), done.stdout


REUSED = [
    ("the same again", m("1.0.0"), ["revision.reused"]),
    ("the same number for something else", m("1.0.0", INT), ["revision.reused"]),
    ("a lower one", m("0.9.0"), ["revision.reused"]),
    ("a higher one", m("1.0.1"), []),
    ("in a file of its own", apart(("0.9.0", A)), ["revision.reused"]),
]


@pytest.mark.parametrize(("files", "expected"), [row[1:] for row in REUSED], ids=[row[0] for row in REUSED])
def test_a_name_that_comes_back_is_a_notice_in_the_hook_and_an_error_in_the_gate(
    files: Files, expected: list[str], empty: Repository
) -> None:
    for step in ({**m("1.0.0"), "registry/k.json": contract("k", "1.0.0")}, {FILE: None}):
        empty.commit(step)
    empty.git("checkout", "-q", "-b", "topic")
    empty.stage(files)
    hook = empty.run("check")
    empty.commit()
    gate = empty.run("gate")
    assert (hook.exit_code, codes(hook)) == (0, expected)
    assert (gate.exit_code, codes(gate)) == (len(expected), expected)


RETURNED = [
    # What a revision that left beside a higher one is when it comes back.
    ("as it was", ("1.0.0", A), []),
    ("as something else", ("1.0.0", INT), ["revision.reused"]),
    ("but for the build", ("1.0.0+b", INT), ["revision.reused"]),
    ("under another number", ("1.0.1", A), []),
]


@pytest.mark.parametrize(("held", "expected"), [row[1:] for row in RETURNED], ids=[row[0] for row in RETURNED])
def test_a_revision_that_comes_back_is_a_notice_in_the_hook_and_an_error_in_the_gate(
    held: tuple[str, str], expected: list[str], empty: Repository
) -> None:
    for step in (PAIR, {"registry/m/1.0.0.json": None}):
        empty.commit(step)
    empty.git("checkout", "-q", "-b", "topic")
    empty.stage(apart(held))
    for words in (("check",), ("check", "--worktree")):
        done = empty.run(*words)
        assert (done.exit_code, codes(done)) == (0, expected)
    empty.commit()
    gate = empty.run("gate")
    assert (gate.exit_code, codes(gate)) == (len(expected), expected)


OTHER_FILE = "registry/of another name.json"
BROKEN: list[tuple[str, Files, Files, list[str]]] = [
    # What took the place of a contract in the base, and what comes back.
    ("as it was", {FILE: "{"}, m("1.0.0"), []),
    ("as it was, of a pointer", {FILE: "version https://git-lfs.github.com/spec/v1\n"}, m("1.0.0"), []),
    ("as something else", {FILE: "{"}, m("1.0.0", INT), ["revision.reused"]),
    ("as it was, elsewhere", {FILE: "{"}, {FILE: None, OTHER_FILE: m("1.0.0")[FILE]}, []),
    ("as something else, elsewhere", {FILE: "{"}, {FILE: None, OTHER_FILE: m("1.0.0", INT)[FILE]}, ["revision.reused"]),
    ("as it was, beside what is still broken", {FILE: None, "registry/x.json": "{"}, m("1.0.0"), ["revision.reused"]),
]


@pytest.mark.parametrize(("broken", "files", "expected"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_what_could_not_be_read_comes_back_as_it_was(
    broken: Files, files: Files, expected: list[str], empty: Repository
) -> None:
    empty.commit({**m("1.0.0"), "registry/k.json": contract("k", "1.0.0")})
    empty.commit(broken)
    empty.git("checkout", "-q", "-b", "topic")
    empty.stage({**files, **dict.fromkeys(set(broken) - {FILE})})
    for words in (("check",), ("check", "--worktree")):
        assert codes(empty.run(*words)) == expected
    empty.commit()
    assert codes(empty.run("check", "--from", "main")) == codes(empty.run("gate")) == expected


def test_what_a_link_hid_comes_back_as_it_was(empty: Repository) -> None:
    empty.commit(m("1.0.0"))
    empty.git("mv", "registry", "real")
    (empty.top / "registry").symlink_to("real")
    empty.commit()
    empty.git("checkout", "-q", "-b", "topic")
    empty.git("rm", "-q", "registry")
    empty.git("mv", "real", "registry")
    assert codes(empty.run("check")) == []
    empty.commit()
    assert codes(empty.run("gate")) == []


LEFT: list[Files] = [m("1.0.0"), m("3.0.0", INT), {FILE: None}]
CHAINS = [
    ("by way of nothing", [m("1.0.0", AB), m("1.1.0")], m("1.2.0", "a: string; b: string opt"), ["chain.breaking"]),
    (
        "below 1.0.0 by the minor",
        [m("0.1.0", AB), m("0.1.1")],
        m("0.1.2", "a: string; b: string opt"),
        ["chain.breaking"],
    ),
    ("a new minor below 1.0.0", [m("0.1.0", AB), m("0.1.1")], m("0.2.0", "a: string; b: string opt"), []),
    ("a new major", [m("1.0.0", AB), m("1.1.0")], m("2.0.0", "a: string; b: string opt"), []),
    ("as it was", [m("1.0.0", AB), m("1.1.0")], m("1.2.0", AB), []),
    ("above what a name was when it left", LEFT, m("3.0.1"), ["chain.breaking"]),
    ("as a name was when it left", LEFT, m("3.0.1", INT), []),
    ("a new major of a name that left", LEFT, m("4.0.0"), []),
    ("by way of what gives no contract", [m("1.0.0"), {FILE: "{"}], m("1.0.1", INT), ["chain.breaking"]),
    (
        "by way of nothing, a file for each",
        [apart(("1.0.0", AB)), apart(("1.1.0", A))],
        apart(("1.2.0", "a: string; b: string opt")),
        ["chain.breaking"],
    ),
    (
        "all at once",
        [apart(("1.0.0", AB))],
        apart(("1.1.0", A), ("1.2.0", "a: string; b: string opt")),
        ["chain.breaking"],
    ),
    (
        "of a back-port",
        [apart(("1.0.0", AB), ("1.1.0", A), ("2.0.0", INT))],
        apart(("1.2.0", "a: string; b: string opt")),
        ["chain.breaking"],
    ),
]


@pytest.mark.parametrize(("steps", "files", "expected"), [row[1:] for row in CHAINS], ids=[row[0] for row in CHAINS])
def test_an_earlier_revision_of_the_same_major_counts(
    steps: list[Files], files: Files, expected: list[str], empty: Repository
) -> None:
    for step in steps:
        empty.commit(step)
    empty.git("checkout", "-q", "-b", "topic")
    empty.stage(files)
    assert "chain.breaking" not in codes(empty.run("check"))
    hook = empty.run("check", "--transitive")
    empty.commit()
    gate = empty.run("gate")
    for done in (hook, gate):
        assert codes(done) == expected
        assert done.exit_code == 2 * ("chain.breaking" in expected)


DRAFTS = [
    # What main has, what a branch makes of it before it is merged, and what comes then.
    ("a draft of what was merged", m("1.0.0"), [m("1.1.0", AB), m("1.1.0", AC)], []),
    ("a draft that came back", m("1.0.0"), [m("1.1.0", AB), m("1.1.0", AC), m("1.1.0", AB)], ["chain.breaking"]),
    ("a draft of what main had", m("1.0.0", AB), [m("1.0.0"), m("1.1.0")], ["chain.breaking"]),
    ("a number that only the branch had", m("1.0.0"), [m("1.1.0", AB), m("1.2.0")], ["chain.breaking"]),
]


@pytest.mark.parametrize(("first", "steps", "expected"), [row[1:] for row in DRAFTS], ids=[row[0] for row in DRAFTS])
def test_the_drafts_of_a_merged_branch_do_not_count_but_what_the_first_parents_had_does(
    first: Files, steps: list[Files], expected: list[str], empty: Repository
) -> None:
    empty.commit(first)
    empty.git("checkout", "-q", "-b", "topic")
    for step in steps:
        empty.commit(step)
    empty.git("checkout", "-q", "main")
    empty.merge("topic")
    empty.commit(m("1.3.0", "a: string; c: any opt; d: any opt"))
    empty.git("checkout", "-q", "-b", "next")
    empty.commit(m("1.4.0", "a: string; b: string opt; c: any opt; d: any opt"))
    done = empty.run("gate")
    assert (done.exit_code, codes(done)) == (2 * bool(expected), expected), done.stdout
