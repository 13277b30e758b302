"""``check`` at a commit: the index that git chose against ``HEAD``. Most commits touch no contract: they end here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from protocolarc.gitstore.entries import GITLINK, SYMLINK, is_below, is_document, list_index, list_tree, path_of
from protocolarc.gitstore.plumbing import Git
from protocolarc.registry import refs, sources
from protocolarc.registry.refs import Point
from protocolarc.registry.sources import Decided, encode_paths
from protocolarc.values.judgement import CheckResult
from protocolarc.values.policy import Policy
from protocolarc.values.record import NamedTuple

_HIDING = (SYMLINK.encode(), GITLINK.encode())
"""What may stand where the contracts should: that nothing changed in it is no success."""


class Listings(NamedTuple):
    """The records of ``HEAD`` and of the index below the paths of a policy, the commits that are merged, and the rules.

    ``policy`` has all paths that are read below, ``decided`` those of the index alone; ``HEAD`` may have others.
    """

    base: Point
    merged: list[Point]
    decided: Decided
    same_policy: bool
    policy: Policy
    before: list[bytes]
    after: list[bytes]


def list_staged(git: Git, environ: Mapping[str, str]) -> Listings:
    """List what the next commit changes, and what it is held against. One process.

    Raises:
        GitError: git cannot answer. ConfigError: the policy file or the waivers cannot be used.
    """
    base = refs.head_point(git)
    decided = sources.decide(sources.from_index(git))
    merged = refs.merging(git, list(environ))
    same_policy = sources.is_policy_of(git, base, decided)
    policy = sources.widened(git, decided.policy, merged if same_policy else [base, *merged])
    return list_below(git, Listings(base, merged, decided, same_policy, decided.policy, [], []), policy)


def list_below(git: Git, listed: Listings, policy: Policy) -> Listings:
    """List the same below the paths of another policy. One process.

    Raises:
        GitError: one of the sides cannot be read.
    """
    paths, oid = encode_paths(policy), listed.base.oid
    before = [] if oid is None else list_tree(git, oid, paths)
    return listed._replace(policy=policy, before=before, after=list_index(git, paths))


def without_a_change(listed: Listings) -> CheckResult | None:
    """Return the result where nothing is staged that the rules would speak of; ``None`` where something is."""
    base, before, after = listed.base.label, listed.before, listed.after
    if before != after or listed.merged or (after and not listed.same_policy):
        return None
    count = sum(record.endswith(b".json") for record in after)
    hiding = [path_of(record) for record in after if record.startswith(_HIDING)]
    if hiding and (not any(map(is_document, after)) or _hides_any(hiding, encode_paths(listed.policy))):
        return None
    note = f"nothing is staged below {sources.shown(listed.policy.paths)}; gate judges commits"
    if not after:
        note = sources.nothing_below(listed.policy, "HEAD nor staged")
    return CheckResult("index", base, base, count, (), (note,))


def _hides_any(hiding: Iterable[bytes], paths: Iterable[bytes]) -> bool:
    """Tell whether something stands in the place of a path of the policy, or of a folder above it."""
    return any(is_below(path, one) for path in paths for one in hiding)
