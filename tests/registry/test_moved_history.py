"""The history of a registry that moved: what a contract was in a folder that the policy names no more still counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protocolarc.config.policy import named_paths
from tests.support.repository import Files, Repository, codes, contract

STRING, MORE, OTHER = "a: string", "a: string; b: string opt", "a: string; b: integer opt"


def policy(*paths: str, **more: object) -> str:
    """A policy file that names folders."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in {"paths": list(paths), **more}.items())


def shared(*paths: str, number: int = 0) -> str:
    """The same in the file of a project."""
    return f'[project]\nversion = "{number}"\ndependencies = ["protocolarc==1"]\n\n[tool.protocolarc]\n{policy(*paths)}'


def held(folder: str, revision: str, fields: str) -> Files:
    """The contract ``m`` in a folder."""
    return {f"{folder}/m.json": contract("m", revision, fields)}


HISTORY = [("1.0.0", STRING), ("1.1.0", MORE), ("1.2.0", STRING)]
"""What was there before the move; a 1.3.0 with ``OTHER`` breaks the 1.1.0 alone."""

DEFAULT, OLD = "registry", {"protocolarc.toml": policy("old")}
MOVES: list[tuple[str, str, str, list[Files]]] = [
    ("by default", DEFAULT, "new", [{}, {"protocolarc.toml": policy("new")}]),
    ("by default, to the shared file", DEFAULT, "new", [{}, {"pyproject.toml": shared("new")}]),
    ("by name", "old", "new", [OLD, {"protocolarc.toml": policy("new")}]),
    ("to the default", "old", DEFAULT, [OLD, {"protocolarc.toml": 'zero = "free"\n'}]),
    ("to no policy", "old", DEFAULT, [{"pyproject.toml": shared("old")}, {"pyproject.toml": None}]),
    ("in the shared file", "old", "new",
     [{"pyproject.toml": shared("old")}, {"pyproject.toml": shared("new", number=1)}]),
    ("from one file to the other", "old", "new",
     [{"pyproject.toml": shared("old")}, {"pyproject.toml": "[project]\n", "protocolarc.toml": policy("new")}]),
    ("in two steps", "old", "new",
     [OLD, {"protocolarc.toml": policy("old", "new")}, {"protocolarc.toml": policy("new")}]),
    ("past a policy that is broken", "old", "new",
     [OLD, {"protocolarc.toml": "paths = ["}, {"protocolarc.toml": policy("new")}]),
    ("past one that asks for another version", "old", "new",
     [{"protocolarc.toml": policy("old", **{"required-version": "<0.0.1"})}, {"protocolarc.toml": policy("new")}]),
    ("past two at once", "old", "new",
     [{**OLD, "pyproject.toml": shared("x")}, {"protocolarc.toml": policy("new"), "pyproject.toml": None}]),
    ("to a folder above", "a/b", "a", [{"protocolarc.toml": policy("a/b")}, {"protocolarc.toml": policy("a")}]),
    ("to a folder below", "a", "a/b", [{"protocolarc.toml": policy("a")}, {"protocolarc.toml": policy("a/b")}]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "policies"), [row[1:] for row in MOVES], ids=[row[0] for row in MOVES])
def test_a_registry_that_moved_keeps_its_history(empty: Repository, old: str, new: str, policies: list[Files]) -> None:
    first, *between, last = policies
    commits = [empty.commit({**held(old, *state), **first}) for state in HISTORY]
    for files in between:
        empty.commit(files)
    empty.commit({f"{old}/m.json": None, **held(new, *HISTORY[-1]), **last})
    for words in ((), ("--full",)):
        assert steps(empty, *words) == [(revision, oid) for (revision, _), oid in zip(HISTORY, commits, strict=True)]
    assert empty.run("show", "m@1.1.0").stdout == contract("m", "1.1.0", MORE)
    assert empty.run("show", "m", "--at", commits[-1]).stdout == contract("m", "1.2.0", STRING)
    assert commits[0][:12].encode() in empty.run("blame", "m", "a").stdout
    bisected = empty.run("bisect", "m", "-", "--raw", stdin=b'{"a": "x", "b": 1}')
    assert commits[1][:12].encode() in bisected.stdout
    empty.stage(held(new, "1.3.0", OTHER))
    done = empty.run("check", "--transitive")
    assert (done.exit_code, codes(done)) == (2, ["chain.breaking"])
    empty.commit()
    done = empty.run("gate", "--from", "HEAD~1")
    assert (done.exit_code, codes(done)) == (2, ["chain.breaking"])


def steps(repository: Repository, *words: str) -> list[tuple[str, str]]:
    """The revisions that ``log`` tells of ``m``, oldest first, with their commits."""
    report = json.loads(repository.run("log", "m", "--format", "json", *words).stdout)
    return [(step["revision"], step["commit"]) for step in report["contracts"][0]["steps"]]


