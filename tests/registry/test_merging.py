"""While a merge is being made, the hook, ``check --worktree`` and ``bump`` measure from the same commits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.repository import Repository, codes, contract

BASE = {"registry/m.json": contract("m", "1.0.0")}
OURS, THEIRS = "a: string; b: any opt", "a: string; c: any opt"


class Merge(NamedTuple):
    """What the branch and main committed since, what the merge has at last, and what is said of it."""

    ours: Mapping[str, bytes]
    theirs: Mapping[str, bytes]
    result: Mapping[str, bytes]
    expected: list[str]
    bumped: str | None


def one(path: str, revision: str, fields: str) -> dict[str, bytes]:
    return {path: contract("m", revision, fields)}


MERGES = {
    "the same number on both sides": Merge(
        one("registry/m.json", "1.1.0", OURS),
        one("registry/m.json", "1.1.0", THEIRS),
        one("registry/m.json", "1.1.0", "a: string; b: any opt; c: any opt"),
        ["bump.missing"],
        "registry/m.json: m@1.1.0 is 1.2.0 now",
    ),
    "the same number in a file of each": Merge(
        one("registry/ours.json", "1.1.0", OURS),
        one("registry/theirs.json", "1.1.0", THEIRS),
        {},
        ["revision.duplicate"],
        "registry/ours.json: m@1.1.0 is 1.2.0 now",
    ),
    "what main has, as it is": Merge(
        one("registry/m.json", "1.0.1", "['a']: string"),
        one("registry/m.json", "1.1.0", THEIRS),
        one("registry/m.json", "1.1.0", THEIRS),
        [],
        None,
    ),
    "what main broke is not taken": Merge(
        one("registry/m.json", "1.1.0", OURS),
        one("registry/m.json", "2.0.0", "a: integer"),
        one("registry/m.json", "1.2.0", "a: string; b: any opt; d: any opt"),
        ["revision.lost-in-merge", "revision.regressed"],
        "registry/m.json: m@1.2.0 is 3.0.0 now",
    ),
    "a contract that main removed": Merge(
        {"registry/n.json": contract("n", "1.0.0")},
        {"registry/gone.json": b""},
        {},
        [],
        None,
    ),
}  # fmt: skip


@pytest.fixture(params=["published", "nobody published"])
def topic(request: pytest.FixtureRequest, tmp_path: Path) -> Repository:
    """A branch beside main, which a remote has or not."""
    repository = Repository(tmp_path / "work")
    repository.commit({**BASE, "registry/gone.json": contract("gone", "1.0.0")})
    if request.param == "published":
        repository.git("clone", "-q", "--bare", str(repository.top), str(tmp_path / "bare"))
        repository.git("remote", "add", "origin", str(tmp_path / "bare"))
    repository.git("checkout", "-q", "-b", "topic")
    return repository


def start(topic: Repository, merge: Merge) -> bool:
    """Begin the merge, stage its result, and tell whether a remote has what main has."""
    topic.commit(merge.ours)
    topic.git("checkout", "-q", "main")
    topic.commit({path: data or None for path, data in merge.theirs.items()})
    published = topic.git("remote") != ""
    if published:
        topic.git("push", "-q", "origin", "main")
        topic.git("remote", "set-head", "origin", "main")
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-commit", "--no-ff", "main", check=False)
    topic.write(merge.result)
    return published


@pytest.mark.parametrize("merge", MERGES.values(), ids=MERGES)
def test_what_the_hook_asks_bump_writes_and_the_disk_is_judged_alike(merge: Merge, topic: Repository) -> None:
    published = start(topic, merge)
    disk = topic.run("check", "--worktree")  # what is resolved there may be in conflict in the index
    topic.stage()
    assert topic.run("check", "--worktree") == disk
    staged = topic.run("check")
    expected = merge.expected if published else [code for code in merge.expected if code != "revision.regressed"]
    assert (codes(staged), staged.stderr) == (expected, "")
    assert disk.stdout.replace(b"the work tree", b"index", 1) == staged.stdout
    assert disk.exit_code == staged.exit_code
    done = topic.run("bump", "m")
    if merge.bumped is None:
        assert b" needs no bump since " in done.stdout
    else:
        assert done.stdout.decode().splitlines()[0] == merge.bumped
    assert topic.run("check", "--worktree").exit_code == 0
    topic.stage()
    assert topic.run("check").exit_code == 0
    topic.commit()
    done = topic.run("gate")
    assert (done.exit_code, done.stderr) == (0, ""), done.stdout


def test_what_a_clean_merge_tells_its_hook_counts_as_well(topic: Repository) -> None:
    start(topic, MERGES["the same number in a file of each"])
    topic.stage()
    variable = {f"GITHEAD_{topic.git('rev-parse', 'main')}": "main"}
    told = [topic.run(*words).stdout for words in (("check", "--worktree"), ("bump", "m"))]
    topic.git("checkout", "-q", "registry/ours.json")
    (topic.top / ".git" / "MERGE_HEAD").unlink()
    assert [topic.run(*words, environ=variable).stdout for words in (("check", "--worktree"), ("bump", "m"))] == told


def test_of_two_new_files_with_one_number_a_path_names_the_one_that_moves(topic: Repository) -> None:
    topic.commit(one("registry/ours.json", "1.1.0", OURS))
    topic.commit(one("registry/other.json", "1.1.0", THEIRS))
    for argument in ("m", "m@1.1.0"):
        done = topic.run("bump", argument)
        assert done[::2] == (
            3,
            "error: m: several files need another revision (1.1.0 in registry/other.json, 1.1.0 in "
            "registry/ours.json); name one of the files\n",
        )
    done = topic.run("bump", "ours.json", below="registry")
    assert done.stdout.startswith(b"registry/ours.json: m@1.1.0 is 1.2.0 now\n")
    assert topic.run("check", "--worktree").exit_code == 0
