"""The repository that a command runs in: opened for it, with git's refusals said on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from protocolarc.cli.output import StopError, fail, note
from protocolarc.gitstore.plumbing import Git, GitError, open_repository
from protocolarc.values.policy import Policy


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
def room() -> Iterator[Room]:
    """Open the repository that the current directory is in, a bare one as well.

    Raises:
        GitError: git cannot answer.
        StopError: the policy file is none.
    """
    with open_repository(bare=True) as git:
        yield Room(git, Policy())


@contextmanager
def opened() -> Iterator[Room]:
    """Open the repository as ``room`` does, and say what git refuses.

    Raises:
        StopError: git cannot answer, or the policy file is none.
    """
    try:
        with room() as found:
            yield found
    except GitError as error:
        raise refusal(error) from None


def refusal(error: GitError) -> StopError:
    """Say why git does not answer and what would help."""
    stop = fail(error.reason)
    if error.hint:
        note(f"hint: {error.hint}")
    return stop
