"""The sides of a comparison beside head and base: every parent of a merge; and whose the folders of either are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protocolarc.engine.judge import Comparison
from protocolarc.gitstore.entries import is_below
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.snapshot import show_path
from protocolarc.registry import refs
from protocolarc.registry.refs import NOTHING, Point
from protocolarc.registry.sources import encode_paths
from protocolarc.values.policy import Policy
from protocolarc.values.snapshot import Snapshot


def fork_of(git: Git, parents: Sequence[Point]) -> Point | None:
    """Return what the parents of a merge have in common; ``None`` for one parent, and where a shallow clone cannot say.

    One process for a merge.

    Raises:
        GitError: git cannot tell.
    """
    if len(parents) < 2:  # noqa: PLR2004  # one parent is no merge
        return None
    found = refs.merge_bases(git, *parents)
    if not found:
        return None if git.shallow else NOTHING
    return Point(found[0], "fork", tuple(found[1:]))


def with_parents(
    compared: Comparison, parents: Sequence[Point], fork: Point | None, read: Callable[[Point], Snapshot]
) -> Comparison:
    """Let every parent of a merge count, and what they have in common; one parent is no merge."""
    if len(parents) < 2:  # noqa: PLR2004  # see above
        return compared
    return compared._replace(parents=tuple(map(read, parents)), fork=None if fork is None else read(fork))


def without_foreign(compared: Comparison, policy: Policy) -> Comparison:
    """Leave out what stands outside of the paths of the head's own policy, below those that another side names.

    A contract that was left there now has left the registry, unless its name goes on; one that was left there before
    had done so. What is no contract there, and was none, is somebody else's: another policy looks there, or none did.
    """
    if policy.paths == compared.terms.policy.paths:
        return compared
    own = [show_path(path).encode("ascii") for path in encode_paths(policy)]

    def is_own(path: str) -> bool:
        return any(is_below(path.encode("ascii"), top) for top in own)

    sides = (compared.base, compared.anchor, *compared.parents)
    known = {held.path for side in sides for held in side.contracts}
    names = {held.contract.name for held in compared.head.contracts if is_own(held.path)}
    stood = {held.path for side in (compared.base, *compared.parents) for held in side.contracts}

    def without_unread(side: Snapshot) -> Snapshot:
        return side._replace(unread=tuple(one for one in side.unread if is_own(one.path) or one.path in known))

    contracts = (
        held
        for held in compared.head.contracts
        if is_own(held.path) or (held.path in stood and held.contract.name in names)
    )
    return compared._replace(
        head=without_unread(compared.head)._replace(contracts=tuple(contracts)),
        base=without_unread(compared.base),
        anchor=without_unread(compared.anchor),
    )
