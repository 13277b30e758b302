"""``gate``: every row of what is compared with what, and never of nothing."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.registry.conftest import Clone
from tests.support.repository import Files, Repository, codes, contract

INTEGER, MORE, OTHER = "a: integer", "a: string; b: string opt", "a: string; b: integer opt"
ZEROS = "0" * 40


def github(tmp_path: Path, event: str, **body: Any) -> dict[str, str]:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(body), encoding="ascii")
    return {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(path)}


def pull_request(tmp_path: Path, head: str, target: str = "main") -> dict[str, str]:
    return github(tmp_path, "pull_request", number=7, pull_request={"head": {"sha": head}, "base": {"ref": target}})


def topic(repository: Repository, files: Files) -> str:
    """Commit files on a branch ``topic``, and leave it checked out."""
    repository.git("checkout", "-q", "-b", "topic")
    return repository.commit(files)


def merge_ref(repository: Repository) -> str:
    """Check out what GitHub would: the topic merged into main, detached."""
    repository.git("checkout", "-q", "--detach", "main")
    repository.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "topic")
    return repository.git("rev-parse", "HEAD")


BREAK = {"registry/m.json": contract("m", "1.0.0", INTEGER)}
CARRIED = {"registry/m.json": contract("m", "2.0.0", INTEGER)}


def test_outside_of_ci_head_is_compared_with_where_it_left_the_default_branch(repository: Repository) -> None:
    topic(repository, BREAK)
    done = repository.run("gate")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    repository.commit(CARRIED)
    assert repository.run("gate") == (
        0,
        f"checked 1 contract: HEAD ({repository.git('rev-parse', 'HEAD')[:12]}) against main "
        f"({repository.git('rev-parse', 'main')[:12]})\n  (nothing to report)\n".encode(),
        "",
    )


def test_a_range_begins_where_the_branch_left(repository: Repository) -> None:
    topic(repository, CARRIED)
    repository.git("checkout", "-q", "main")
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    done = repository.run("gate", "--from", "main", "--to", "topic")
    assert (done.exit_code, codes(done)) == (0, [])


def test_a_pull_request_is_its_merge_ref_against_the_first_parent(repository: Repository, tmp_path: Path) -> None:
    head = topic(repository, CARRIED)
    merge_ref(repository)
    done = repository.run("gate", environ=pull_request(tmp_path, head))
    assert (done.exit_code, codes(done)) == (0, [])
    assert b" against first parent of HEAD (" in done.stdout


def test_two_pull_requests_cannot_claim_one_revision(repository: Repository, tmp_path: Path) -> None:
    head = topic(repository, {"registry/m.json": None, "registry/m2.json": contract("m", "1.1.0", MORE)})
    repository.git("checkout", "-q", "main")
    repository.commit({"registry/m3.json": contract("m", "1.1.0", OTHER)})
    merge_ref(repository)
    done = repository.run("gate", environ=pull_request(tmp_path, head))
    assert done.exit_code == 2
    assert "revision.duplicate" in codes(done)


def test_a_pull_request_without_its_merge_ref_is_compared_with_the_fork(repository: Repository, tmp_path: Path) -> None:
    head = topic(repository, BREAK)
    repository.git("checkout", "-q", "main")
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    repository.git("checkout", "-q", "topic")
    done = repository.run("gate", environ=pull_request(tmp_path, head))
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


def test_depth_2_is_enough_for_a_merge_ref_and_depth_1_is_nothing(
    repository: Repository, clone: Clone, tmp_path: Path
) -> None:
    head = topic(repository, BREAK)
    repository.git("branch", "merged", merge_ref(repository))
    enough = clone(repository, "--depth", "2", "-b", "merged", name="two")
    done = enough.run("gate", environ=pull_request(tmp_path, head))
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert b"note: this clone is shallow: revisions beyond its depth are not known" in done.stdout
    shallow = clone(repository, "--depth", "1", "-b", "merged", name="one")
    assert shallow.run("gate", environ=pull_request(tmp_path, head)) == (
        3,
        b"",
        "error: nothing to compare: this clone is shallow and lacks the first parent of the merge\n"
        "hint: git fetch --deepen=1, or fetch-depth: 2 for actions/checkout\n",
    )


def test_pull_request_target_needs_the_pull_request_to_be_checked_out(repository: Repository, tmp_path: Path) -> None:
    head = topic(repository, BREAK)
    event = {"number": 7, "pull_request": {"base": {"ref": "main"}, "head": {"sha": head}}}
    environ = github(tmp_path, "pull_request_target", **event)
    repository.git("checkout", "-q", "main")
    assert repository.run("gate", environ=environ) == (
        3,
        b"",
        "error: nothing to compare: HEAD is not the pull request; pull_request_target checks out its base\n"
        "hint: git fetch origin refs/pull/7/merge && protocolarc gate --from FETCH_HEAD^1 --to FETCH_HEAD\n",
    )
    merged = merge_ref(repository)
    done = repository.run("gate", environ=environ)
    assert (done.exit_code, b" against first parent of HEAD (" in done.stdout) == (2, True)
    for checked_out in (merged, "main"):  # what the hint says is an answer wherever it is followed
        repository.git("checkout", "-q", "--detach", checked_out)
        repository.git("fetch", "-q", ".", merged)
        assert repository.run("gate", "--from", "FETCH_HEAD^1", "--to", "FETCH_HEAD").exit_code == 2
    repository.git("checkout", "-q", "--detach", "topic")
    done = repository.run("gate", environ=environ)
    assert (done.exit_code, b" against main (" in done.stdout) == (2, True)


def test_a_merge_group_says_its_own_commits(repository: Repository, tmp_path: Path) -> None:
    base = repository.git("rev-parse", "HEAD")
    head = repository.commit(BREAK)
    environ = github(tmp_path, "merge_group", merge_group={"base_sha": base, "head_sha": head})
    assert repository.run("gate", environ=environ).exit_code == 2


def test_a_push_is_after_against_before(repository: Repository, tmp_path: Path) -> None:
    before = repository.git("rev-parse", "HEAD")
    repository.commit(BREAK)
    after = repository.commit({"x": b"1"})
    environ = github(tmp_path, "push", before=before, after=after)
    done = repository.run("gate", environ=environ)
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    gitlab = {"GITLAB_CI": "true", "CI_COMMIT_BEFORE_SHA": before, "CI_COMMIT_SHA": after}
    assert repository.run("gate", environ=gitlab) == done


@pytest.mark.parametrize("before", [ZEROS, "1" * 40], ids=["new", "gone"])
def test_a_push_of_a_new_or_rewritten_branch_is_compared_with_the_default_branch(
    repository: Repository, tmp_path: Path, before: str
) -> None:
    after = topic(repository, BREAK)
    done = repository.run("gate", environ=github(tmp_path, "push", before=before, after=after))
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert b"; compared with main (" in done.stdout


def test_a_forced_push_is_compared_with_the_default_branch(repository: Repository, tmp_path: Path) -> None:
    before = topic(repository, CARRIED)
    repository.git("reset", "-q", "--hard", "main")
    after = repository.commit(BREAK)
    done = repository.run("gate", environ=github(tmp_path, "push", before=before, after=after))
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert b"is not in the history of " in done.stdout


@pytest.mark.parametrize("is_here", [True, False])
def test_a_forced_push_of_the_default_branch_says_that_it_was_rewritten(
    repository: Repository, tmp_path: Path, is_here: bool
) -> None:
    before = repository.commit(CARRIED) if is_here else "1" * 40
    repository.git("reset", "-q", "--hard", "HEAD~1" if is_here else "HEAD")
    after = repository.commit(BREAK)
    done = repository.run("gate", environ=github(tmp_path, "push", before=before, after=after))
    end = "" if is_here else ", nor in this clone"
    assert done == (
        3,
        b"",
        f"error: nothing to compare: the base {before[:12]} is not in the history of {after}{end}, so this branch was "
        "rewritten, and it is the default branch itself\n"
        "hint: --from names a commit that it had before, --release compares with the last release\n",
    )


BAD_EVENTS = {
    "missing": (None, "No such file or directory"),
    "no JSON": ("{", "no JSON, Expecting property name"),
}


@pytest.mark.parametrize(("text", "why"), BAD_EVENTS.values(), ids=BAD_EVENTS)
def test_an_event_that_cannot_be_read_is_named(
    repository: Repository, tmp_path: Path, text: str | None, why: str
) -> None:
    path = tmp_path / "event.json"
    if text is not None:
        path.write_text(text, encoding="ascii")
    environ = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(path)}
    done = repository.run("gate", environ=environ)
    named = f"error: the event file that GITHUB_EVENT_PATH names, {path}, cannot be read: {why}"
    assert (done.exit_code, done.stderr.startswith(named)) == (3, True)


NO_IDS: list[object] = [
    {"a": 1},
    ["x"],
    [],
    {},
    1,
    0,
    True,
    False,
    "main",
    "1" * 39,
    "1" * 41,
    "-x",
    f" {ZEROS}",
    "\ud800",
]
NO_TEXTS: list[object] = [{"a": 1}, [], 0, False]
IN_GROUP, IN_REQUEST = (
    {"base_sha": "1" * 40, "head_sha": "2" * 40},
    {"base": {"ref": "main"}, "head": {"sha": "1" * 40}},
)
USELESS: list[tuple[str, dict[str, Any], str]] = [
    # The event, what it says, and what cannot be used of it.
    *(("push", {"after": value}, "after is no id of a commit") for value in NO_IDS),
    *(("push", {"before": value}, "before is no id of a commit") for value in NO_IDS),
    *(("push", {"ref": value, "repository": {"default_branch": "main"}}, "ref is no text") for value in NO_TEXTS),
    *(
        (event, {"repository": {"default_branch": value}}, "repository.default_branch is no text")
        for value in NO_TEXTS
        for event in ("push", "pull_request", "merge_group", "workflow_dispatch")
    ),
    *(
        (event, {"pull_request": {**IN_REQUEST, "head": {"sha": value}}}, "pull_request.head.sha is no id of a commit")
        for value in NO_IDS
        for event in ("pull_request", "pull_request_review", "pull_request_target")
    ),
    *(
        ("pull_request", {"pull_request": {**IN_REQUEST, "base": {"ref": value}}}, "pull_request.base.ref is no text")
        for value in NO_TEXTS
    ),
    *(
        ("merge_group", {"merge_group": {**IN_GROUP, key: value}}, f"merge_group.{key} is no id of a commit")
        for value in NO_IDS
        for key in IN_GROUP
    ),
    *(
        ("merge_group", {"merge_group": {**IN_GROUP, key: value}}, f"it has no merge_group.{key}")
        for value in (None, "")
        for key in IN_GROUP
    ),
    *(
        ("merge_group", body, "it has no merge_group.base_sha")
        for body in ({}, {"merge_group": None}, {"merge_group": "x"}, {"merge_group": [IN_GROUP]})
    ),
    ("merge_group", {"merge_group": {"base_sha": "1" * 40}}, "it has no merge_group.head_sha"),
]


def test_an_event_that_cannot_be_used_says_what_is_wrong_with_it(repository: Repository, tmp_path: Path) -> None:
    topic(repository, BREAK)
    for event, body, why in USELESS:
        environ = github(tmp_path, event, **body)
        named = f"names, {environ['GITHUB_EVENT_PATH']}, cannot be used: {why}"
        assert repository.run("gate", environ=environ) == (
            3,
            b"",
            f"error: the event file that GITHUB_EVENT_PATH {named}\n",
        ), (event, body)


def test_a_merge_group_without_an_event_file_is_refused(repository: Repository) -> None:
    environ = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "merge_group"}
    told = "error: the event file that GITHUB_EVENT_PATH should name cannot be used: it has no merge_group.base_sha\n"
    assert repository.run("gate", environ=environ) == (3, b"", told)


def test_the_first_push_of_all_has_nothing_before_it(repository: Repository, tmp_path: Path) -> None:
    after = repository.git("rev-parse", "HEAD")
    push = {"before": ZEROS, "after": after, "repository": {"default_branch": "main"}}
    done = repository.run("gate", environ=github(tmp_path, "push", ref="refs/heads/main", **push))
    assert done.exit_code == 0
    assert b"note: the default branch is new: every contract counts as new" in done.stdout
    gitlab = {"GITLAB_CI": "true", "CI_COMMIT_BEFORE_SHA": ZEROS, "CI_COMMIT_SHA": after}
    first = {**gitlab, "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}
    assert repository.run("gate", environ=first) == done
    for other in (gitlab, github(tmp_path, "push", ref="refs/heads/other", **push)):
        done = repository.run("gate", environ=other)
        assert (done.exit_code, done.stderr[:50]) == (3, "error: nothing to compare: base and head are the s")


BY_NO_PUSH = ("api", "chat", "parent_pipeline", "pipeline", "schedule", "trigger", "web")


@pytest.mark.parametrize("source", BY_NO_PUSH)
def test_a_pipeline_of_gitlab_that_no_push_started_says_nothing_about_what_was_before(
    source: str, repository: Repository
) -> None:
    environ = {
        "GITLAB_CI": "true",
        "CI_PIPELINE_SOURCE": source,
        "CI_COMMIT_BEFORE_SHA": ZEROS,
        "CI_COMMIT_BRANCH": "main",
        "CI_DEFAULT_BRANCH": "main",
    }
    repository.commit(BREAK)
    done = repository.run("gate", environ=environ)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert done.stderr.startswith("error: nothing to compare: base and head are the same commit, HEAD (")
    topic(repository, CARRIED)
    done = repository.run("gate", environ={**environ, "CI_COMMIT_BRANCH": "topic"})
    assert (done.exit_code, b"; compared with main (" in done.stdout) == (0, True)
    pushed = repository.run("gate", environ={**environ, "CI_PIPELINE_SOURCE": "push"})
    assert b"note: the default branch is new: every contract counts as new" in pushed.stdout


@pytest.mark.parametrize("before", [None, ""], ids=repr)
def test_a_push_that_does_not_say_what_was_before_is_no_first_one(
    before: object, repository: Repository, tmp_path: Path
) -> None:
    after = repository.commit(BREAK)
    push = {"ref": "refs/heads/main", "repository": {"default_branch": "main"}, "before": before, "after": after}
    done = repository.run("gate", environ=github(tmp_path, "push", **push))
    assert (done.exit_code, done.stdout) == (3, b"")
    assert "nothing to compare: base and head are the same commit, " in done.stderr


def test_a_push_that_deletes_is_nothing_to_compare(repository: Repository, tmp_path: Path) -> None:
    before = repository.git("rev-parse", "HEAD")
    done = repository.run("gate", environ=github(tmp_path, "push", before=before, after=ZEROS))
    assert done.exit_code == 3


def test_a_merge_request_of_gitlab(repository: Repository) -> None:
    fork = repository.git("rev-parse", "HEAD")
    head = topic(repository, BREAK)
    environ = {
        "GITLAB_CI": "true",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": fork,
        "CI_COMMIT_SHA": head,
    }
    assert repository.run("gate", environ=environ).exit_code == 2
    gone = {**environ, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "gone"}
    assert repository.run("gate", environ=gone).exit_code == 2
    merge_ref(repository)
    merged = repository.run("gate", environ={**environ, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": head})
    assert (merged.exit_code, b" against first parent of HEAD (" in merged.stdout) == (2, True)


def test_a_release_is_compared_with_the_last_stable_one_before_it(repository: Repository) -> None:
    assert b"note: no earlier release matches v*: every" in repository.run("gate", "--release").stdout
    repository.git("tag", "v1.0.0")
    repository.commit({"registry/m.json": contract("m", "1.1.0-rc.1", INTEGER)})
    repository.git("tag", "v1.1.0-rc.1")
    repository.git("tag", "vnext")
    repository.git("tag", "v99.0.0", repository.git("rev-parse", "HEAD:registry/m.json"))
    repository.commit({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    repository.git("tag", "-a", "-m", "release", "v1.1.0")
    done = repository.run("gate", "--release")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert b" against v1.0.0 (" in done.stdout
    assert b"m: 1.0.0 -> 1.1.0 is breaking and needs 2.0.0" in done.stdout


SINCE = "what was allowed since the release is judged by gate --from the commit that allowed it"


def test_what_was_allowed_since_a_release_is_judged_in_two_steps(repository: Repository) -> None:
    now = ("--now", "2026-01-01")
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    repository.git("tag", "v1.0.0")
    allowed = repository.commit({"protocolarc.toml": b'retired = ["k"]\n', "waivers.toml": WAIVER})
    repository.commit({**SMALL, "registry/k.json": None})
    done = repository.run("gate", "--release", *now)
    assert (done.exit_code, codes(done)) == (
        2,
        ["contract.removed", "bump.missing", "policy.changed", "policy.changed"],
    )
    text = done.stdout.decode()
    words = "k: removed, which the head's policy allows under retired and the base's, which counts, does not"
    assert f"{words}; {SINCE} (registry/k.json)\n" in text
    assert f"protocolarc.toml differs; the base's is used; {SINCE}\n" in text
    assert f"waivers.toml differs; the base's is used; {SINCE}\n" in text
    before = repository.run("gate", "--release", "--to", allowed, *now)
    assert (before.exit_code, codes(before)) == (0, ["policy.changed", "policy.changed"])
    since = repository.run("gate", "--from", allowed, *now)
    assert (since.exit_code, codes(since)) == (0, ["contract.removed"])
    assert SINCE not in repository.run("gate", "--from", "v1.0.0", *now).stdout.decode()


def test_without_a_release_the_waivers_of_the_head_are_not_stale(repository: Repository) -> None:
    repository.commit({"waivers.toml": WAIVER})
    repository.commit(SMALL)
    done = repository.run("gate", "--release", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (0, [])
    assert codes(repository.run("gate", "--release", "--now", "2026-07-01")) == ["waiver.expired"]
    repository.commit({"waivers.toml": None, "registry/m.json": contract("m", "1.0.0")})
    repository.commit({"waivers.toml": WAIVER, "registry/later.json": SMALL["registry/m.json"]})
    assert codes(repository.run("gate", "--release", "--now", "2026-01-01")) == []
    assert codes(repository.run("gate", "--release", "--now", "2026-07-01")) == ["bump.missing", "waiver.expired"]


def test_releases_are_ordered_as_versions(repository: Repository) -> None:
    repository.git("tag", "v9.0.0")
    repository.commit({"x": b"1"})
    repository.git("tag", "v10.0.0")
    repository.commit(CARRIED)
    assert b" against v10.0.0 (" in repository.run("gate", "--release").stdout


def test_a_higher_release_outside_the_history_is_named(repository: Repository) -> None:
    repository.git("tag", "v1.0.0")
    topic(repository, {"x": b"1"})
    repository.git("tag", "v2.0.0")
    repository.git("checkout", "-q", "main")
    repository.commit(CARRIED)
    done = repository.run("gate", "--release")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert done.stderr.startswith("error: v2.0.0 is a higher release and not in the history of HEAD\nhint: --from ")
    assert repository.run("gate", "--release", "--from", "v1.0.0").exit_code == 0


@pytest.mark.parametrize("name", ["v9.0.0\u0085x", "v9.0.0\u2028"])
def test_a_tag_that_only_begins_like_a_release_is_none(name: str, repository: Repository) -> None:
    repository.git("tag", name)
    topic(repository, {"x": b"1"})
    repository.git("tag", "v9.0.0")
    repository.git("checkout", "-q", "main")
    repository.commit(CARRIED)
    done = repository.run("gate", "--release")
    assert done.stderr.startswith("error: v9.0.0 is a higher release and not in the history of HEAD\n")


@pytest.mark.parametrize("text", ["", "rubbish\n", "1" * 40 + "\n"], ids=["cut off", "rubbish", "missing"])
def test_a_tag_that_is_damaged_is_no_absent_release(text: str, repository: Repository) -> None:
    repository.git("tag", "v1.0.0")
    repository.commit(BREAK)
    (repository.top / ".git" / "refs" / "tags" / "v1.0.0").write_text(text, encoding="ascii")
    done = repository.run("gate", "--release")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert re.match("error: .*refs/tags/v1.0.0( names is missing or damaged\nhint: git fsck)?\n", done.stderr)


def test_a_tag_pattern_of_the_policy(repository: Repository) -> None:
    repository.commit({"protocolarc.toml": b'tag-pattern = "contracts/*-final"\n'})
    repository.git("tag", "contracts/1.0.0-final")
    repository.git("tag", "v7.0.0")
    repository.commit(BREAK)
    done = repository.run("gate", "--release")
    assert (done.exit_code, b" against contracts/1.0.0-final (" in done.stdout) == (2, True)


def test_a_head_does_not_choose_which_tags_are_releases(repository: Repository) -> None:
    repository.git("tag", "v1.0.0")
    pattern = {"protocolarc.toml": b'tag-pattern = "contracts-*"\n'}
    repository.commit({**BREAK, **pattern})
    for tag in (None, "contracts-1.0.0"):
        if tag is not None:
            repository.git("tag", tag, "HEAD")
            repository.commit({"x": b"1"})
        done = repository.run("gate", "--release", *(["--to", "HEAD"] if tag is None else ["--to", "HEAD~1"]))
        assert (done.exit_code, done.stdout) == (3, b"")
        assert "the head alone says that contracts-* names releases; v*, as " in done.stderr
        assert "has it, finds v1.0.0 (" in done.stderr or "has it, finds v1.0.0\n" in done.stderr
    named = repository.run("gate", "--release", "--from", "v1.0.0")
    assert (named.exit_code, codes(named)) == (2, ["bump.missing", "policy.changed"])
    assert b" against contracts-1.0.0 (" in repository.run("gate", "--release").stdout  # its own policy says so


NOTHING_TO_COMPARE = [
    ([], "base and head are the same commit, HEAD ("),
    (["--from", "HEAD"], "base and head are the same commit, HEAD ("),
    (["--from", "gone"], "gone names no commit here\nhint: git fetch origin gone:refs/remotes/origin/gone\n"),
    (["--to", "gone"], "gone names no commit here"),
    (["--from", "-x"], "'-x' is no name of a commit"),
]


@pytest.mark.parametrize(("words", "reason"), NOTHING_TO_COMPARE, ids=range(len(NOTHING_TO_COMPARE)))
def test_nothing_to_compare_is_never_success(repository: Repository, words: list[str], reason: str) -> None:
    done = repository.run("gate", *words)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert reason in done.stderr


SAME, BEHIND = "base and head are the same commit, {}", "{} is in the history of {} and has nothing that is new"
NOTHING_NEW = [
    # What is asked, what a push says, and why there is nothing to compare.
    (["--from", "main"], {}, SAME.format("HEAD (TIP)")),
    (["--from", "HEAD", "--to", "main"], {}, SAME.format("main (TIP)")),
    (["--from", "HEAD", "--to", "HEAD~1"], {}, BEHIND.format("HEAD~1 (OLD)", "HEAD (TIP)")),
    (["--from", "main", "--to", "merged"], {}, BEHIND.format("merged (OLD)", "main (TIP)")),
    (["--from", "origin/main", "--to", "merged"], {}, BEHIND.format("merged (OLD)", "origin/main (TIP)")),
    (["--to", "merged"], {}, BEHIND.format("merged (OLD)", "origin/main (TIP)")),
    (["--to", "v1.0.0"], {}, BEHIND.format("v1.0.0 (OLD)", "origin/main (TIP)")),
    (["--release", "--from", "main", "--to", "v1.0.0"], {}, BEHIND.format("v1.0.0 (OLD)", "main (TIP)")),
    ([], {}, SAME.format("HEAD (TIP)")),
    ([], {"before": "TIP", "after": "TIP"}, SAME.format("TIP")),
    ([], {"before": "TIP", "after": "OLD"}, BEHIND.format("OLD", "origin/main (TIP)")),
    (["--from", "m\u00e9", "--to", "merged"], {}, BEHIND.format("merged (OLD)", "m\\u00e9 (TIP)")),
    ([], {"before": ZEROS, "after": "OLD"}, BEHIND.format("OLD", "origin/main (TIP)")),
]


@pytest.mark.parametrize(("words", "push", "reason"), NOTHING_NEW, ids=range(len(NOTHING_NEW)))
def test_a_head_without_anything_new_is_told_from_the_base_itself(
    words: list[str], push: dict[str, str], reason: str, repository: Repository, tmp_path: Path
) -> None:
    old = repository.git("rev-parse", "HEAD")
    repository.git("branch", "merged")
    repository.git("tag", "-a", "-m", "release", "v1.0.0")
    tip = repository.commit(BREAK)
    repository.git("update-ref", "refs/remotes/origin/main", tip)
    repository.git("branch", "m\u00e9")
    pushed = {name: value.replace("TIP", tip).replace("OLD", old) for name, value in push.items()}
    done = repository.run("gate", *words, environ=github(tmp_path, "push", **pushed) if push else {})
    told = done.stderr.replace(tip[:12], "TIP").replace(old[:12], "OLD")
    hint = "--from names a base before it, --release compares with the last release"
    assert (done.exit_code, done.stdout) == (3, b"")
    assert told == f"error: nothing to compare: {reason}\nhint: {hint}\n"
    if "--from" in words and "--release" not in words:
        ranged = repository.run("check", *words)
        note = ranged.stdout.decode().splitlines()[1].replace(tip[:12], "TIP").replace(old[:12], "OLD")
        assert (ranged.exit_code, note) == (0, f"  note: {reason}")


NO_FETCH_HELPS = [
    ("main..x", "main..x names no commit here"),
    ("HEAD~9", "HEAD~9 names no commit here"),
    ("HEAD:README.md", "HEAD:README.md is a blob and no commit"),
    ("@{u}", "object @{u}^{commit} cannot be read: git cat-file: no upstream configured for branch 'main'"),
]


@pytest.mark.parametrize(("name", "reason"), NO_FETCH_HELPS, ids=[row[0] for row in NO_FETCH_HELPS])
def test_a_hint_is_something_that_helps(repository: Repository, name: str, reason: str) -> None:
    assert repository.run("gate", "--from", name).stderr == f"error: {reason}\n"


@pytest.mark.parametrize(("name", "kind"), [("HEAD:registry/m.json", "blob"), ("HEAD^{tree}", "tree")])
@pytest.mark.parametrize("command", ["gate", "check"])
def test_the_id_of_what_is_no_commit_is_no_unknown_base(
    command: str, name: str, kind: str, repository: Repository
) -> None:
    repository.commit(BREAK)
    oid = repository.git("rev-parse", name)
    assert repository.run(command, "--from", oid) == (3, b"", f"error: {oid} is a {kind} and no commit\n")


def test_a_branch_may_have_any_name(repository: Repository, tmp_path: Path) -> None:
    for name in ("entwicklung-\u00e4", "x\udcff"):
        repository.git("branch", "-f", name)
    repository.git("update-ref", "refs/remotes/origin/entwicklung-\u00e4", "HEAD")
    policy = 'published = "entwicklung-\u00e4"\n'.encode()
    repository.commit({**BREAK, "protocolarc.toml": policy})
    for words in (("--from", "entwicklung-\u00e4"), ("--from", "x\udcff"), ("--from", "HEAD^{/^step}~1"), ()):
        assert repository.run("gate", *words).exit_code == 2
    environ = pull_request(tmp_path, "1" * 40, "entwicklung-\u00e4")
    assert repository.run("gate", environ=environ).exit_code == 2
    assert repository.run("show", "m", "--at", "entwicklung-\u00e4").stdout == contract("m", "1.0.0")
    assert repository.run("show", "entwicklung-\u00e4:registry/m.json").stdout == contract("m", "1.0.0")
    shown = repository.run("gate", "--from", "entwicklung-\u00e4").stdout.decode().splitlines()[0]
    assert re.fullmatch(r"checked 1 contract: HEAD \(\w+\) against entwicklung-\\u00e4 \(\w+\)", shown)
    for branch, told in (("entwicklung-\u00e4", "entwicklung-\u00e4"), ("x\udcff", "x\\xff")):
        report = json.loads(repository.run("gate", "--from", branch, "--format", "json").stdout)
        assert report["base"].startswith(f"{told} (")
    bumped = repository.run("bump", "m").stdout.decode()
    assert re.search(r" since entwicklung-\\u00e4 \(\w+\)\n$", bumped)
    said = repository.run("gate", "--from", "\u00f6 x").stderr
    assert said.startswith("error: \\u00f6 x names no commit here\n")
    assert repository.run("gate", "--from", "\u00f6\nx").stderr == "error: '\\u00f6\\nx' is no name of a commit\n"


WAYS = ["main", "main~0", "HEAD~1", "HEAD^", "@~1", ":/published", "HEAD^{/published}", "v1", "v1^{}", "refs/tags/v1"]


@pytest.mark.parametrize("command", ["gate", "check"])
@pytest.mark.parametrize("name", WAYS)
def test_a_base_is_named_in_any_way_that_git_knows(name: str, command: str, repository: Repository) -> None:
    repository.commit({"x": b"1"}, "--amend", "-m", "published")
    repository.git("tag", "-a", "-m", "one", "v1")
    topic(repository, BREAK)
    done = repository.run(command, "--from", name)
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


def test_two_roots_have_nothing_to_compare(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "other")
    repository.commit(BREAK)
    done = repository.run("gate", "--from", "main")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert "main and HEAD have no commit in common" in done.stderr


def test_a_shallow_clone_without_the_base_says_which_fetch_helps(repository: Repository, clone: Clone) -> None:
    base = repository.git("rev-parse", "HEAD")
    topic(repository, BREAK)
    shallow = clone(repository, "--depth", "1", "-b", "topic")
    for words in ([], ["--from", "main"], ["--from", base], ["--release"]):
        done = shallow.run("gate", *words)
        assert (done.exit_code, done.stdout) == (3, b"")
        assert "git fetch" in done.stderr or "--from names a base" in done.stderr


CLONES = {
    "one branch": ("--single-branch",),
    "one branch, shallow": ("--depth", "1"),
    "all branches, shallow": ("--depth", "1", "--no-single-branch"),
}
ASKED = [["--from", "main"], ["--from", "origin/main"], ["--from", "v1.0.0"], ["--from", "ID"], ["--release"], []]


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
@pytest.mark.parametrize("clone_words", CLONES.values(), ids=CLONES)
def test_the_fetch_that_is_named_helps(
    clone_words: tuple[str, ...], words: list[str], repository: Repository, clone: Clone
) -> None:
    repository.git("tag", "v1.0.0")
    words = [word.replace("ID", repository.git("rev-parse", "HEAD")) for word in words]
    repository.commit({"y": b"1"})
    topic(repository, BREAK)
    repository.commit({"x": b"1"})
    mine = clone(repository, *clone_words, "-b", "topic")
    mine.git("remote", "set-head", "origin", "--delete", check=False)
    for _ in range(2):
        done = mine.run("gate", *words)
        if done.exit_code == 2:
            break
        assert (done.exit_code, done.stdout) == (3, b"")
        (hint,) = re.findall(r"^hint: git (fetch .*?)(?:, or --from names a base)?$", done.stderr, re.MULTILINE)
        mine.git(*shlex.split(hint), environ={"GIT_ALLOW_PROTOCOL": "file"})
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


def test_no_commit_and_no_contract_are_nothing_to_compare(empty: Repository) -> None:
    assert "has no commit" in empty.run("gate").stderr
    empty.commit({"x": b"1"})
    empty.commit({"x": b"2"})
    done = empty.run("gate", "--from", "HEAD~1")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert "nothing to compare: no contract below registry" in done.stderr


def test_a_change_cannot_allow_itself(repository: Repository) -> None:
    topic(repository, {"registry/m.json": None, "protocolarc.toml": b'retired = ["m"]\n'})
    done = repository.run("gate")
    assert (done.exit_code, codes(done)) == (2, ["contract.removed", "policy.changed"])
    assert b"does not; let the policy in by a change of its own first (registry/m.json)\n" in done.stdout
    repository.git("checkout", "-q", "main")
    repository.commit({"protocolarc.toml": b'retired = ["m"]\n'})
    repository.git("checkout", "-q", "-b", "later")
    repository.commit({"registry/m.json": None, "registry/k.json": contract("k", "1.0.0")})
    done = repository.run("gate")
    assert (done.exit_code, codes(done)) == (0, ["contract.removed"])


PUBLISHED = [
    # What the policies of main and of a topic with a break name; the exit code; the base, or the reason.
    ((None, "HEAD~1"), 3, "the head alone says that HEAD~1 is published; the policy of main does not"),
    ((None, "gone"), 3, "the head alone says that gone is published; the policy of main does not"),
    ((None, "side"), 3, "the head alone says that side is published; the policy of main does not"),
    (("side", "HEAD~1"), 2, "against side ("),
    (("side", None), 2, "against side ("),
    (("side", "side"), 2, "against side ("),
    ((None, "main"), 2, "against merge-base of main and HEAD ("),
    (("gone", "gone"), 3, "the policy of main says what is published, and gone names no commit here"),
    (("gone", None), 3, "the policy of main says what is published, and gone names no commit here"),
]


@pytest.mark.parametrize(("names", "code", "told"), PUBLISHED, ids=range(len(PUBLISHED)))
def test_a_head_does_not_choose_what_it_is_held_against(
    names: tuple[str | None, str | None], code: int, told: str, repository: Repository, tmp_path: Path
) -> None:
    def policy(name: str | None) -> dict[str, bytes]:
        return {"protocolarc.toml": b"" if name is None else f'published = "{name}"\n'.encode()}

    repository.commit(policy(names[0]))
    repository.git("checkout", "-q", "-b", "side")
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    topic(repository, {**BREAK, **policy(names[1])})
    repository.commit({"x": b"1"})
    repository.git("checkout", "-q", "main")
    repository.commit({"y": b"1"})
    repository.git("checkout", "-q", "topic")
    pushed = github(tmp_path, "push", before=ZEROS, after=repository.git("rev-parse", "HEAD"))
    for environ in ({}, github(tmp_path, "workflow_dispatch"), {"GITLAB_CI": "true"}, pushed):
        done = repository.run("gate", environ=environ)
        assert (done.exit_code, told in done.stdout.decode() + done.stderr) == (code, True), done


@pytest.mark.parametrize("depth", ["1", "2"])
@pytest.mark.parametrize("ci", ["github", "gitlab"])
def test_a_first_push_of_the_default_branch_asks_for_all_of_it(
    ci: str, depth: str, repository: Repository, clone: Clone, tmp_path: Path
) -> None:
    repository.commit({"x": b"1"})
    after = repository.commit(BREAK)
    mine = clone(repository, "--depth", depth)
    stated = {"ref": "refs/heads/main", "repository": {"default_branch": "main"}}
    environ = {
        "github": github(tmp_path, "push", before=ZEROS, after=after, **stated),
        "gitlab": {
            "GITLAB_CI": "true",
            "CI_COMMIT_BEFORE_SHA": ZEROS,
            "CI_COMMIT_SHA": after,
            "CI_COMMIT_BRANCH": "main",
            "CI_DEFAULT_BRANCH": "main",
        },
    }[ci]
    reason = "nothing to compare: the default branch is new, and this clone has not all of it"
    assert mine.run("gate", environ=environ) == (3, b"", f"error: {reason}\nhint: git fetch --unshallow\n")
    mine.git("fetch", "-q", "--unshallow", environ={"GIT_ALLOW_PROTOCOL": "file"})
    done = mine.run("gate", environ=environ)
    assert (done.exit_code, b"every contract counts as new" in done.stdout) == (0, True)


SPELLED = [
    # What the policies of the remote's branch and of a topic name; the base, or the reason.
    ((None, "main"), "against origin/main ("),
    ((None, "origin/main"), "against origin/main ("),
    ((None, "refs/remotes/origin/main"), "against origin/main ("),
    (("origin/main", "main"), "against origin/main ("),
    (("main", None), "against main ("),
    ((None, "side"), "the head alone says that side is published; the policy of origin/HEAD does not"),
    (("origin/gone", "main"), "hint: git fetch origin gone:refs/remotes/origin/gone"),
]


@pytest.mark.parametrize(("names", "told"), SPELLED, ids=range(len(SPELLED)))
def test_a_local_branch_that_is_behind_is_no_other_one_than_that_of_the_remote(
    names: tuple[str | None, str | None], told: str, repository: Repository, clone: Clone
) -> None:
    def policy(name: str | None) -> dict[str, bytes]:
        return {"protocolarc.toml": b"" if name is None else f'published = "{name}"\n'.encode()}

    mine = clone(repository)
    repository.commit(policy(names[0]))
    mine.git("fetch", "-q", "origin", environ={"GIT_ALLOW_PROTOCOL": "file"})
    mine.git("branch", "side", "main")
    mine.git("checkout", "-q", "-b", "topic", "origin/main")
    mine.commit({**BREAK, **policy(names[1])})
    done = mine.run("gate")
    assert (done.exit_code, told in done.stdout.decode() + done.stderr) == (2 if "against" in told else 3, True), done


@pytest.mark.parametrize("name", ["main", "origin/main"])
def test_where_no_default_branch_is_known_what_is_published_is_named(
    name: str, repository: Repository, clone: Clone
) -> None:
    topic(repository, {**BREAK, "protocolarc.toml": f'published = "{name}"\n'.encode()})
    mine = clone(repository, "--single-branch", "-b", "topic")
    mine.git("remote", "set-head", "origin", "--delete", check=False)
    done = mine.run("gate")
    reason = f"nothing to compare: the policy of the head says what is published, and {name} names no commit here"
    hint = "git fetch origin main:refs/remotes/origin/main"
    assert done == (3, b"", f"error: {reason}\nhint: {hint}\n")
    mine.git(*hint.split()[1:], environ={"GIT_ALLOW_PROTOCOL": "file"})
    assert mine.run("gate").exit_code == 2


def without_default(repository: Repository, clone: Clone) -> Repository:
    """Clone a repository whose branch is ``develop``, and forget which one the remote says is its default."""
    repository.git("branch", "-m", "main", "develop")
    mine = clone(repository)
    mine.git("remote", "set-head", "origin", "--delete")
    return mine


def test_the_default_branch_that_ci_states_is_that_of_every_event(
    repository: Repository, clone: Clone, tmp_path: Path
) -> None:
    mine = without_default(repository, clone)
    topic(mine, BREAK)
    event = github(tmp_path, "workflow_dispatch", repository={"default_branch": "develop"})
    for environ in (event, {"GITLAB_CI": "true", "CI_DEFAULT_BRANCH": "develop"}):
        done = mine.run("gate", environ=environ)
        assert (done.exit_code, b" against origin/develop (" in done.stdout) == (2, True)
    assert mine.run("gate").exit_code == 3


@pytest.mark.parametrize(("name", "text"), [("protocolarc.toml", "path = 1\n"), ("waivers.toml", "x = [")])
def test_a_file_that_cannot_be_used_is_named_with_its_commit(name: str, text: str, repository: Repository) -> None:
    base = repository.commit({name: text})[:12]
    topic(repository, {name: None, "registry/k.json": contract("k", "1.0.0")})
    done = repository.run("gate", "--from", "main")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert re.fullmatch(rf"error: {name}: .* \(in main \({base}\)\)\n", done.stderr)


TWO = {"protocolarc.toml": b"immutable = true\n", "pyproject.toml": b"[tool.protocolarc]\nimmutable = false\n"}


@pytest.mark.parametrize("name", TWO)
def test_a_base_that_has_two_policies_lets_one_of_them_go(repository: Repository, name: str) -> None:
    repository.commit({**TWO, "registry/next.json": contract("m", "1.1.0", MORE)})
    base = repository.git("rev-parse", "HEAD")[:12]
    topic(repository, {"registry/m.json": None})
    done = repository.run("gate", "--from", "main")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert re.fullmatch(r"error: protocolarc\.toml and .* are both here; .* \(in HEAD \(\w+\)\)\n", done.stderr)
    repository.commit({name: None})
    done = repository.run("gate", "--from", "main")
    assert (done.exit_code, codes(done)[0]) == (1, "revision.removed")
    note = f"main ({base}) has a policy in protocolarc.toml and in pyproject.toml; that of protocolarc.toml is used"
    assert f"  note: {note}\n" in done.stdout.decode()
    repository.git("checkout", "-q", "main", "--", "registry")
    repository.commit()
    assert repository.run("gate", "--from", "main").exit_code == 0


def test_a_change_of_the_paths_hides_nothing(repository: Repository) -> None:
    files = {"protocolarc.toml": b'paths = ["other"]\n', "other/k.json": contract("k", "1.0.0"), **BREAK}
    topic(repository, files)
    done = repository.run("gate")
    assert (done.exit_code, codes(done)) == (2, ["contract.removed", "policy.changed"])


WAIVER = b"""[[waiver]]
contract = "m"
kind = "field.type.changed"
field = "a"
from = "1.0.0"
to = "1.0.1"
reason = "nobody uses it"
owner = "me"
expires = 2026-06-30
"""
SMALL = {"registry/m.json": contract("m", "1.0.1", INTEGER)}


def test_a_waiver_of_the_base_lets_its_change_through_until_its_day(repository: Repository) -> None:
    repository.commit({"waivers.toml": WAIVER})
    topic(repository, SMALL)
    assert repository.run("gate", "--now", "2026-06-30").exit_code == 0
    over = repository.run("gate", "--now", "2026-07-01")
    assert (over.exit_code, codes(over)) == (2, ["bump.missing", "waiver.expired"])
    repository.commit({"waivers.toml": None})
    done = repository.run("gate", "--now", "2026-06-30")
    assert (done.exit_code, codes(done)) == (0, ["policy.changed"])


def test_what_passes_by_a_waiver_is_told_with_who_answers_for_it(repository: Repository) -> None:
    repository.commit({"waivers.toml": WAIVER.replace(b'"me"', b'"me\\n<b>"')})
    topic(repository, SMALL)
    told = "m: 1.0.0 -> 1.0.1, field.type.changed at a is waived by me\\n<b> until 2026-06-30: nobody uses it"
    done = repository.run("gate", "--now", "2026-01-01")
    assert done.stdout.decode().splitlines()[1] == "  note: " + told
    report = json.loads(repository.run("gate", "--now", "2026-01-01", "--format", "json").stdout)
    assert report["notes"] == [told]
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    assert b"waived" not in repository.run("gate", "--from", "HEAD~1", "--now", "2026-01-01").stdout


LATER = {
    # What the file becomes while the waiver is there, the exit code and the codes.
    "the change has not come": ({"registry/k.json": contract("k", "1.0.0")}, 0, ["waiver.unused"]),
    "the change": ({"registry/m.json": contract("m", "1.3.0", OTHER)}, 0, []),
    "no change of it": ({"registry/m.json": contract("m", "1.2.1")}, 0, ["waiver.unused"]),
    "another one": ({"registry/m.json": contract("m", "1.4.0", OTHER)}, 2, ["chain.breaking", "waiver.unused"]),
}


@pytest.mark.parametrize(("files", "code", "found"), LATER.values(), ids=LATER)
def test_a_break_of_what_the_file_was_before_can_be_waived(
    files: Mapping[str, bytes], code: int, found: list[str], repository: Repository
) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    waiver = WAIVER.replace(b'"a"', b'"b"').replace(b'"1.0.0"', b'"1.1.0"').replace(b'"1.0.1"', b'"1.3.0"')
    repository.commit({"registry/m.json": contract("m", "1.2.0"), "waivers.toml": waiver})
    topic(repository, files)
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (code, found), done.stdout


@pytest.mark.parametrize("words", [(b'"1.0.0"', b'"one"'), (b'"1.0.1"', b'"1"'), (b'"1.0.1"', b'"0.9.0"')])
def test_a_waiver_that_no_change_can_need_matches_nothing(words: tuple[bytes, bytes], repository: Repository) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE), "waivers.toml": WAIVER.replace(*words)})
    topic(repository, {"registry/k.json": contract("k", "1.0.0")})
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (1, ["waiver.unused"])


def test_a_waiver_of_any_words_stays_in_its_line(repository: Repository) -> None:
    repository.commit({"waivers.toml": WAIVER.replace(b'"m"', '"m\\n\u00e9"'.encode())})
    topic(repository, {"registry/k.json": contract("k", "1.0.0")})
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (1, ["waiver.unused"])
    assert b"m\\n\\u00e9: the waiver of field.type.changed at a matches nothing (waivers.toml)\n" in done.stdout


def test_the_default_branch_of_the_event_counts_as_the_remote_has_it(
    repository: Repository, clone: Clone, tmp_path: Path
) -> None:
    mine = without_default(repository, clone)
    after = topic(mine, BREAK)
    push = {"before": ZEROS, "after": after}
    environ = github(tmp_path, "push", **push, repository={"default_branch": "develop"})
    done = mine.run("gate", environ=environ)
    assert (done.exit_code, b"; compared with origin/develop (" in done.stdout) == (2, True)
    assert mine.run("gate", environ=github(tmp_path, "push", **push)).exit_code == 3


def test_a_stale_local_branch_is_not_the_target(repository: Repository, clone: Clone, tmp_path: Path) -> None:
    mine = clone(repository)
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    mine.git("fetch", "-q", environ={"GIT_ALLOW_PROTOCOL": "file"})
    mine.git("checkout", "-q", "-b", "topic", "origin/main")
    head = mine.commit({"x": b"1"})
    done = mine.run("gate", environ=pull_request(tmp_path, head))
    assert (done.exit_code, codes(done)) == (0, [])
    assert b" against origin/main (" in done.stdout


def test_a_waiver_of_one_field_says_nothing_of_another(repository: Repository) -> None:
    repository.commit({"registry/m.json": contract("m", "1.0.0", "a: string; b: string")})
    repository.commit({"waivers.toml": WAIVER})
    topic(repository, {"registry/m.json": contract("m", "1.0.1", "a: integer; b: integer")})
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    repository.commit({"registry/m.json": contract("m", "1.0.1", "a: integer; b: string")})
    assert repository.run("gate", "--now", "2026-01-01").exit_code == 0


@pytest.mark.parametrize("change", [(b'"a"', b'"b"'), (b"field.type.changed", b"field.removed.required")])
def test_a_waiver_whose_step_came_without_its_change_matches_nothing(
    change: tuple[bytes, bytes], repository: Repository
) -> None:
    assert change[0] in WAIVER
    repository.commit({"waivers.toml": WAIVER.replace(*change)})
    topic(repository, {"registry/m.json": contract("m", "1.0.1", "a: string")})
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (1, ["waiver.unused"])


def test_a_waiver_of_the_head_does_not_count(repository: Repository) -> None:
    topic(repository, {"waivers.toml": WAIVER, **SMALL})
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing", "policy.changed"])


def test_a_waiver_that_matches_nothing_is_an_error_unless_its_change_may_come(repository: Repository) -> None:
    repository.commit({"waivers.toml": WAIVER})
    topic(repository, {"registry/k.json": contract("k", "1.0.0")})
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (0, ["waiver.unused"])
    repository.git("checkout", "-q", "main")
    repository.commit(SMALL)
    repository.git("checkout", "-q", "-b", "later")
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    done = repository.run("gate", "--now", "2026-01-01")
    assert (done.exit_code, codes(done)) == (1, ["waiver.unused"])
    repository.commit({"waivers.toml": None})
    assert repository.run("gate", "--now", "2026-01-01").exit_code == 0


BAD_WAIVERS = [
    (WAIVER.replace(b"owner", b"own"), "waivers.toml waiver 1: the key 'owner' is missing"),
    (WAIVER + b"x = 1\n", "waivers.toml waiver 1: unknown key 'x'"),
    (WAIVER.replace(b"2026-06-30", b'"soon"'), "expires: 'soon' is no date such as 2026-12-31"),
    (WAIVER.replace(b'"me"', b'" "'), "owner: expects a string"),
    (b"waiver = 1\n", "waivers.toml: expects [[waiver]] tables"),
    (b"[x]\n", "waivers.toml: unknown key 'x'"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_WAIVERS, ids=range(len(BAD_WAIVERS)))
def test_waivers_that_cannot_be_used_are_an_input_error(repository: Repository, text: bytes, reason: str) -> None:
    repository.commit({"waivers.toml": text})
    topic(repository, SMALL)
    done = repository.run("gate")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert reason in done.stderr


def test_the_gate_is_transitive_unless_told_otherwise(repository: Repository) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    repository.commit({"registry/m.json": contract("m", "1.2.0")})
    topic(repository, {"registry/m.json": contract("m", "1.3.0", OTHER)})
    assert codes(repository.run("gate")) == ["chain.breaking"]
    assert codes(repository.run("gate", "--pairwise")) == []


def test_a_number_that_comes_back_is_an_error_in_the_gate(repository: Repository) -> None:
    repository.commit({"registry/m.json": None, "registry/k.json": contract("k", "1.0.0")})
    topic(repository, {"registry/m.json": contract("m", "1.0.0", INTEGER)})
    done = repository.run("gate")
    assert (done.exit_code, codes(done)) == (1, ["revision.reused"])
    repository.commit({"registry/m.json": contract("m", "1.0.1", INTEGER)})
    assert codes(repository.run("gate")) == ["chain.breaking"]
    repository.commit({"registry/m.json": contract("m", "2.0.0", INTEGER)})
    assert repository.run("gate").exit_code == 0


@pytest.mark.parametrize("path", ["registry/m.json", "registry/m-1.1.0.json"], ids=["one file", "a file for each"])
def test_a_merge_that_loses_what_one_side_had(path: str, repository: Repository) -> None:
    topic(repository, {path: contract("m", "1.1.0", MORE)})
    repository.git("checkout", "-q", "main")
    repository.commit({"x": b"1"})
    repository.git("merge", "-q", "-s", "ours", "-m", "merge", "topic")
    done = repository.run("gate", "--from", "HEAD^1")
    assert (done.exit_code, codes(done)) == (1, ["revision.lost-in-merge"])


K = contract("k", "1.0.0")
LOST: dict[str, tuple[Files, Files, Files, Files, int]] = {
    # What main had before the branch left; what the branch and main do then; what the merge holds; the exit code.
    "it came on the branch": ({}, {"registry/k.json": K}, {"x": b"1"}, {}, 1),
    "it stays": ({}, {"registry/k.json": K}, {"x": b"1"}, {"registry/k.json": K}, 0),
    "it stays elsewhere": ({}, {"registry/k.json": K}, {"x": b"1"}, {"registry/deep/k.json": K}, 0),
    "main had removed it": ({"registry/k.json": K}, {"x": b"1"}, {"registry/k.json": None}, {}, 0),
    "main has retired it": ({}, {"registry/k.json": K}, {"protocolarc.toml": b'retired = ["k"]\n'}, {}, 0),
}


@pytest.mark.parametrize("case", LOST.values(), ids=LOST)
def test_a_merge_that_loses_a_whole_contract(
    case: tuple[Files, Files, Files, Files, int], repository: Repository
) -> None:
    first, branch, main, result, exit_code = case
    repository.commit(first)
    topic(repository, branch)
    repository.git("checkout", "-q", "main")
    repository.commit(main)
    repository.git("merge", "-q", "--no-ff", "--no-commit", "-s", "ours", "topic")
    repository.stage(result)
    hook = repository.run("check")
    repository.commit()
    done = repository.run("gate", "--from", "HEAD^1"), repository.run("check", "--from", "HEAD^1", "--to", "HEAD")
    for found in (hook, *done):
        assert (found.exit_code, "revision.lost-in-merge" in codes(found)) == (exit_code, exit_code == 1), found.stdout


def test_what_the_branch_of_a_merge_removed_is_judged_in_the_gate(repository: Repository, tmp_path: Path) -> None:
    head = topic(repository, {"registry/m.json": None, "registry/k.json": K})
    repository.git("checkout", "-q", "main")
    repository.commit({"x": b"1"})
    merge_ref(repository)
    done = repository.run("gate", environ=pull_request(tmp_path, head))
    assert (done.exit_code, codes(done)) == (2, ["contract.removed"])


def test_a_branch_may_give_up_a_draft_of_its_own_while_it_merges(repository: Repository) -> None:
    topic(repository, {"registry/k.json": K})
    repository.git("checkout", "-q", "main")
    repository.commit({"x": b"1"})
    repository.git("checkout", "-q", "topic")
    repository.git("merge", "-q", "--no-ff", "--no-commit", "main")
    repository.commit({"registry/k.json": None})
    assert codes(repository.run("check", "--from", "main")) == codes(repository.run("gate", "--from", "main")) == []


def test_every_parent_of_an_octopus_counts(repository: Repository) -> None:
    for name, files in (
        ("one", {"x": b"1"}),
        ("two", {"y": b"1"}),
        ("three", {"registry/m.json": contract("m", "1.1.0", MORE)}),
    ):
        repository.git("checkout", "-q", "-b", name, "main")
        repository.commit(files)
    repository.git("checkout", "-q", "main")
    repository.commit({"z": b"1"})
    repository.git("merge", "-q", "--no-ff", "--no-commit", "-s", "ours", "one", "two", "three")
    assert codes(repository.run("check")) == ["revision.lost-in-merge"]
    repository.commit()
    done = repository.run("gate", "--from", "HEAD^1")
    assert (done.exit_code, codes(done)) == (1, ["revision.lost-in-merge"])


def test_a_merge_of_the_target_into_the_branch_is_no_merge_ref(repository: Repository, tmp_path: Path) -> None:
    topic(repository, BREAK)
    repository.git("checkout", "-q", "main")
    repository.commit({"x": b"1"})
    repository.git("checkout", "-q", "topic")
    head = repository.merge("main")
    done = repository.run("gate", environ=pull_request(tmp_path, head))
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


CROSSED = [
    (contract("m", "1.1.0", "a: string; b: any opt"), (0, [])),
    (contract("m", "1.2.0", "a: string; b: any opt; c: any opt"), (0, [])),
    (contract("m", "1.1.0", "a: string; c: any opt"), (1, ["bump.missing"])),
    (contract("m", "1.0.0"), (1, ["revision.regressed"])),
    (contract("m", "1.2.0", "a: integer"), (2, ["bump.missing"])),
    (None, (2, ["contract.removed"])),
]


@pytest.mark.parametrize("newest", ["1.0.0", "1.1.0"])
@pytest.mark.parametrize(("data", "expected"), CROSSED, ids=range(len(CROSSED)))
def test_of_several_merge_bases_each_counts(
    empty: Repository, data: bytes | None, expected: tuple[int, list[str]], newest: str
) -> None:
    policy = b'published = "main"\nimmutable = true\ntransitive = false\n'
    empty.commit({"registry/m.json": contract("m", "1.0.0"), "protocolarc.toml": policy})
    empty.git("checkout", "-q", "-b", "b")
    empty.git("branch", "other")
    step = {"registry/m.json": contract("m", "1.1.0", "a: string; b: any opt")}
    for branch, files in [("other", {"x": b"1"}), ("b", step)][:: 1 if newest == "1.1.0" else -1]:
        empty.git("checkout", "-q", branch)
        empty.commit(files)
    empty.git("checkout", "-q", "main")
    empty.merge("other")
    empty.git("merge", "-q", "--no-ff", "-m", "merge", "b")
    empty.git("checkout", "-q", "b")
    empty.merge("other")
    assert len(empty.git("merge-base", "--all", "main", "b").split()) == 2
    empty.stage({"registry/m.json": data, "registry/k.json": contract("k", "1.0.0")})
    staged = empty.run("check")
    assert (staged.exit_code, codes(staged)) == expected
    empty.commit({})
    for words in (("gate", "--from", "main", "--to", "b"), ("check", "--from", "main", "--to", "b")):
        done = empty.run(*words)
        assert (done.exit_code, codes(done)) == expected
        assert b"note: there are 2 merge bases, " in done.stdout


def test_the_gate_works_in_a_bare_repository(repository: Repository, clone: Clone) -> None:
    topic(repository, BREAK)
    bare = clone(repository, "--bare")
    done = bare.run("gate", "--from", "main", "--to", "topic")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
