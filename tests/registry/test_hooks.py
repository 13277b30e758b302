"""The hook through plain git: every way to make a commit, in every kind of place."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.support.cli import ROOT
from tests.support.inprocess import protocolarc
from tests.support.repository import Repository, contract

INTEGER, MORE = "a: integer", "a: string; b: string opt"
GOOD, BAD, BIG = contract("m", "1.1.0", MORE), contract("m", "1.0.0", INTEGER), contract("m", "2.0.0", INTEGER)


def commit(repository: Repository, *words: str) -> bool:
    """Commit with the hook; tell whether the commit was made."""
    before = repository.git("rev-parse", "-q", "--verify", "HEAD", check=False)
    repository.git("commit", "-q", "-m", "step", *words, check=False)
    return repository.git("rev-parse", "-q", "--verify", "HEAD", check=False) != before


def test_a_plain_commit(repository: Repository) -> None:
    repository.install_hook()
    repository.stage({"registry/m.json": BAD})
    assert not commit(repository)
    assert repository.hook_log()[-1] == "exit 2"
    repository.stage({"registry/m.json": GOOD})
    assert commit(repository)
    assert repository.hook_log()[-1] == "exit 0"


def test_a_commit_of_everything(repository: Repository) -> None:
    repository.install_hook()
    repository.write({"registry/m.json": BAD})
    assert not commit(repository, "-a")
    assert "bump.missing" in " ".join(repository.hook_log())
    repository.write({"registry/m.json": BIG})
    assert commit(repository, "-a")


def test_a_commit_by_path_takes_what_it_names_and_nothing_else(repository: Repository) -> None:
    repository.commit({"registry/n.json": contract("n", "1.0.0")})
    repository.install_hook()
    repository.stage({"registry/m.json": BAD})
    repository.write({"registry/n.json": contract("n", "1.1.0", MORE)})
    assert commit(repository, "registry/n.json")
    assert repository.hook_log()[-1] == "exit 0"
    repository.write({"registry/n.json": contract("n", "1.1.0", INTEGER), "registry/m.json": BIG})
    repository.git("add", "registry/m.json")
    assert not commit(repository, "registry/n.json")
    assert repository.hook_log()[1].split()[:3] == ["ERROR", "bump.missing", "n:"]


def test_a_commit_that_only_deletes(repository: Repository) -> None:
    repository.install_hook()
    repository.git("rm", "-q", "registry/m.json")
    assert not commit(repository)
    assert repository.hook_log()[1].split()[1] == "contract.removed"


def test_an_amended_commit(repository: Repository) -> None:
    repository.commit({"registry/m.json": GOOD})
    repository.install_hook()
    repository.stage({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    assert not commit(repository, "--amend")


def test_the_first_commit(empty: Repository) -> None:
    empty.install_hook()
    empty.stage({"registry/m.json": GOOD})
    assert commit(empty)
    assert empty.hook_log() == [
        "checked 1 contract: index against no commit",
        "  (nothing to report)",
        "exit 0",
    ]


def test_a_commit_from_a_folder_below(repository: Repository) -> None:
    repository.install_hook()
    repository.stage({"registry/m.json": BAD})
    below = Repository(repository.top / "registry", "none")
    assert not commit(below)
    assert repository.hook_log()[-1] == "exit 2"


def manifest() -> list[dict[str, str]]:
    """The hooks that runners are offered: the keys of each, as they are written."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="ascii")
    blocks = [block.replace("- id:", "  id:", 1) for block in re.split(r"^(?=- id:)", text, flags=re.MULTILINE)[1:]]
    return [dict(line.strip().split(": ", 1) for line in block.splitlines()) for block in blocks]


def test_the_manifest_offers_the_light_entry() -> None:
    check, files = manifest()
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts["protocolarc-check"] == "protocolarc.hook:main"
    assert check == {
        "id": "protocolarc-check",
        "name": "protocolarc check",
        "description": "Judge what a commit changes in the contracts of the repository.",
        "entry": "protocolarc-check",
        "language": "python",
        "pass_filenames": "false",
        "always_run": "true",
        "require_serial": "true",
        "stages": "[pre-commit, pre-merge-commit, pre-push, manual]",
        "minimum_pre_commit_version": "'3.2.0'",
    }
    assert files["entry"] == "protocolarc-check --files"


def test_the_second_hook_looks_at_each_file_for_itself(repository: Repository) -> None:
    repository.write({"registry/bad.json": b"{", "registry/n.json": BAD})
    assert repository.run("--files", "registry/m.json", "registry/n.json") == (0, b"", "")
    done = repository.run("--files", "registry/bad.json", "registry/m.json", "registry/gone.json")
    assert done == (
        3,
        b"",
        "[ERROR] registry/bad.json json.syntax at byte 1: not JSON as RFC 8259 defines it\n"
        "[ERROR] registry/gone.json input.unreadable: No such file or directory\n",
    )
    assert repository.run("--files").exit_code == 0


def diverge(repository: Repository, ours: dict[str, bytes | None], theirs: dict[str, bytes | None]) -> None:
    """Let ``main`` and ``topic`` go apart; ``main`` is checked out."""
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit(theirs)
    repository.git("checkout", "-q", "main")
    repository.commit(ours)


