"""``check`` of commits: what a branch changes since it left its base."""

from __future__ import annotations

from functools import partial

from protocolarc.engine.policy import Terms
from protocolarc.gitstore.entries import list_tree
from protocolarc.gitstore.plumbing import Git, GitError
from protocolarc.registry import refs, sources
from protocolarc.registry.changes import Head, Rules, Sides, compare, of_objects
from protocolarc.registry.check import conclude, published_point, valid
from protocolarc.registry.labels import doubtful_objects
from protocolarc.registry.refs import NOTHING, Point
from protocolarc.registry.request import Request
from protocolarc.registry.sides import fork_of
from protocolarc.registry.sources import encode_paths
from protocolarc.values.judgement import CheckResult
from protocolarc.values.policy import Policy

_BRANCH = "refs/heads/"


def check_range(git: Git, request: Request) -> CheckResult:
    """Judge what the commits of a branch change since it left its base.

    Raises:
        GitError: git cannot answer, or there is nothing to compare with.
        ConfigError: the policy file or the waivers cannot be used.
    """
    head = refs.resolve(git, request.head or "HEAD")
    decided = sources.decide(sources.from_commit(git, head))
    base, notes = range_base(git, request.base, head, decided.policy)
    anchor = base
    if request.pushed is not None:
        anchor, more = pushed_point(git, request.pushed, base, head, decided.policy)
        notes += more
    parents = refs.parents(git, head)
    sides = Sides(base, anchor, parents, fork_of(git, parents))
    policy = sources.widened(git, decided.policy, [base, anchor, sides.fork, *parents])
    whole = not sources.is_policy_of(git, base, decided)
    rules = Rules(decided.policy, Terms(policy, valid(decided.waivers, request.now)), whole)
    found = compare(git, of_commit(git, head, policy), sides, rules)
    found = found._replace(comparison=found.comparison._replace(judge_merged=True))
    return conclude(git, found, base, request, notes)


def of_commit(git: Git, point: Point, policy: Policy) -> Head:
    """Return a commit as a head.

    Raises:
        GitError: its tree cannot be read.
    """
    records = list_tree(git, str(point.oid), encode_paths(policy))
    return of_objects(git, point.label, records, partial(doubtful_objects, git))


def range_base(git: Git, name: str | None, head: Point, policy: Policy) -> tuple[Point, list[str]]:
    """Return where a range begins, and what there is to say about it.

    Raises:
        GitError: a name does not resolve, or two commits have nothing in common.
    """
    if name is not None and not refs.is_unknown(git, name):
        named = refs.resolve(git, name)
        base = refs.common_ancestor(git, named, head)
        return base, [refs.nothing_new(named, head)] if base.oid == head.oid else []
    why = "no base was named" if name is None else f"the base {name[:12]} is not known here"
    if name is not None and not name.strip("0"):
        why = "nothing was there before"
    default = refs.default_branch(git, policy.published)
    if git.shallow and default is None:
        raise refs.no_default_branch(git)
    if git.shallow and default is not None and default.oid == head.oid:
        reason = f"nothing to compare: {why}, and this clone is shallow: what {default.name} was before is not here"
        raise GitError(reason, f"{refs.UNSHALLOW} origin, or --from names a base")
    if default is not None and default.oid == head.oid == git.commit(f"refs/remotes/{default.name}"):
        return head, [refs.nothing_new(default, head)]
    if default is None or default.oid == head.oid:
        lacking = "there is no other branch to compare with"
        if default is None and policy.published is not None:
            lacking = f"published {policy.published} names no commit here"
        return NOTHING, [f"{why}, and {lacking}: every contract counts as new"]
    if not git.shallow and not refs.merge_bases(git, default, head):
        return NOTHING, [f"{why}, and {head.name} shares no commit with {default.name}: every contract counts as new"]
    base = refs.common_ancestor(git, default, head)
    return base, [f"{why}; compared with {base.label}"]


def pushed_point(git: Git, remote: str, base: Point, head: Point, policy: Policy) -> tuple[Point, list[str]]:
    """Return what others can already have of what is pushed: of a branch, what it had when it left the published one.

    What is pushed to the published branch itself, or as a tag, is held against what the remote has of it.

    Raises:
        GitError: git cannot answer.
    """
    if base.oid is None or not remote.startswith(_BRANCH):
        return base, []
    anchor, notes = published_point(git, head, [], policy, base=base)
    if anchor[::2] == base[::2]:  # the same commits, whatever they are called
        return base, notes
    branch = remote.removeprefix(_BRANCH)
    return (base, []) if f"/{_published(git, policy)}".endswith(f"/{branch}") else (anchor, notes)


def _published(git: Git, policy: Policy) -> str:
    """Return what the published branch is called; the head of a remote is a reference to it. One process at most."""
    point = refs.default_branch(git, policy.published, local=False)
    name = "" if point is None else point.name
    if not name.endswith("/HEAD"):
        return name
    return git.ask("symbolic-ref", "-q", f"refs/remotes/{name}")[1].decode("utf-8", "surrogateescape").strip()
