"""The repository that a command runs in: opened for it, with git's refusals said on standard error."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from protocolarc.cli.output import StopError, fail, note
from protocolarc.gitstore.plumbing import Git, GitError, open_repository
from protocolarc.values.policy import Policy

MAX_NAMES = 20
"""Names that a message lists."""


class Room:
    """An open repository with its policy."""

    def __init__(self, git: Git, policy: Policy) -> None:
        self.git = git
        self.policy = policy
        self.paths = tuple(path.encode("utf-8") for path in policy.paths)

    def require_commit(self, ref: str = "HEAD") -> str:
        """Return the id of a commit.

        Raises:
            StopError: the repository has no such commit.
        """
        oid = self.git.commit(ref)
        if oid is None:
            raise fail("there are no commits yet" if ref == "HEAD" else f"{ref!r} names no commit")
        return oid


@contextmanager
def opened(*, bare: bool = True) -> Iterator[Room]:
    """Open the repository that the current directory is in.

    Raises:
        StopError: git cannot answer, or the policy file is none.
    """
    try:
        with open_repository(bare=bare) as git:
            yield Room(git, Policy())
    except GitError as error:
        raise refusal(error) from None


def refusal(error: GitError) -> StopError:
    """Say why git does not answer and what would help."""
    stop = fail(error.reason)
    if error.hint:
        note(f"hint: {error.hint}")
    return stop


def unknown_name(name: str, known: Collection[str]) -> StopError:
    """Say that there is no such contract, and which there are: those that look like it first."""
    stop = fail(f"there is no contract {name!r} in the registry")
    if known:
        note(f"hint: {names_hint(name, known)}")
    return stop


def names_hint(name: str, known: Collection[str]) -> str:
    """List names, the similar ones first."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known), n=3)
    ordered = [*near, *sorted(set(known) - set(near))]
    rest = [f"... and {len(ordered) - MAX_NAMES} more"] if len(ordered) > MAX_NAMES else []
    return f"it has {', '.join([*ordered[:MAX_NAMES], *rest])}"
