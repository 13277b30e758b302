"""``bump``: the smallest revision that is enough, and nothing else in the file."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from protocolarc.loader.edit import with_revision
from tests.support.repository import Repository, contract


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with t 1.0.0 in one commit."""
    repository = Repository(tmp_path / "work")
    repository.put("registry/t.json", "a: string")
    repository.commit()
    return repository


def revision(repository: Repository, path: str = "registry/t.json") -> str:
    text: str = json.loads((repository.top / path).read_bytes())["revision"]
    return text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"revision":"1.0.0","name":"t"}', b'{"revision":"1.1.0","name":"t"}'),
        (b'{"x": {"revision": ""}, "revision" :\t"1.0.0"}\r\n', b'{"x": {"revision": ""}, "revision" :\t"1.1.0"}\r\n'),
        (b'{"revision": "1\\u002e0.0+\\u0061"  }', b'{"revision": "1.1.0"  }'),
        (b'{"re\\u0076ision": "1.0.0", "doc": "\\"\xc3\xa9"}', b'{"re\\u0076ision": "1.1.0", "doc": "\\"\xc3\xa9"}'),
    ],
)  # fmt: skip
def test_only_the_revision_changes(data: bytes, expected: bytes) -> None:
    assert with_revision(data, "1.1.0") == expected


@pytest.mark.parametrize(
    ("fields", "written", "needed"),
    [
        ("a: integer", "1.0.0", "2.0.0"),
        ("a: string; b: any opt", "1.0.0", "1.1.0"),
        ("['a']: string", "1.0.0", "1.0.1"),
        ("a: integer", "1.5.0", "2.0.0"),
        ("a: integer", "0.9.0", "2.0.0"),
        ("a: string", "0.9.0", "1.0.0"),
    ],
)
def test_the_smallest_revision_that_is_enough_is_written(
    repository: Repository, fields: str, written: str, needed: str
) -> None:
    repository.put("registry/t.json", fields, written)
    before = (repository.top / "registry/t.json").read_bytes()
    done = repository.run("bump", "t")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.decode("ascii").startswith(f"registry/t.json: t@{written} is {needed} now\n  t: ")
    after = (repository.top / "registry/t.json").read_bytes()
    assert after == before.replace(f'"{written}"'.encode(), f'"{needed}"'.encode())
    assert repository.run("check", "--worktree").exit_code == 0
    assert repository.run("bump", "t").stdout.startswith(f"t@{needed} needs no bump since HEAD".encode())


@pytest.mark.parametrize("layout", [["registry/t.json"] * 2, ["registry/t.json", "registry/2.json"]])
def test_what_was_published_gets_its_number_back(repository: Repository, layout: list[str]) -> None:
    repository.put(layout[1], "a: integer", "2.0.0")
    repository.commit()
    repository.put(layout[1], "a: integer", "1.5.0")
    told = repository.run("check", "--worktree").stdout
    assert (b"2.0.0" in told, b"2.0.1" in told) == (True, False)
    assert repository.run("bump", "t@1.5.0").exit_code == 0
    assert repository.git("status", "--porcelain") == ""


def test_what_needs_none_says_so_and_is_not_touched(repository: Repository) -> None:
    repository.write(
        {"registry/t.json": json.dumps(json.loads((repository.top / "registry/t.json").read_text("utf-8")))}
    )
    before = (repository.top / "registry/t.json").stat()
    done = repository.run("bump", "t")
    assert done.exit_code == 0
    assert done.stdout.decode().endswith(": nothing changed\n")
    repository.put("registry/u.json", "a: any", name="u")
    assert repository.run("bump", "u").stdout.decode().endswith(": its revision carries what changed\n")
    assert (repository.top / "registry/t.json").stat().st_mtime_ns == before.st_mtime_ns


def test_a_spelling_of_its_own_and_the_mode_of_the_file_stay(repository: Repository) -> None:
    path = repository.top / "registry/t.json"
    spelled = (
        '{ "fields":[{"type":["integer"],"name":"a"}],\r\n\t"kind":"mcp","name":"t", "revision"\n:"1.0.0" ,"x-":1.0}'
    )
    repository.write({"registry/t.json": spelled})
    path.chmod(0o640)
    assert repository.run("bump", "t").exit_code == 0
    assert path.read_bytes() == spelled.replace("1.0.0", "2.0.0").encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(path.parent) == ["t.json"]


