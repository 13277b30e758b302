"""A plain ``pre-push`` hook: git says on standard input what is pushed, and each reference is judged for itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli import Done
from tests.support.entries import command, light
from tests.support.repository import Repository, codes, contract

ZEROS = "0" * 40
Push = Callable[..., Done]
"""Asks about one reference: its name on the remote, what the remote has, and what is pushed."""
FIRST = {"registry/m.json": contract("m", "1.0.0")}
GOOD = {"registry/m.json": contract("m", "1.1.0", "a: string; b: string opt")}
BAD = {"registry/m.json": contract("m", "1.0.1", "a: integer")}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A clone with one published commit, whose pre-push hook is the light entry."""
    remote = Repository(tmp_path / "remote", bare=True)
    made = Repository(tmp_path / "work")
    made.commit(FIRST)
    made.git("remote", "add", "origin", str(remote.top))
    made.git("push", "-q", "origin", "main")
    hook = made.top / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    log = tmp_path / "hook.log"
    hook.write_text(
        f"#!/bin/sh\n{sys.executable} -m protocolarc.hook --pre-push >'{log}' 2>&1\ncode=$?\n"
        f"echo \"exit $code\" >>'{log}'\nexit $code\n",
        encoding="ascii",
    )
    hook.chmod(0o755)
    return made


def checked(repository: Repository, lines: str, *words: str) -> Done:
    return light(repository, "--pre-push", *words, stdin=lines.encode())


def pushed(repository: Repository, *words: str) -> list[str]:
    """Push, and return what the hook said."""
    repository.git("push", "-q", "origin", *words, check=False)
    log = repository.top.parent / "hook.log"
    lines = log.read_text(encoding="ascii").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


def test_a_good_push_passes_and_a_bad_one_does_not(repository: Repository) -> None:
    repository.commit(GOOD)
    said = pushed(repository, "main")
    assert said[1:] == ["  note: pushes refs/heads/main to refs/heads/main", "  (nothing to report)", "exit 0"]
    repository.commit({"registry/m.json": contract("m", "1.1.1", "a: integer")})
    assert "  ERROR   bump.missing" in "\n".join(pushed(repository, "main"))
    assert repository.git("rev-parse", "origin/main") == repository.git("rev-parse", "main~1")


def test_every_reference_is_judged_and_the_worst_counts(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "good")
    repository.commit(GOOD)
    repository.git("checkout", "-q", "-b", "bad", "main")
    repository.commit(BAD)
    said = pushed(repository, "good", "bad")
    assert sorted(line for line in said if "note: pushes" in line) == [
        "  note: pushes refs/heads/bad to refs/heads/bad",
        "  note: pushes refs/heads/good to refs/heads/good",
    ]
    assert said[-1] == "exit 2"
    assert pushed(repository, "good")[-1] == "exit 0"


CALLED = [":/fix a bug", "HEAD^{/fix a bug}", "HEAD~0", "ID"]


