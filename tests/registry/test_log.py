"""``log``: revision chains through real histories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "work")


def steps(repository: Repository, name: str = "t", *words: str) -> list[tuple[Any, ...]]:
    report = json.loads(repository.run("log", name, "--format", "json", *words).stdout)
    ((chain,)) = [contract for contract in report["contracts"] if contract["name"] == name]
    return [(step["revision"], step["event"], step["verdict"], step["carried"]) for step in chain["steps"]]


def test_a_contract_that_evolves_in_one_file(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    first = repository.commit()
    repository.put("registry/t.json", "a: string; b: any opt", "1.1.0")
    second = repository.commit()
    repository.put("registry/t.json", "a: integer; b: any opt", "1.2.0")
    last = repository.commit(author="Gr\u00e4ce | *b*\x1b[31m")
    done = repository.run("log")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.decode("ascii").splitlines() == [
        "t",
        "  revision  commit        date        author                      verdict   carried",
        f"  1.2.0     {last[:12]}  2026-01-03  Gr\\u00e4ce | *b*\\u001b[31m  breaking  no, needs 2.0.0",
        f"  1.1.0     {second[:12]}  2026-01-02  Ada                         forward   yes",
        f"  1.0.0     {first[:12]}  2026-01-01  Ada                         first     -",
    ]
    markdown = repository.run("log", "t", "--format", "markdown").stdout.decode("ascii")
    assert f"| 1.2.0 | {last[:12]} | 2026-01-03 | `Gr\\u00e4ce \\| *b*\\u001b[31m` |" in markdown


def test_a_terminal_shows_verdicts_in_colour(repository: Repository, tmp_path: Path) -> None:
    repository.put("registry/t.json", "a: string")
    repository.commit()
    repository.put("registry/t.json", "a: integer", "1.1.0")
    repository.commit(author="[bold]\u00e9")
    wide = {"COLUMNS": "150", "FORCE_COLOR": "1"}
    done = repository.run("log", environ=wide)
    assert b"\x1b[1;31mbreaking" in done.stdout
    assert b"\x1b[1;31mno, needs 2.0.0" in done.stdout
    assert b" [bold]\\u00e9 " in done.stdout
    assert b"\x1b" not in repository.run("log", "--format", "markdown", environ=wide).stdout
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.top}", str(tmp_path / "clone"))
    assert b"this clone is shallow" in Repository.at(tmp_path / "clone").run("log", "--color", "always").stdout


def test_one_file_per_revision_and_a_back_port(repository: Repository) -> None:
    for fields, revision in (("a: string", "1.0.0"), ("a: string; b: any opt", "1.1.0"), ("a: integer", "2.0.0")):
        repository.put(f"registry/t/{revision}.json", fields, revision)
        repository.commit()
    repository.put("registry/t/1.1.1.json", "a: string; b: any opt; c: any", "1.1.1")
    repository.commit()
    repository.git("rm", "-q", "registry/t/1.0.0.json")
    repository.commit()
    assert steps(repository) == [
        ("1.0.0", "first", None, None),
        ("1.1.0", "revision", "forward", True),
        ("2.0.0", "revision", "breaking", True),
        ("1.1.1", "revision", "breaking", False),
        ("1.0.0", "removed", None, None),
    ]


def test_both_layouts_in_one_registry_and_names_with_slashes(repository: Repository) -> None:
    repository.put("registry/a b/\u00e9.json", "a: any", name="x/y.z")
    repository.put("registry/t/1.0.0.json", "a: any")
    repository.commit()
    repository.put("registry/a b/\u00e9.json", "a: any; b: any opt", "1.1.0", name="x/y.z")
    repository.put("registry/t/1.0.1.json", "a: string", "1.0.1")
    repository.commit()
    assert steps(repository, "x/y.z")[-1] == ("1.1.0", "revision", "forward", True)
    assert steps(repository)[-1] == ("1.0.1", "revision", "breaking", False)


def test_what_is_edited_without_a_new_revision_and_what_goes_back(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.commit()
    repository.put("registry/t.json", "a: integer")
    repository.commit()
    repository.put("registry/t.json", "a: integer", "2.0.0")
    repository.commit()
    repository.put("registry/t.json", "a: integer")
    repository.commit()
    assert steps(repository) == [
        ("1.0.0", "first", None, None),
        ("1.0.0", "edited", "breaking", False),
        ("2.0.0", "revision", "compatible", True),
        ("1.0.0", "revision", None, False),
    ]
    assert "  lowest            no, lower than 2.0.0" in repository.run("log").stdout.decode()


def test_what_follows_a_pre_release_in_its_file_is_compared_with_the_stable_revision_before(
    repository: Repository,
) -> None:
    for fields, revision in (
        ("a: string", "1.0.0"),
        ("a: string; b: any opt", "1.1.0-rc.1"),
        ("a: string; b: any opt; c: any opt", "1.1.0-rc.2"),
        ("a: integer", "1.1.0"),
        ("a: boolean", "2.0.0-rc.1"),
        ("a: boolean; b: any opt", "2.0.0"),
    ):
        repository.put("registry/t.json", fields, revision)
        repository.commit()
    assert steps(repository) == [
        ("1.0.0", "first", None, None),
        ("1.1.0-rc.1", "revision", "forward", True),
        ("1.1.0-rc.2", "revision", "forward", True),
        ("1.1.0", "revision", "breaking", False),
        ("2.0.0-rc.1", "revision", "breaking", True),
        ("2.0.0", "revision", "breaking", True),
    ]


def test_blanks_order_and_moves_are_no_steps(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.commit()
    repository.write(
        {"registry/t.json": json.dumps(json.loads((repository.top / "registry/t.json").read_text("utf-8")))}
    )
    repository.commit()
    (repository.top / "registry/deep/er").mkdir(parents=True)
    repository.git("mv", "registry/t.json", "registry/deep/er/other.json")
    repository.commit()
    assert steps(repository) == [("1.0.0", "first", None, None)]
    repository.put("registry/deep/er/other.json", "a: string; b: any opt", "1.1.0")
    repository.git("mv", "registry/deep/er/other.json", "registry/t.json")
    repository.commit()
    assert steps(repository)[1:] == [("1.1.0", "revision", "forward", True)]


def test_a_contract_that_went_and_came_back(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.commit()
    (repository.top / "registry/t.json").unlink()
    repository.commit()
    repository.put("registry/t.json", "a: string")
    repository.commit()
    assert [step[:2] for step in steps(repository)] == [("1.0.0", "first"), ("1.0.0", "removed"), ("1.0.0", "first")]


def test_a_merge_is_one_step_and_full_follows_the_branch(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.put("registry/u.json", "a: string", name="u")
    repository.commit()
    repository.git("checkout", "-q", "-b", "side")
    repository.put("registry/t.json", "a: string; b: any opt", "1.1.0")
    repository.commit()
    repository.put("registry/t.json", "a: string; b: any opt; c: any opt", "1.2.0")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.put("registry/u.json", "a: integer", "2.0.0", name="u")
    repository.commit()
    merge = repository.merge("side")
    report = json.loads(repository.run("log", "t", "--format", "json").stdout)
    assert [step["commit"] for step in report["contracts"][0]["steps"]][-1] == merge
    assert [step[0] for step in steps(repository)] == ["1.0.0", "1.2.0"]
    assert [step[0] for step in steps(repository, "t", "--full")] == ["1.0.0", "1.1.0", "1.2.0"]
    assert [step[0] for step in steps(repository, "u", "--full")] == ["1.0.0", "2.0.0"]


def test_a_merge_that_makes_something_of_its_own_is_a_step_with_full(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.commit()
    repository.git("checkout", "-q", "-b", "side")
    repository.put("registry/t.json", "a: string; b: any opt", "1.1.0")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.put("registry/t.json", "a: string; c: any opt", "1.1.0")
    repository.commit()
    repository.git("merge", "-q", "--no-commit", "-s", "ours", "side")
    repository.put("registry/t.json", "a: string; b: any opt; c: any opt", "1.2.0")
    repository.commit()
    assert [step[0] for step in steps(repository, "t", "--full")] == ["1.0.0", "1.1.0", "1.1.0", "1.2.0"]


def test_a_rebase_keeps_the_chain(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.commit()
    repository.git("checkout", "-q", "-b", "side")
    repository.put("registry/t.json", "a: string; b: any opt", "1.1.0")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write({"notes.txt": "x"})
    repository.commit()
    repository.git("checkout", "-q", "side")
    repository.git("rebase", "-q", "main")
    assert [step[0] for step in steps(repository)] == ["1.0.0", "1.1.0"]


def test_what_is_no_contract_is_passed_over(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.write({"registry/broken.json": "{"})
    (repository.top / "registry/link.json").symlink_to("t.json")
    repository.commit()
    repository.write({"registry/t.json": "{"})
    repository.commit()
    repository.put("registry/t.json", "a: string", "1.0.1")
    repository.commit()
    assert [step[:2] for step in steps(repository)] == [("1.0.0", "first"), ("1.0.0", "removed"), ("1.0.1", "first")]


def test_a_name_that_is_spelled_with_escapes_is_found(repository: Repository) -> None:
    for number, spelled in enumerate((r"x\/y", r"\u0078/y", "x/y")):
        text = f'{{"name": "{spelled}", "revision": "1.0.{number}", "kind": "mcp", "fields": []}}'
        repository.write({"registry/t.json": text})
        repository.commit()
    assert [step[0] for step in steps(repository, "x/y")] == ["1.0.0", "1.0.1", "1.0.2"]
    assert repository.run("show", "x/y@1.0.0").exit_code == 0


def test_the_number_of_processes_does_not_grow(repository: Repository, tmp_path: Path) -> None:
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    real = repository.git("--exec-path") + "/git"
    fake.write_text(f'#!/bin/sh\necho x >> "{tmp_path}/count"\nexec "{real}" "$@"\n', encoding="utf-8")
    fake.chmod(0o755)
    counts = []
    for number in range(2):
        for step in range(4):
            repository.put(f"registry/{number}{step}.json", "a: string", f"1.{number}.{step}")
            repository.commit()
        (tmp_path / "count").write_text("", encoding="utf-8")
        repository.run("log", "--full", environ={"PATH": f"{fake.parent}:/usr/bin:/bin"})
        counts.append(len((tmp_path / "count").read_text(encoding="utf-8").splitlines()))
    assert counts[0] == counts[1] <= 4


def test_a_long_history_that_breaks_off_says_where(repository: Repository) -> None:
    many = "".join(
        f"commit refs/heads/main\ncommitter A <a@example.com> {1767000000 + number} +0000\ndata 1\nx"
        f"\nM 100644 inline x\ndata <<E\n{number}\nE\n\n"
        for number in range(2500)
    )
    repository.git("fast-import", "--quiet", stdin=many.encode())
    repository.git("reset", "-q", "--hard")
    repository.put("registry/t.json", "a: string")
    repository.commit()
    lost = repository.git("rev-parse", "HEAD:registry")
    (repository.top / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    for words in (("log",), ("log", "--full")):
        said = repository.run(*words).stderr
        assert said == f"error: git diff-tree: unable to read tree {lost}\nhint: git fsck\n"


def test_a_shallow_history_says_where_it_ends(repository: Repository, tmp_path: Path) -> None:
    for revision in ("1.0.0", "1.0.1"):
        repository.put("registry/t.json", "a: string", revision)
        repository.commit()
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.top}", str(clone))
    shallow = Repository.at(clone)
    done = shallow.run("log")
    assert done.stdout.decode().endswith("\n\nthe history ends here: this clone is shallow (git fetch --unshallow)\n")
    assert json.loads(shallow.run("log", "--format", "json").stdout)["shallow"] is True


def test_there_may_be_nothing_to_tell(repository: Repository) -> None:
    assert repository.run("log")[::2] == (3, "error: there are no commits yet\n")
    repository.commit()
    assert repository.run("log") == (0, b"", "the history holds no contract below registry\n")
    repository.put("registry/t.json", "")
    repository.put("registry/tool.json", "", name="tool.call")
    repository.commit()
    assert repository.run("log", "tool.cal")[::2] == (
        3,
        "error: there is no contract 'tool.cal' in the history of the registry; it holds tool.call, t\n",
    )
    assert repository.run("log", below="..")[::2] == (
        3,
        "error: the current directory is in no git repository\nhint: git init\n",
    )


EMPTY = {"nothing": {"README.md": "words"}, "no contract": {"registry/t.json": "{", "registry/notes.txt": "words"}}


@pytest.mark.parametrize("files", EMPTY.values(), ids=EMPTY)
def test_a_history_without_a_contract_says_so(repository: Repository, files: dict[str, str]) -> None:
    repository.commit(files)
    told = "the history holds no contract below registry\n"
    for words in ((), ("--full",), ("--format", "markdown"), ("--color", "always")):
        assert repository.run("log", *words) == (0, b"", told)
    repository.commit({"protocolarc.toml": 'paths = ["caf\u00e9", "b"]'})
    assert repository.run("log") == (0, b"", "the history holds no contract below caf\\u00e9 b\n")
    done = repository.run("log", "--format", "json")
    assert (done.exit_code, json.loads(done.stdout)["contracts"], done.stderr) == (0, [], "")