@pytest.mark.parametrize(("policy", "needed"), [("", "2.0.0"), ("transitive = false\n", "1.3.0")])
def test_what_the_history_had_counts_as_it_does_in_a_gate(repository: Repository, policy: str, needed: str) -> None:
    repository.put("registry/t.json", "a: integer; n: integer opt", "1.1.0")
    repository.commit({"protocolarc.toml": policy})
    repository.put("registry/t.json", "a: integer", "1.2.0")
    repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    repository.put("registry/t.json", "a: integer; n: string opt", "1.2.0")
    assert repository.run("bump", "t").stdout.startswith(f"registry/t.json: t@1.2.0 is {needed} now\n".encode())
    repository.commit()
    assert repository.run("gate").exit_code == 0


def test_a_branch_is_measured_from_what_is_published(repository: Repository, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    repository.git("clone", "-q", f"file://{repository.top}", str(clone))
    work = Repository.at(clone)
    work.put("registry/t.json", "a: string; b: any opt", "1.1.0")
    work.commit()
    work.put("registry/t.json", "a: string; b: any opt; c: any opt", "1.1.0")
    assert work.run("bump", "t").stdout.startswith(b"t@1.1.0 needs no bump since origin/HEAD")
    work.put("registry/t.json", "a: integer; b: any opt", "1.1.0")
    assert work.run("bump", "t").exit_code == 0
    assert revision(work) == "2.0.0"


ON_A_BRANCH = [
    # What a branch without a remote committed, what is on the disk then, and what that needs.
    (("a: integer", "1.0.0"), ("a: integer", "1.0.0"), "2.0.0"),
    (("a: integer", "1.1.0"), ("a: integer", "1.1.0"), "2.0.0"),
    (("a: string; b: any opt", "1.1.0"), ("a: string; b: any opt", "1.1.0"), None),
    (("a: string; b: any opt", "1.1.0"), ("a: string; b: any opt; c: any opt", "1.1.0"), "1.2.0"),
    (("a: integer", "2.0.0"), ("a: boolean", "2.0.0"), "3.0.0"),
]


@pytest.mark.parametrize(("committed", "written", "needed"), ON_A_BRANCH, ids=range(len(ON_A_BRANCH)))
def test_where_nobody_published_it_is_enough_for_the_hook_and_for_the_gate(
    committed: tuple[str, str], written: tuple[str, str], needed: str | None, repository: Repository
) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.put("registry/t.json", *committed)
    repository.commit()
    repository.put("registry/t.json", *written)
    assert repository.run("bump", "t").exit_code == 0
    assert revision(repository) == (needed or written[1])
    assert repository.run("check", "--worktree").exit_code == 0
    repository.commit()
    assert repository.run("gate").exit_code == 0


def test_one_file_per_revision(repository: Repository) -> None:
    repository.put("registry/new.json", "a: integer", "1.0.1")
    assert repository.run("bump", "t").exit_code == 0
    assert (revision(repository), revision(repository, "registry/new.json")) == ("1.0.0", "2.0.0")


def test_a_copy_that_still_has_the_old_revision_is_the_one_that_is_meant(repository: Repository) -> None:
    repository.put("registry/copy.json", "a: string; b: any opt")
    assert repository.run("bump", "t").exit_code == 0
    assert (revision(repository), revision(repository, "registry/copy.json")) == ("1.0.0", "1.1.0")


def test_a_number_that_is_taken_is_passed_over(repository: Repository) -> None:
    repository.put("registry/two.json", "a: integer; z: any opt", "2.0.0")
    repository.commit()
    repository.put("registry/back.json", "a: integer", "1.0.1")
    assert repository.run("bump", "t").exit_code == 0
    assert revision(repository, "registry/back.json") not in ("1.0.1", "1.0.0", "2.0.0")
    assert repository.run("check", "--worktree").exit_code == 0


BACK_PORTS = [
    # What is published, what comes beside it, and the revision that everything names.
    ({"1.0.0": "a: any", "1.1.0": "a: any; b: any opt", "2.0.0": "a: string"}, "1.0.1", "a: any; z: any opt", "1.2.0"),
    ({"1.0.0": "a: string", "1.1.0": "a: string", "2.0.0": "a: boolean"}, "1.1.1", "a: integer", "3.0.0"),
    ({"1.0.0": "a: any", "1.0.5": "a: any; z: any opt", "2.0.0": "a: string"}, "1.0.1", "a: any; z: any opt", "1.0.6"),
    ({"1.0.0": "a: string", "2.0.0-rc.2": "a: integer"}, "2.0.0-rc.2", "a: integer; z: any opt", "2.0.0-rc.3"),
    ({"1.0.0": "a: string", "2.0.0-rc": "a: integer"}, "2.0.0-rc", "a: boolean", "2.0.0-rc.1"),
    ({"1.0.0": "a: string", "1.0.1-rc.1": "['a']: string"}, "1.0.1-rc.1", "a: integer", "2.0.0"),
]  # fmt: skip


@pytest.mark.parametrize(("published", "number", "fields", "needed"), BACK_PORTS, ids=range(len(BACK_PORTS)))
def test_every_report_names_the_revision_that_is_written_and_it_passes(
    published: dict[str, str], number: str, fields: str, needed: str, empty: Repository
) -> None:
    empty.commit({f"registry/{text}.json": contract("t", text, held) for text, held in published.items()})
    empty.git("checkout", "-q", "-b", "topic")
    path = f"registry/{number}.json"
    empty.write({path: contract("t", number, fields)})
    reports = [empty.run("check", "--worktree", "--format", "json")]
    empty.commit()
    reports.append(empty.run("gate", "--format", "json"))
    for report in reports:
        (item,) = json.loads(report.stdout)["judgements"]
        assert (item["code"], item["smallest"], item["diff"]["bump"]["smallest"]) == ("bump.missing", needed, needed)
        assert f" needs {needed}" in item["message"]
    assert empty.run("bump", "t").stdout.startswith(f"{path}: t@{number} is {needed} now\n".encode())
    empty.commit()
    done = empty.run("gate", "--format", "json")
    assert [item for item in json.loads(done.stdout)["judgements"] if item["level"] == "error"] == []


def test_a_number_that_the_history_used_is_passed_over(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string; b: any opt", "1.1.0")
    repository.commit()
    (repository.top / "registry/t.json").unlink()
    repository.commit()
    repository.put("registry/t.json", "a: string; c: any opt", "1.1.0")
    assert repository.run("bump", "t").exit_code == 0
    assert revision(repository) == "1.1.1"


def test_several_files_that_need_one_are_told_apart_by_their_revision(repository: Repository) -> None:
    repository.put("registry/one.json", "a: integer", "1.0.1")
    repository.put("registry/two.json", "a: boolean", "1.0.2")
    done = repository.run("bump", "t")
    assert done[::2] == (
        3,
        "error: t: several files need another revision (1.0.1 in registry/one.json, 1.0.2 in registry/two.json); "
        "name one as t@REVISION\n",
    )
    assert repository.run("bump", "t@1.0.1").exit_code == 0
    assert (revision(repository, "registry/one.json"), revision(repository, "registry/two.json")) == ("2.0.0", "1.0.2")


@pytest.mark.parametrize(
    ("name", "below"), [("two.json", "registry"), ("registry/two.json", "."), ("../two.json", "a")]
)
def test_a_path_names_the_file_that_is_edited(name: str, below: str, repository: Repository) -> None:
    """From the current directory, also where a contract has that name."""
    two = "two.json" if below == "a" else "registry/two.json"
    repository.write({"protocolarc.toml": 'paths = ["registry", "two.json"]\n', "a/x": ""})
    repository.put("registry/one.json", "a: integer", "1.0.1")
    repository.put(two, "a: boolean", "1.0.2")
    done = repository.run("bump", name, below=below)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{two}: t@1.0.2 is 2.0.0 now\n".encode())
    assert revision(repository, "registry/one.json") == "1.0.1"


@pytest.mark.parametrize("path", ["other/t.json", "registry/t.txt", "registry/ignored.json", "../t.json"])
def test_a_file_that_is_no_contract_of_the_registry(path: str, repository: Repository) -> None:
    repository.write({path: contract("t", "1.0.1"), ".gitignore": "ignored.json\n"})
    assert repository.run("bump", path) == (3, b"", f"error: {path} is no contract that git lists below registry\n")


def test_a_file_that_is_no_contract_is_told_as_everywhere(repository: Repository) -> None:
    repository.write({"registry/bad.json": "{"})
    told = "[ERROR] bad.json json.syntax at byte 1: not JSON as RFC 8259 defines it\n"
    assert repository.run("bump", "registry/bad.json") == (3, b"", told)


def test_a_published_revision_beside_a_newer_one_is_not_renumbered(repository: Repository) -> None:
    repository.put("registry/two.json", "a: integer", "2.0.0")
    repository.commit()
    repository.put("registry/t.json", "a: boolean")
    done = repository.run("bump", "t")
    assert (done.exit_code, revision(repository)) == (3, "1.0.0")
    assert "1.0.0 changed beside 2.0.0" in done.stderr


def test_the_policy_counts(repository: Repository) -> None:
    repository.write({"protocolarc.toml": 'paths = ["contracts"]\nzero = "strict"\n'})
    repository.put("contracts/a b/\u00e9.json", "a: any", "0.1.0", name="x/y.z")
    repository.commit()
    repository.put("contracts/a b/\u00e9.json", "a: string", "0.1.0", name="x/y.z")
    done = repository.run("bump", "x/y.z")
    assert done.stdout.startswith(b"contracts/a b/\\u00e9.json: x/y.z@0.1.0 is 1.0.0 now\n")
    assert revision(repository, "contracts/a b/\u00e9.json") == "1.0.0"


def test_what_cannot_be_bumped(repository: Repository) -> None:
    assert repository.run("bump", "tt") == (
        3,
        b"",
        "error: there is no contract 'tt' in the work tree's registry; it holds t\n",
    )
    assert repository.run("bump", "t@3.0.0")[::2] == (3, "error: there is no revision 3.0.0 of t; it has 1.0.0\n")
    repository.write({"protocolarc.toml": "path = 1\n"})
    assert repository.run("bump", "t")[::2] == (
        3,
        "error: protocolarc.toml: unknown key 'path', did you mean 'paths'?\n",
    )
    assert repository.run("bump", "t", below="..").exit_code == 3


def test_a_revision_that_would_be_too_long_is_named_and_not_written(empty: Repository) -> None:
    last = f"{'9' * 252}.0.0"
    empty.put("registry/t.json", "a: string", last)
    empty.commit()
    empty.put("registry/t.json", "a: integer", last)
    done = empty.run("check", "--worktree")
    assert (done.exit_code, done.stderr) == (2, "")
    assert f" needs 1{'0' * 252}.0.0 (registry/t.json)\n" in done.stdout.decode()
    done = empty.run("bump", "t")
    assert (done.exit_code, done.stdout, revision(empty)) == (3, b"", last)
    assert done.stderr.startswith("error: t: no revision was found that is enough; t: ")


def test_before_the_first_commit_any_revision_will_do(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "work")
    repository.put("registry/t.json", "a: string")
    assert repository.run("bump", "t") == (
        0,
        b"t@1.0.0 needs no bump since no commit: its revision carries what changed\n",
        "",
    )


@pytest.mark.parametrize("broken", ["{", "", "version https://git-lfs.github.com/spec/v1\n", '{"name": "t"}'])
def test_a_file_that_was_broken_in_between_needs_no_bump(repository: Repository, broken: str) -> None:
    held = (repository.top / "registry/t.json").read_bytes()
    repository.commit({"registry/t.json": broken})
    repository.write({"registry/t.json": held})
    assert repository.run("bump", "t").stdout.endswith(b": its revision carries what changed\n")