@pytest.mark.parametrize("name", CALLED)
def test_what_is_pushed_may_be_called_by_any_name_that_git_knows(name: str, repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit(BAD, "-m", "fix a bug")
    name = name.replace("ID", repository.git("rev-parse", "HEAD"))
    said = pushed(repository, f"{name}:refs/heads/x")
    assert said[1] == f"  note: pushes {name} to refs/heads/x"
    assert said[-1] == "exit 2"


def test_a_new_branch_is_compared_with_where_it_left_the_default_branch(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit(GOOD)
    repository.git("checkout", "-q", "main")
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    assert pushed(repository, "main")[-1] == "exit 0"
    said = pushed(repository, "topic")
    assert "merge-base of origin/main and" in said[0]
    assert said[-1] == "exit 0"


def test_a_rewritten_branch_is_compared_with_what_both_have(repository: Repository) -> None:
    repository.commit(GOOD)
    pushed(repository, "main")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.commit({"registry/m.json": contract("m", "1.1.0", "a: string; c: string opt")})
    assert pushed(repository, "--force", "main")[-1] == "exit 0"


def test_tags_are_peeled_and_what_holds_no_commit_is_passed_over(repository: Repository) -> None:
    repository.commit(BAD)
    repository.git("tag", "-a", "v1", "-m", "v1")
    assert pushed(repository, "v1")[-1] == "exit 2"
    repository.git("tag", "blob", repository.git("hash-object", "-w", "registry/m.json"))
    assert "pushes refs/tags/blob to refs/tags/blob, which is no commit" in "\n".join(pushed(repository, "blob"))
    assert repository.git("ls-remote", "origin", "refs/tags/blob")


def test_a_reference_that_is_deleted_passes(repository: Repository) -> None:
    pushed(repository, "main:refs/heads/old")
    said = pushed(repository, ":old")
    assert said[1:] == ["  note: refs/heads/old is deleted", "  (nothing to report)", "exit 0"]


def test_what_the_remote_has_and_this_clone_does_not_is_no_base(repository: Repository) -> None:
    head = repository.commit(GOOD)
    done = checked(repository, f"refs/heads/main {head} refs/heads/main {'1' * 40}\n")
    assert (done.exit_code, b"the base 111111111111 is not known here" in done.stdout) == (0, True)


def test_a_tag_that_was_no_commit_is_new(repository: Repository) -> None:
    head, blob = repository.commit(BAD), repository.git("hash-object", "-w", "registry/m.json")
    done = checked(repository, f"refs/tags/v1 {head} refs/tags/v1 {blob}\n")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert b"note: nothing was there before; compared with origin/main (" in done.stdout


def test_a_branch_may_have_any_name(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "x\u0085y\u2028\udcff")
    repository.commit(GOOD)
    assert pushed(repository, "x\u0085y\u2028\udcff")[-1] == "exit 0"


def test_nothing_pushed_is_nothing_to_judge(repository: Repository) -> None:
    done = checked(repository, "")
    assert (done.exit_code, done.stdout, done.stderr) == (0, b"nothing is pushed\n", "")


WRONG = [
    ("refs/heads/main\n", [], "error: --pre-push reads the lines that git gives a pre-push hook on standard input\n"),
    (f"a {ZEROS} b x\n", [], "error: --pre-push reads the lines that git gives a pre-push hook on standard input\n"),
    ("", ["--to", "HEAD"], "error: --pre-push is told what to compare; it takes neither --from, --to nor --worktree\n"),
    ("", ["--format", "json"], "error: --pre-push gives a report for each reference, as text alone\n"),
]


@pytest.mark.parametrize(("lines", "words", "error"), WRONG, ids=["one word", "no id", "range", "format"])
def test_what_git_does_not_say_is_refused(repository: Repository, lines: str, words: list[str], error: str) -> None:
    done = checked(repository, lines, *words)
    assert (done.exit_code, done.stdout, done.stderr) == (3, b"", error)


def test_the_command_answers_as_the_light_entry_does(repository: Repository) -> None:
    head = repository.commit(BAD)
    line = f"refs/heads/main {head} refs/heads/main {repository.git('rev-parse', 'HEAD~1')}\n"
    done = command(repository, "check", "--pre-push", stdin=line.encode())
    assert done == checked(repository, line)
    assert codes(done) == ["bump.missing"]


DRAFT = {"registry/m.json": contract("m", "1.1.0", "a: string; b: integer opt")}
"""Another 1.1.0 than ``GOOD`` has."""


@pytest.fixture(params=["plain", "runner"])
def push(request: pytest.FixtureRequest, repository: Repository) -> Push:
    """Ask about a push as git does, and as the runners do."""

    def ask(remote: str, old: str, new: str = "HEAD") -> Done:
        new, old = (repository.git("rev-parse", name) for name in (new, old))
        if request.param == "plain":
            return checked(repository, f"refs/heads/x {new} {remote} {old}\n")
        told = {"PRE_COMMIT_FROM_REF": old, "PRE_COMMIT_TO_REF": new, "PRE_COMMIT_REMOTE_BRANCH": remote}
        return repository.light(environ=told)

    return ask


def test_a_branch_may_change_a_revision_until_it_is_published(repository: Repository, push: Push) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    first, second = repository.commit(GOOD), repository.commit(DRAFT)
    done = push("refs/heads/topic", first)
    assert (done.exit_code, codes(done)) == (0, [])
    compared = f"checked 1 contract: {second[:12]} against {first[:12]}, published origin/main ("
    assert done.stdout.decode().startswith(compared)
    repository.commit(BAD)
    done = push("refs/heads/topic", second)
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


HELD = {
    "the branch of origin/main": ("refs/heads/main", None, None),
    "the branch of origin/HEAD": ("refs/heads/main", "HEAD", None),
    "the branch that the policy names": ("refs/heads/trunk", None, "origin/trunk"),
    "the local branch that the policy names": ("refs/heads/main", None, "main"),
    "a tag": ("refs/tags/v1", None, None),
}


@pytest.mark.parametrize(("remote", "head", "published"), HELD.values(), ids=HELD)
def test_what_others_have_is_held_against_what_the_remote_has(
    repository: Repository, push: Push, remote: str, head: str | None, published: str | None
) -> None:
    if head is not None:
        repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    repository.git("update-ref", "refs/remotes/origin/trunk", "origin/main")
    policy = {} if published is None else {"protocolarc.toml": f'published = "{published}"\n'}
    first = repository.commit({**GOOD, **policy})
    repository.commit(DRAFT)
    done = push(remote, first)
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert b", published" not in done.stdout.splitlines()[0]


def test_without_a_published_branch_the_base_is_the_anchor(repository: Repository, push: Push) -> None:
    repository.git("update-ref", "-d", "refs/remotes/origin/main")
    repository.git("checkout", "-q", "-b", "topic")
    first = repository.commit(GOOD)
    repository.commit(DRAFT)
    done = push("refs/heads/topic", first)
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


def test_a_published_branch_that_is_not_here_is_told(repository: Repository, push: Push) -> None:
    first = repository.commit({**GOOD, "protocolarc.toml": 'published = "origin/gone"\n'})
    repository.commit(DRAFT)
    done = push("refs/heads/topic", first)
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert f"note: published origin/gone names no commit here; measured from {first[:12]}" in done.stdout.decode()


def test_a_range_that_is_named_is_measured_from_its_base(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    first = repository.commit(GOOD)
    repository.commit(DRAFT)
    assert repository.run("check", "--from", first, "--to", "HEAD").exit_code == 2
    by_hand = {"PRE_COMMIT_FROM_REF": first, "PRE_COMMIT_TO_REF": "HEAD"}
    assert repository.light(environ=by_hand).exit_code == 2


def test_a_new_name_for_what_is_published_adds_nothing(repository: Repository) -> None:
    repository.git("-c", "core.hooksPath=/dev/null", "push", "-q", "--force", "origin", "main")
    repository.commit(
        {"registry/n-1.json": contract("n", "1.0.0"), "registry/n-2.json": contract("n", "1.1.0", "a: any")}
    )
    repository.commit({"registry/n-3.json": contract("n", "1.2.0", "a: integer")})
    repository.git("push", "-q", "--no-verify", "origin", "main")
    repository.git("remote", "set-head", "origin", "main")
    for words in (("main:refs/heads/topic",), ("main:refs/tags/v1",)):
        assert pushed(repository, *words)[-2:] == ["  (nothing to report)", "exit 0"]
