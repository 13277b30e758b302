"""The sides of a comparison beside head and base: every parent of a merge; and whose the folders of either are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from protocolarc.engine.judge import Comparison
from protocolarc.gitstore.entries import is_below
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.snapshot import show_path
from protocolarc.registry import refs, snapshots
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


def reader(git: Git, paths: Sequence[bytes], names: Collection[str] | None = None) -> Callable[[Point], Snapshot]:
    """Return what gives the snapshot of a commit, or of several at once."""
    return lambda point: snapshots.of_bases(git, point, paths, names).anchor


def with_parents(
    compared: Comparison, parents: Sequence[Point], fork: Point | None, read: Callable[[Point], Snapshot]
) -> Comparison:
    """Let every parent of a merge count, and what they have in common; one parent is no merge."""
    if len(parents) < 2:  # noqa: PLR2004  # see above
        return compared
    return compared._replace(parents=tuple(map(read, parents)), fork=None if fork is None else read(fork))


def without_foreign(compared: Comparison, policy: Policy) -> Comparison:
    """Leave out what is no contract outside of the paths of the head's own policy, and was none before.

    Another policy looks there; and where there is none, the folder that counts by default may be somebody else's.
    """
    own = [show_path(path).encode("ascii") for path in encode_paths(policy)]
    foreign = {
        one
        for one in set(compared.head.unread).intersection(compared.base.unread)
        if not any(is_below(one.path.encode("ascii"), top) for top in own)
    }
    if not foreign:
        return compared
    sides = (compared.head, compared.base, compared.anchor)
    head, base, anchor = (
        side._replace(unread=tuple(one for one in side.unread if one not in foreign)) for side in sides
    )
    return compared._replace(head=head, base=base, anchor=anchor)