@pytest.mark.parametrize("words", [(), ("--full",)], ids=["first parents", "full"])
def test_what_stays_in_a_folder_that_was_given_up_counts_until_then(empty: Repository, words: tuple[str, ...]) -> None:
    both = {"protocolarc.toml": policy("registry", "old")}
    first = empty.commit({**both, **held("registry", "1.0.0", STRING), "old/n.json": contract("m", "1.1.0", MORE)})
    left = empty.commit({"protocolarc.toml": policy("registry")})
    edited = empty.commit({"old/n.json": contract("m", "7.0.0", OTHER)})
    last = empty.commit(held("registry", "1.0.1", f"{STRING}; c: any"))
    known = [("1.0.0", first), ("1.1.0", first), ("1.1.0", left), ("1.0.1", last)]
    assert steps(empty, *words) == known
    assert b"removed" in empty.run("log", "m").stdout
    assert empty.run("blame", "m").stdout.startswith(b"m@1.0.1\n")
    empty.commit(both)
    assert steps(empty, *words) == [*known[:2], ("7.0.0", edited), known[-1]]
    assert empty.run("blame", "m").stdout.startswith(b"m@7.0.0\n")


def test_with_full_a_branch_has_the_folders_that_its_own_policies_left(empty: Repository) -> None:
    first = empty.commit(held("registry", "1.0.0", STRING))
    empty.git("checkout", "-q", "-b", "topic")
    second = empty.commit(held("registry", "1.1.0", MORE))
    empty.git("checkout", "-q", "main")
    empty.commit({"protocolarc.toml": policy("new"), "registry/m.json": None, **held("new", "1.0.0", STRING)})
    empty.git("merge", "-q", "--no-commit", "topic", check=False)
    empty.git("rm", "-q", "-f", "--ignore-unmatch", "registry/m.json")
    merge = empty.commit(held("new", "1.1.0", MORE))
    assert steps(empty) == [("1.0.0", first), ("1.1.0", merge)]
    assert steps(empty, "--full") == [("1.0.0", first), ("1.1.0", second)]


def test_a_folder_that_no_policy_named_is_none_of_the_registry(empty: Repository) -> None:
    empty.commit({"protocolarc.toml": policy("new"), **held("registry", "1.1.0", MORE)})
    first = empty.commit(held("new", "1.0.0", STRING))
    empty.commit({"registry/m.json": contract("x", "1.0.0")})
    assert steps(empty) == [("1.0.0", first)]
    assert empty.run("log", "x").stderr.endswith("; it holds m\n")
    assert empty.run("show", "m@1.1.0").exit_code == 3
    empty.commit(held("new", "1.1.0", OTHER))
    assert empty.run("gate", "--from", "HEAD~1").exit_code == 0


ELSEWHERE = [("registry", "new", 0), ("old", "new", 2), ("old", "registry", 2), ("new", "new", 0)]


@pytest.mark.parametrize(("old", "new", "more"), ELSEWHERE)
def test_only_a_registry_that_moved_costs_more_processes(
    empty: Repository, old: str, new: str, more: int, tmp_path: Path
) -> None:
    before = {"protocolarc.toml": policy(old), "pyproject.toml": shared(old).partition("[tool")[0]}
    empty.commit({**before, **held(old, "1.0.0", STRING)})
    empty.commit({f"{old}/m.json": None, "protocolarc.toml": policy(new), **held(new, "1.1.0", MORE)})
    for number in range(3):
        empty.commit({"pyproject.toml": shared(new, number=number).partition("[tool")[0]})
    trace = tmp_path / "trace"
    empty.run("log", environ={"GIT_TRACE2_EVENT": str(trace)})
    assert sum('"event":"start"' in line for line in trace.read_text(encoding="utf-8").splitlines()) == 4 + more


@pytest.mark.parametrize("full", [(), ("--full",)], ids=["first parents", "full"])
def test_a_folder_that_the_first_policy_left_out_is_none_of_the_registry(
    empty: Repository, full: tuple[str, ...]
) -> None:
    empty.commit({"README.md": b"words\n"})
    empty.commit({"protocolarc.toml": policy("new")})
    empty.commit(held("registry", "7.0.0", STRING))
    empty.commit(held("new", "1.0.0", STRING))
    (chain,) = json.loads(empty.run("log", *full, "--format", "json").stdout)["contracts"]
    assert [(step["revision"], step["event"]) for step in chain["steps"]] == [("1.0.0", "first")]
    assert empty.run("blame", "m").stdout.startswith(b"m@1.0.0\n")


LONG = b"# words\n" * 10_000
SPELLINGS = {
    "a section": b'[tool.protocolarc]\npaths = ["a"]\n',
    "over several lines": b'[tool.protocolarc]\npaths = [\n  "a",\n]\n[other]\npaths = ["b"]\n',
    "with a section of its own below": b'[tool.protocolarc]\npaths = ["a"]\n[tool.protocolarc.severity]\n',
    "inline": b'[tool]\nprotocolarc = {paths = ["a"]}\n',
    "dotted": b'tool.protocolarc.paths = ["a"]\n',
    "in blanks": b'[ tool . "protocolarc" ]\npaths = ["a"]\n',
    "beside a text": b'x = """\n[tool.protocolarc]\npaths = ["b"]\n"""\n[tool.protocolarc]\npaths = ["a"]\n',
    "a list of lists": b'[tool.protocolarc]\npaths = ["a"]\nx = [\n[1],\n]\n',
}


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_what_a_shared_file_names_is_told_however_it_is_written(text: bytes) -> None:
    for data in (text, text + LONG, text.replace(b"\n", b"\r\n")):
        assert named_paths(None, data) == ("a",)
