"""The history of a registry that moved: what a contract was in a folder that the policy names no more still counts."""

from __future__ import annotations

import json

import pytest

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
