"""``check`` at a commit: the index that git chose against ``HEAD``. Most commits touch no contract: they end here.

What follows when one does is loaded then.
"""

from __future__ import annotations

from collections.abc import Mapping

from protocolarc.gitstore.entries import GITLINK, SYMLINK, list_index, list_tree
from protocolarc.gitstore.plumbing import Git
from protocolarc.registry import refs, sources
from protocolarc.registry.refs import Point
from protocolarc.registry.request import Request
from protocolarc.registry.sources import encode_paths
from protocolarc.values.judgement import CheckResult
from protocolarc.values.policy import Policy
from protocolarc.values.record import NamedTuple

_HIDING = (SYMLINK.encode(), GITLINK.encode())
"""What may stand where the contracts should: that nothing changed in it is no success."""


class Listings(NamedTuple):
    """The records of ``HEAD`` and of the index below the paths of a policy, and the commits that are merged."""

    base: Point
    before: list[bytes]
    after: list[bytes]
    merged: list[Point]
    policy: Policy


def check_staged(git: Git, request: Request, environ: Mapping[str, str]) -> CheckResult:
    """Judge what the next commit changes.

    Raises:
        GitError: git cannot answer. ConfigError: the policy file or the waivers cannot be used.
    """
    base = refs.head_point(git)
    decided = sources.decide(sources.from_index(git))
    merged = refs.merging(git, list(environ))
    same_policy = sources.is_policy_of(git, base, decided)
    others = merged if same_policy else [base, *merged]
    listed = list_sides(git, base, merged, sources.widened(git, decided.policy, others))
    count = sum(record.endswith(b".json") for record in listed.after)
    hidden = not count and any(record.startswith(_HIDING) for record in listed.after)
    if listed.before == listed.after and not merged and not hidden and (same_policy or not listed.after):
        note = f"nothing is staged below {sources.shown(listed.policy.paths)}; gate judges commits"
        if not listed.after:
            note = sources.nothing_below(listed.policy, "HEAD nor staged")
        return CheckResult("index", base.label, base.label, count, (), (note,))
    from protocolarc.registry.check import check_listings  # noqa: PLC0415  # see above

    return check_listings(git, listed, decided, request, whole=not same_policy)


def list_sides(git: Git, base: Point, merged: list[Point], policy: Policy) -> Listings:
    """List ``HEAD`` and the index. One process.

    Raises:
        GitError: one of them cannot be read.
    """
    paths = encode_paths(policy)
    before = [] if base.oid is None else list_tree(git, base.oid, paths)
    return Listings(base, before, list_index(git, paths), merged, policy)
