"""A hook reads what differs, and what may be of the same names: nothing that it leaves out may matter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.cli import ROOT
from tests.support.entries import light
from tests.support.repository import Repository, codes, contract, environment

MANY = {f"registry/other{number}.json": contract(f"other{number}", "1.0.0") for number in range(60)}
"""Contracts that have nothing to do with it."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "work")


def spelled(data: bytes, plain: str, escaped: str) -> bytes:
    """A document that spells something with escapes."""
    assert plain.encode() in data
    return data.replace(plain.encode(), escaped.encode())


HIDDEN = {
    "plain": contract("t.a/b", "1.0.0"),
    "unicode escape": spelled(contract("t.a/b", "1.0.0"), "t.a/b", "\\u0074.a/b"),
    "escaped solidus": spelled(contract("t.a/b", "1.0.0"), "t.a/b", "t.a\\/b"),
    "escaped key": spelled(contract("t.a/b", "1.0.0"), '"name": "t.a/b"', '"n\\u0061me": "t.a/b"'),
}


@pytest.mark.parametrize("held", HIDDEN.values(), ids=HIDDEN)
def test_a_staged_duplicate_of_an_unchanged_file_is_found(repository: Repository, held: bytes) -> None:
    repository.commit({**MANY, "registry/old.json": held})
    repository.stage({"registry/new.json": contract("t.a/b", "1.0.0")})
    done = light(repository)
    assert (done.exit_code, codes(done)) == (1, ["revision.duplicate"])
    assert done.stdout.startswith(b"checked 62 contracts: index against HEAD (")


@pytest.mark.parametrize("held", HIDDEN.values(), ids=HIDDEN)
def test_the_predecessor_is_found_in_an_unchanged_file(repository: Repository, held: bytes) -> None:
    repository.commit({**MANY, "registry/old.json": held})
    repository.stage({"registry/new.json": contract("t.a/b", "1.0.1", "a: integer")})
    assert codes(light(repository)) == ["bump.missing"]


@pytest.mark.parametrize("held", HIDDEN.values(), ids=HIDDEN)
def test_a_name_in_the_history_is_found_however_it_is_spelled(repository: Repository, held: bytes) -> None:
    repository.commit({**MANY, "registry/old.json": held})
    repository.commit({"registry/old.json": None})
    repository.stage({"registry/new.json": contract("t.a/b", "1.0.0", "a: integer")})
    assert codes(light(repository)) == ["revision.reused"]


