"""What a CI run is about: two commits, out of the variables and the event file that GitHub and GitLab set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

from protocolarc.gitstore.objects import is_name
from protocolarc.gitstore.plumbing import Git, GitError, object_id
from protocolarc.registry import refs
from protocolarc.registry.event import read_event
from protocolarc.registry.refs import UNSHALLOW, Point

Branch: TypeAlias = Callable[[str | None], Point | None]
"""Finds the default branch; it is given the name that CI has for it, or none."""
Default: TypeAlias = Callable[[], Point | None]
"""Finds the default branch when a comparison needs it."""


class Context(NamedTuple):
    """What is compared. ``base`` is where the comparison starts, already a common ancestor where it must be one."""

    base: Point
    head: Point
    notes: tuple[str, ...] = ()


class Pushed(NamedTuple):
    """What CI says about a push. ``is_default`` says that it is one, and of the default branch."""

    before: str
    after: str
    is_default: bool


def of_range(git: Git, base: str | None, head: str | None, default: Default) -> Context:
    """Compare a commit with where it left its base.

    Raises:
        GitError: a name does not resolve, or two commits have nothing in common.
    """
    tip = refs.resolve(git, head or "HEAD")
    if base is None:
        return _against_default(git, tip, default)
    if refs.is_unknown(git, base):
        return _unknown_base(git, base, tip, default)
    return _since(git, refs.resolve(git, base), tip)


def of_release(git: Git, head: str | None, pattern: str) -> Context:
    """Compare with the last release.

    Raises:
        GitError: a higher release is outside the history, or a shallow clone has none.
    """
    tip = refs.resolve(git, head or "HEAD")
    base = refs.release_base(git, tip, pattern)
    notes = () if base.oid else (f"no earlier release matches {pattern}: every contract counts as new",)
    return Context(base, tip, notes)


def of_environment(git: Git, environ: Mapping[str, str], branch: Branch) -> Context:
    """Compare what a CI run is about; elsewhere, ``HEAD`` with where it left the default branch.

    Raises:
        GitError: there is nothing to compare, or the event file cannot be read.
    """
    if environ.get("GITHUB_ACTIONS") == "true":
        return _of_github(git, environ, branch)
    if environ.get("GITLAB_CI") == "true":
        return _of_gitlab(git, environ, branch)
    return of_range(git, None, None, partial(branch, None))


def _of_github(git: Git, environ: Mapping[str, str], branch: Branch) -> Context:
    event, kind = read_event(environ.get("GITHUB_EVENT_PATH", "")), environ.get("GITHUB_EVENT_NAME", "")
    named = event.text("repository", "default_branch")
    default = partial(branch, _known(git, named))
    if kind in ("pull_request", "pull_request_review", "pull_request_target"):
        target = event.text("pull_request", "base", "ref") or environ.get("GITHUB_BASE_REF", "")
        source = event.commit("pull_request", "head", "sha")
        if kind == "pull_request_target" and not _is_checked_out(git, source):
            number = event.member("number")
            merged = f"refs/pull/{number if type(number) is int else 'N'}/merge"
            raise GitError(
                "nothing to compare: HEAD is not the pull request; pull_request_target checks out its base",
                f"git fetch origin {merged} && protocolarc gate --from FETCH_HEAD^1 --to FETCH_HEAD",
            )
        return _pull_request(git, source, target, default)
    if kind == "merge_group":
        base, head = (event.needed_commit("merge_group", key) for key in ("base_sha", "head_sha"))
        return of_range(git, base, head, default)
    if kind == "push":
        is_default = named != "" and event.text("ref") == f"refs/heads/{named}"
        return _push(git, Pushed(event.commit("before"), event.commit("after") or "HEAD", is_default), default)
    return of_range(git, None, None, default)


def _of_gitlab(git: Git, environ: Mapping[str, str], branch: Branch) -> Context:
    default = partial(branch, _known(git, environ.get("CI_DEFAULT_BRANCH")))
    target = environ.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
    if target:
        head = environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or environ.get("CI_COMMIT_SHA", "")
        try:
            return _pull_request(git, head, target, default)
        except GitError:
            fork = environ.get("CI_MERGE_REQUEST_DIFF_BASE_SHA")
            if not fork or git.commit(fork) is None:
                raise
            return of_range(git, fork, "HEAD", default)
    before = environ.get("CI_COMMIT_BEFORE_SHA")
    if not before:
        return of_range(git, None, None, default)
    # Zeros of a push mean a new branch; a schedule, or a person who starts a pipeline, has no before.
    is_push = environ.get("CI_PIPELINE_SOURCE", "push") == "push"
    is_default = is_push and environ.get("CI_COMMIT_BRANCH", "") == environ.get("CI_DEFAULT_BRANCH")
    after = environ.get("CI_COMMIT_SHA") or "HEAD"
    return _push(git, Pushed(before, after, is_default), default)


def _pull_request(git: Git, head: str, target: str, default: Default) -> Context:
    """Compare a merge ref with its first parent, which is the target as it is; else the branch with its fork."""
    tip = refs.resolve(git, "HEAD")
    recorded = _recorded_parents(git, tip)
    if len(recorded) > 1 and recorded[1] == head:
        base = git.commit(recorded[0])
        if base is None or git.commit(f"{tip.oid}^1") is None:
            reason = "nothing to compare: this clone is shallow and lacks the first parent of the merge"
            raise GitError(reason, "git fetch --deepen=1, or fetch-depth: 2 for actions/checkout")
        return Context(Point(base, "first parent of HEAD"), tip)
    return of_range(git, _known(git, target) or target or None, "HEAD", default)


def _is_checked_out(git: Git, head: str) -> bool:
    """Tell whether ``HEAD`` is the last commit of a pull request, or its merge."""
    tip = refs.resolve(git, "HEAD")
    return head in (tip.oid, *_recorded_parents(git, tip)[1:2])


def _recorded_parents(git: Git, point: Point) -> list[str]:
    """Return the parents that a commit names, whether this clone has them or not."""
    answer = git.read(str(point.oid))
    data = b"" if answer is None or answer.data is None else answer.data
    head = data.split(b"\n\n")[0].split(b"\n")
    return [line.removeprefix(b"parent ").decode("ascii") for line in head if line.startswith(b"parent ")]


def _known(git: Git, branch: str | None) -> str | None:
    """Return the name of a branch as the remote has it, if this clone knows it."""
    name = f"origin/{branch}"
    return name if branch and is_name(name) and git.commit(f"refs/remotes/{name}") is not None else None


def _push(git: Git, pushed: Pushed, default: Default) -> Context:
    """Compare what was pushed with what was there, when that is still in its history.

    The first push of the default branch itself has nothing before it: then every contract is new.
    """
    before, after = pushed.before, pushed.after
    if after and not after.strip("0"):
        raise GitError("nothing to compare: the push deleted a branch")
    tip = refs.resolve(git, after)
    known = object_id(before) and before.strip("0") and git.commit(before)
    if known:
        base = Point(before, "before")
        if refs.is_ancestor(git, base, tip):
            return _since(git, base, tip)
        if git.shallow:
            raise GitError("nothing to compare: shallow clone, the commit before the push is cut off", UNSHALLOW)
    elif git.shallow and before.strip("0"):
        raise GitError(f"nothing to compare: this shallow clone lacks {before}, the commit before the push", UNSHALLOW)
    if pushed.is_default and object_id(before) and not before.strip("0"):
        if git.shallow:
            raise GitError("nothing to compare: the default branch is new, and this clone has not all of it", UNSHALLOW)
        return Context(refs.NOTHING, tip, ("the default branch is new: every contract counts as new",))
    return _unknown_base(git, before, tip, default)


def _unknown_base(git: Git, before: str, tip: Point, default: Default) -> Context:
    """Compare with the default branch, because the base is new, gone or rewritten."""
    is_new = not before.strip("0")
    is_here = not is_new and object_id(before) is not None and git.commit(before) is not None
    end = "" if is_here else ", nor in this clone"
    why = "nothing was there before" if is_new else f"the base {before[:12]} is not in the history of {tip.name}{end}"
    branch = default()
    if branch is not None and branch.oid == tip.oid and object_id(before) and not is_new:
        reason = f"nothing to compare: {why}, so this branch was rewritten, and it is the default branch itself"
        raise GitError(reason, "--from names a commit that it had before, --release compares with the last release")
    found = _against_default(git, tip, lambda: branch)
    return found._replace(notes=(f"{why}; compared with {found.base.label}",))


def _against_default(git: Git, tip: Point, default: Default) -> Context:
    found = default()
    if found is None:
        raise refs.no_default_branch(git)
    return _since(git, found, tip)


def _since(git: Git, base: Point, tip: Point) -> Context:
    """Compare a commit with where it left its base. It must have left it."""
    found = refs.common_ancestor(git, base, tip)
    if found.oid == tip.oid:
        hint = "--from names a base before it, --release compares with the last release"
        raise GitError(f"nothing to compare: {refs.nothing_new(base, tip)}", hint)
    return Context(found, tip)
