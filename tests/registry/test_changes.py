"""``check`` reads what differs, and what may be of the same names: nothing that it leaves out may matter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from protocolarc.registry import labels, worktree
from protocolarc.registry.labels import Label, label_of
from tests.support.cli import ROOT, Done
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
Check = Callable[[Repository, Files], Done]
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


def staged(repository: Repository, files: Files) -> Done:
    """What the hook says of files."""
    repository.stage(files)
    return light(repository, "--format", "json")


def on_disk(repository: Repository, files: Files) -> Done:
    """What is said of files that are not staged."""
    repository.write(files)
    return light(repository, "--format", "json", "--worktree")


def committed(repository: Repository, files: Files) -> Done:
    """What is said of all commits since the first ones."""
    repository.commit(files)
    return light(repository, "--format", "json", "--from", "base")


def by_gate(repository: Repository, files: Files) -> Done:
    """What a gate says of them, which reads everything."""
    repository.commit(files)
    return repository.run("gate", "--from", "base", "--format", "json")


CHECKS = {"staged": staged, "on disk": on_disk, "committed": committed, "by gate": by_gate}
READS_EVERYTHING: Files = {"protocolarc.toml": b'required-version = ">=0"\n'}
"""A policy that is new, and asks for nothing else."""


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_found_beside_contracts_that_have_nothing_to_do_with_it(
    repository: Repository, check: Check, case: tuple[Files, Files, int, list[str]]
) -> None:
    before, files, exit_code, found = case
    repository.commit({**MANY, **before})
    repository.git("tag", "base")
    done = check(repository, files)
    report = json.loads(done.stdout)
    assert (done.exit_code, sorted(item["code"] for item in report["judgements"])) == (exit_code, sorted(found))
    everything = check(repository, READS_EVERYTHING)
    judged = [item for item in json.loads(everything.stdout)["judgements"] if item["code"] != "policy.changed"]
    assert (everything.exit_code, judged) == (exit_code, report["judgements"])
    assert json.loads(everything.stdout)["contracts"] == report["contracts"]


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
DEEP = contract("m", "1.0.0").replace(b'"string"', b'"text"')
UNTOUCHED: dict[str, tuple[Files, int, set[str]]] = {
    "a pointer of Git LFS": ({"registry/m.json": LFS}, 3, {"on disk", "committed", "by gate"}),
    "JSON that is no contract": ({"registry/m.json": b'{"name": "m"}'}, 3, {"on disk", "committed", "by gate"}),
    "a name that is none": ({"registry/m.json": contract("m m", "1.0.0")}, 3, {"on disk", "committed", "by gate"}),
    "a name of empty parts": ({"registry/m.json": contract("m..m", "1.0.0")}, 3, {"on disk", "committed", "by gate"}),
    "too long a name": (
        {"registry/m.json": contract("m" * 201, "1.0.0")},
        3,
        {"on disk", "committed", "by gate"},
    ),
    "a revision that is none": ({"registry/m.json": contract("m", "1.0")}, 3, {"on disk", "committed", "by gate"}),
    "half a contract": ({"registry/m.json": contract("m", "1.0.0")[:-1]}, 3, {"on disk", "committed", "by gate"}),
    "a fault further inside": ({"registry/m.json": DEEP}, 3, {"by gate"}),
    "one revision twice": (
        {"registry/m.json": contract("m", "1.0.0"), "registry/n.json": contract("m", "1.0.0+build")},
        1,
        {"on disk", "committed", "by gate"},
    ),
    "one revision twice, spelled otherwise": (
        {"registry/m.json": contract("m", "1.0.0"), "registry/n.json": HIDDEN["plain"].replace(b"t.a/b", b"\\u006d")},
        1,
        {"on disk", "committed", "by gate"},
    ),
}
"""Files that nobody touches, what is wrong with them, and who says so: whoever cannot afford to look does not."""


@pytest.mark.parametrize(("who", "check"), CHECKS.items(), ids=CHECKS)
@pytest.mark.parametrize("case", UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_is_said_of_files_that_nobody_touched(
    repository: Repository, who: str, check: Check, case: tuple[Files, int, set[str]]
) -> None:
    before, exit_code, told_by = case
    repository.commit({**MANY, **before})
    repository.git("tag", "base")
    done = check(repository, {"registry/new.json": contract("new", "1.0.0")})
    assert done.exit_code == (exit_code if who in told_by else 0)


def test_what_stands_at_many_paths_is_looked_at_once(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({**{f"registry/{number}.json": b'{"no": "contract"}' for number in range(20)}, **MANY})
    repository.commit({"registry/new.json": contract("new", "1.0.0")})
    seen: list[bytes] = []
    for module in (labels, worktree):
        monkeypatch.setattr(module, "label_of", seen.append)
    for words in (("--from", "HEAD~1"), ("--worktree",)):
        seen.clear()
        assert repository.run("check", *words).exit_code == 3
        assert sorted(seen) == sorted(set(seen))


LABELS = [
    (contract("a.b/c", "1.2.3-rc.1+x"), ("a.b/c", "1.2.3-rc.1")),
    (b' {"revision" :\t"1.0.0",\n"doc": "", "name": "a", "fields": [', None),
    (
        b' {"revision" :\t"1.0.0",\n"doc": "", "name": "a", "fields": "what stands here is not looked at"}\r\n',
        ("a", "1.0.0"),
    ),
    (b'{"name": "a", "name": "a", "revision": "1.0.0", "fields": []}', None),
    (b'{"name": "a", "revision": "1.0.0"}', None),
    (b'{"strict": true, ' + contract("a", "1.0.0")[1:], ("a", "1.0.0")),
    (contract("a", "1.0.0").replace(b'"a"', b'"\\u0061"', 1), ("a", "1.0.0")),
    (b"\xef\xbb\xbf" + contract("a", "1.0.0"), None),
    (b"", None),
    (b"[]", None),
]


@pytest.mark.parametrize(("data", "expected"), LABELS, ids=range(len(LABELS)))
def test_a_glance_tells_what_a_document_is(data: bytes, expected: tuple[str, str] | None) -> None:
    assert label_of(data) == (None if expected is None else Label(*expected))


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


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@pytest.mark.parametrize(("mode", "code"), [("120000", "contract.symlink"), ("160000", "contract.submodule")])
def test_what_needs_no_reading_is_named_also_when_it_did_not_change(
    repository: Repository, check: Check, mode: str, code: str
) -> None:
    repository.commit(MANY)
    place = repository.top / "registry" / "other.json"
    if mode == "160000":
        Repository(place).commit()
    else:
        place.symlink_to("other0.json")
    repository.commit()
    assert repository.git("ls-files", "-s", "registry/other.json").startswith(mode)
    repository.git("tag", "base")
    done = check(repository, {"registry/new.json": contract("new", "1.0.0")})
    assert (done.exit_code, f"registry/other.json {code}" in done.stderr) == (3, True)


def test_a_name_is_no_part_of_a_word(repository: Repository) -> None:
    repository.commit({**MANY, "registry/bad.json": b'{"kind": "mcp", "doc": "in it"}'})
    repository.stage({"registry/new.json": contract("i", "1.0.0"), "registry/more.json": contract("n", "1.0.0")})
    assert light(repository).exit_code == 0


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
