"""The repository that a command runs in: opened for it, with git's refusals said on standard error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from protocolarc.cli.output import StopError, fail, note
from protocolarc.config.policy import ConfigError
from protocolarc.gitstore.plumbing import Git, GitError, open_repository
from protocolarc.registry import refs, sources
from protocolarc.registry.sources import encode_paths

if TYPE_CHECKING:
    from protocolarc.engine.policy import Terms


class Room:
    """An open repository with what it decided: on disk, or in a bare one at ``HEAD``."""

    def __init__(self, git: Git) -> None:
        self.git = git
        reader = sources.from_commit(git, refs.head_point(git)) if git.top is None else sources.from_disk(git.top)
        self.decided = sources.decide(reader)
        self.paths = encode_paths(self.decided.policy)

    @property
    def terms(self) -> Terms:
        """What verdicts are given under."""
        from protocolarc.engine.policy import Terms

        return Terms(self.decided.policy, self.decided.waivers)

    def require_commit(self, ref: str = "HEAD") -> str:
        """Return the id of a commit.

        Raises:
            StopError: the repository has no such commit.
        """
        oid = refs.commit_of(self.git, ref)
        if oid is None:
            raise fail(refs.no_commit(ref))
        return oid

    def place(self, path: str) -> str:
        """Return where a file of the work tree, named from the top, may be written.

        Raises:
            StopError: the repository is a bare one, or a symbolic link on the way leads elsewhere.
        """
        if self.git.top is None:
            raise fail("a bare repository has no work tree to write into")
        place = os.path.normpath(os.path.join(os.path.realpath(self.git.top), path))
        if os.path.realpath(place) != place:
            raise fail(f"{path} is, or is below, a symbolic link; nothing is written through one")
        return place


@contextmanager
def room(*, gitpython: bool = False) -> Iterator[Room]:
    """Open the repository that the current directory is in, a bare one as well.

    ``gitpython`` lets GitPython open it and start git's processes: for a command that answers a person, and judges
    nothing.

    Raises:
        GitError: git cannot answer.
        StopError: the policy file or the waivers cannot be used.
    """
    with open_repository(bare=True) as git, ExitStack() as stack:
        if gitpython:
            from protocolarc.gitstore.gitpython import by_gitpython

            stack.enter_context(by_gitpython(git))
        try:
            found = Room(git)
        except ConfigError as error:
            raise fail(str(error)) from None
        yield found


@contextmanager
def opened(*, gitpython: bool = False) -> Iterator[Room]:
    """Open the repository as ``room`` does, and say what git refuses.

    Raises:
        StopError: git cannot answer, or the policy file or the waivers cannot be used.
    """
    try:
        with room(gitpython=gitpython) as found:
            yield found
    except GitError as error:
        raise refusal(error) from None


def refusal(error: GitError) -> StopError:
    """Say why git does not answer and what would help."""
    stop = fail(error.reason)
    if error.hint:
        note(f"hint: {error.hint}")
    return stop