Files = Mapping[str, bytes | None]
CASES: dict[str, tuple[Files, Files, int, list[str]]] = {
    "a file of another name": ({}, {"registry/new.json": contract("new", "1.0.0")}, 0, []),
    "a file that moved": (
        {"registry/m.json": contract("m", "1.0.0")},
        {"registry/m.json": None, "registry/deep/m.json": contract("m", "1.0.0")},
        0,
        ["contract.moved"],
    ),
    "a name that changed": (
        {"registry/m.json": contract("m", "1.0.0")},
        {"registry/m.json": contract("n", "1.0.0")},
        2,
        ["contract.removed"],
    ),
    "a revision that changed beside a newer one": (
        {"registry/1.json": contract("m", "1.0.0"), "registry/2.json": contract("m", "2.0.0")},
        {"registry/1.json": contract("m", "1.0.0", "a: integer")},
        2,
        ["revision.mutated"],
    ),
    "a revision that left while a higher one stays": (
        {"registry/1.json": contract("m", "1.0.0"), "registry/2.json": contract("m", "2.0.0")},
        {"registry/1.json": None},
        0,
        ["revision.removed"],
    ),
    "a file that is none any more": ({"registry/m.json": contract("m", "1.0.0")}, {"registry/m.json": b"{"}, 3, [
        "contract.removed",
    ]),
    "an unchanged file that may be of the name and holds none": (
        {"registry/m.json": contract("m", "1.0.0"), "registry/x.json": b'{"name": "m"'},
        {"registry/m.json": contract("m", "1.0.1", "a: string; b: string opt")},
        3,
        ["bump.missing"],
    ),
    "a pointer of Git LFS": (
        {},
        {"registry/m.json": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"},
        3,
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "staged", "exit_code", "found"), CASES.values(), ids=CASES)
def test_what_a_hook_finds_beside_contracts_that_have_nothing_to_do_with_it(
    repository: Repository, before: Files, staged: Files, exit_code: int, found: list[str]
) -> None:
    repository.commit({**MANY, **before})
    repository.stage(staged)
    done = light(repository)
    assert (done.exit_code, sorted(codes(done))) == (exit_code, sorted(found))
    everything = json.loads(light(repository, "--format", "json", "--worktree").stdout)
    assert sorted(item["code"] for item in everything["judgements"]) == sorted(found)


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


@pytest.mark.parametrize(("before", "after"), [(LFS, b"{"), (b"{", LFS), (b"{", b"[]")])
def test_a_file_that_was_no_contract_and_is_none_in_another_way_is_named(
    repository: Repository, before: bytes, after: bytes
) -> None:
    repository.commit({**MANY, "registry/m.json": before})
    repository.stage({"registry/m.json": after})
    done = light(repository)
    assert (done.exit_code, done.stderr.startswith("[ERROR] registry/m.json ")) == (3, True)


def test_a_git_that_cannot_search_as_fast_gives_the_same_answer(repository: Repository, tmp_path: Path) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(
        '#!/bin/sh\nfor word; do [ "$word" = -P ] && { echo "fatal: no such option" >&2; exit 128; }; done\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    slow.chmod(0o700)
    repository.commit({**MANY, "registry/old.json": contract("t.a/b", "1.0.0")})
    repository.stage({"registry/new.json": contract("t.a/b", "1.0.0")})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
        assert repository.git("grep", "-P", "t", check=False) == ""
        assert codes(light(repository)) == ["revision.duplicate"]


def test_a_link_is_named_also_when_it_did_not_change(repository: Repository) -> None:
    (repository.top / "registry").mkdir()
    (repository.top / "registry" / "link.json").symlink_to("other0.json")
    repository.commit(MANY)
    repository.stage({"registry/new.json": contract("new", "1.0.0")})
    done = light(repository)
    assert (done.exit_code, "link.json contract.symlink" in done.stderr) == (3, True)


def test_many_names_are_not_searched_for_but_all_is_read(repository: Repository) -> None:
    files = {f"registry/{number}.json": contract(f"c{number}", "1.0.0") for number in range(210)}
    repository.commit({**files, "registry/more.json": contract("c7", "1.0.1")})
    repository.stage({path: contract(f"c{number}", "1.0.1") for number, path in enumerate(files)})
    assert sorted(codes(light(repository))) == ["revision.duplicate", "revision.removed"]


def test_two_paths_that_differ_in_case_alone_are_noticed_once(repository: Repository) -> None:
    repository.commit({"registry/Straße.json": contract("a", "1.0.0")})
    repository.stage({"registry/STRASSE.json": contract("b", "1.0.0"), "registry/b.json": contract("c", "1.0.0")})
    line = "  note: registry/STRASSE.json and registry/Stra\\u00dfe.json are one file where case does not count"
    assert line in light(repository).stdout.decode().splitlines()
    repository.commit({})
    assert line in light(repository, "--from", "HEAD~1").stdout.decode().splitlines()
    repository.stage({"registry/d.json": contract("d", "1.0.0")})
    assert b"case" not in light(repository).stdout


LOADED = """
import sys
before = set(sys.modules)
from protocolarc.hook import main
main([])
print(*sorted(set(sys.modules) - before))
"""
NEVER = {"argparse", "dataclasses", "git", "pathlib", "pydantic", "rich", "tempfile", "tomllib", "typer", "typing"}


@pytest.mark.parametrize(("staged", "unwanted"), [(False, NEVER | {"json", "datetime"}), (True, NEVER)])
def test_what_a_hook_does_not_need_is_not_loaded(repository: Repository, staged: bool, unwanted: set[str]) -> None:
    repository.commit(MANY)
    if staged:
        repository.stage({"registry/other1.json": contract("other1", "1.1.0", "a: string; b: string opt")})
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{LOADED}"],
        cwd=repository.top,
        env=environment(),
        capture_output=True,
        check=True,
    )
    loaded = set(done.stdout.decode().splitlines()[-1].split())
    assert "protocolarc.registry.staged" in loaded
    assert ("protocolarc.engine.judge" in loaded) is staged
    assert not loaded & unwanted