def test_a_clean_merge_takes_what_the_other_side_had(repository: Repository) -> None:
    diverge(repository, {"registry/k.json": contract("k", "1.0.0")}, {"registry/m.json": BIG})
    repository.install_hook("pre-commit", "pre-merge-commit")
    repository.git("merge", "-q", "-m", "merge", "topic")
    assert repository.hook_log()[-2:] == ["  (nothing to report)", "exit 0"]
    assert len(repository.git("rev-parse", "HEAD^@").split()) == 2


def test_a_clean_merge_that_makes_a_revision_twice(repository: Repository) -> None:
    diverge(
        repository, {"registry/m2.json": GOOD}, {"registry/m3.json": contract("m", "1.1.0", "a: string; c: any opt")}
    )
    repository.install_hook("pre-merge-commit")
    repository.git("merge", "-q", "-m", "merge", "topic", check=False)
    assert repository.hook_log()[1].split()[1] == "revision.duplicate"


def test_a_merge_that_loses_a_revision(repository: Repository) -> None:
    diverge(repository, {"x": b"1"}, {"registry/m.json": GOOD})
    repository.install_hook("pre-merge-commit")
    repository.git("merge", "-q", "-s", "ours", "-m", "merge", "topic", check=False)
    assert repository.hook_log()[1].split()[1] == "revision.lost-in-merge"


def test_a_merge_with_a_conflict_is_judged_by_its_result(repository: Repository) -> None:
    both = "a: string; b: string opt; c: string opt"
    diverge(
        repository, {"registry/m.json": GOOD}, {"registry/m.json": contract("m", "1.1.0", "a: string; c: string opt")}
    )
    repository.install_hook()
    repository.git("merge", "-q", "-m", "merge", "topic", check=False)
    assert protocolarc(repository, "check").stderr.startswith("[ERROR] registry/m.json contract.unmerged: in conflict")
    repository.stage({"registry/m.json": contract("m", "1.1.0", both)})
    assert not commit(repository)
    assert repository.hook_log()[1].split()[1] == "bump.missing"
    repository.stage({"registry/m.json": contract("m", "1.2.0", both)})
    assert commit(repository)


def test_a_name_that_the_other_side_retired(repository: Repository) -> None:
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    diverge(repository, {"x": b"1"}, {"registry/k.json": None})
    repository.install_hook("pre-merge-commit")
    repository.git("merge", "-q", "-m", "merge", "topic")
    assert repository.hook_log()[-1] == "exit 0"


def test_a_linked_worktree(repository: Repository, tmp_path: Path) -> None:
    repository.install_hook()
    repository.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repository(tmp_path / "linked", "none")
    linked.stage({"registry/m.json": BAD})
    assert not commit(linked)
    assert repository.hook_log()[-1] == "exit 2"
    linked.stage({"registry/m.json": BIG})
    assert commit(linked)


def test_a_submodule_has_its_own_registry(repository: Repository, tmp_path: Path) -> None:
    outer = Repository(tmp_path / "outer")
    local = {"GIT_ALLOW_PROTOCOL": "file"}
    outer.git("submodule", "--quiet", "add", str(repository.top), "registry/inner", environ=local)
    assert protocolarc(outer, "check").stderr == (
        "[ERROR] registry/inner contract.submodule: a submodule; run the check inside it\n"
    )
    inner = Repository(outer.top / "registry" / "inner", "none")
    inner.install_hook()
    inner.stage({"registry/m.json": BAD})
    assert not commit(inner)


def test_a_separate_git_directory(repository: Repository) -> None:
    repository.install_hook()
    repository.stage({"registry/m.json": BAD})
    where = ("--git-dir", str(repository.top / ".git"), "--work-tree", str(repository.top))
    repository.git(*where, "commit", "-q", "-m", "step", check=False)
    assert repository.hook_log()[-1] == "exit 2"


@pytest.mark.parametrize("files", [{"registry/m.json": BAD}, {"registry/m.json": GOOD}, {"x": b"1"}], ids=[2, 0, "-"])
def test_nothing_is_written(repository: Repository, files: dict[str, bytes | None]) -> None:
    repository.stage(files)
    repository.write({"registry/m.json": b"on the disk"})

    def everything() -> dict[str, tuple[bytes, int]]:
        found = sorted(path for path in repository.top.rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}

    before = everything()
    for words in ((), ("--worktree",), ("--from", "HEAD")):
        repository.run(*words)
    assert everything() == before


def processes(repository: Repository, tmp_path: Path, *words: str) -> int:
    """Count the git processes that a check starts, children of git among them."""
    trace = tmp_path / "trace"
    trace.unlink(missing_ok=True)
    repository.run(*words, environ={"GIT_TRACE2_EVENT": str(trace)})
    events = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    return sum(event["event"] == "start" for event in events)


def test_the_number_of_processes_does_not_depend_on_the_number_of_contracts(
    repository: Repository, tmp_path: Path
) -> None:
    counts = set()
    for number in (1, 10, 100):
        repository.commit({f"registry/c{index}.json": contract(f"c{index}", "1.0.0") for index in range(number)})
        repository.stage({f"registry/c{index}.json": contract(f"c{index}", "1.1.0", MORE) for index in range(number)})
        counts.add((processes(repository, tmp_path), processes(repository, tmp_path, "--from", "HEAD~1")))
    assert counts == {(4, 5)}
    repository.git("reset", "-q", "--hard")
    repository.stage({"x": b"1"})
    assert processes(repository, tmp_path) == 3
