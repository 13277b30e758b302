"""``check`` at a commit: the index that git chose against ``HEAD``. Most commits touch no contract: they end here.

What follows when one does is loaded then.
"""

from __future__ import annotations

from collections.abc import Mapping

from protocolarc.gitstore.entries import list_index, list_tree
from protocolarc.gitstore.plumbing import Git
from protocolarc.registry import refs, sources
from protocolarc.registry.request import Request
from protocolarc.registry.sources import encode_paths
from protocolarc.values.judgement import CheckResult


def check_staged(git: Git, request: Request, environ: Mapping[str, str]) -> CheckResult:
    """Judge what the next commit changes.

    Raises:
        GitError: git cannot answer. ConfigError: the policy file or the waivers cannot be used.
    """
    base = refs.head_point(git)
    decided = sources.decide(sources.from_index(git))
    paths = encode_paths(decided.policy)
    before = [] if base.oid is None else list_tree(git, base.oid, paths)
    after = list_index(git, paths)
    merged = refs.merging(git, list(environ))
    if before == after and not merged:
        count = sum(record.endswith(b".json") for record in after)
        note = f"nothing is staged below {' '.join(decided.policy.paths)}; gate judges commits"
        if not after:
            note = sources.nothing_below(decided.policy, "HEAD nor staged")
        return CheckResult("index", base.label, base.label, count, (), (note,))
    from protocolarc.registry.changes import Listings, judge_listings  # noqa: PLC0415  # see above

    return judge_listings(git, Listings(base, before, after, merged), decided, request)
