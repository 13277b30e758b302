"""The commits of a registry, below every folder that a policy among them named: its history outlives its place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from protocolarc.config.policy import POLICY_FILE, SHARED_FILE, named_paths
from protocolarc.gitstore.entries import RawChange, is_below
from protocolarc.gitstore.history import Commit, history
from protocolarc.gitstore.plumbing import Git, missing
from protocolarc.registry.sources import paths_at

_OWN, _SHARED = POLICY_FILE.encode("ascii"), SHARED_FILE.encode("ascii")
_POLICIES = (_OWN, _SHARED)


class Walk:
    """The commits up to some references that touched some paths, newest first, as ``history`` gives them.

    On the way it notes which of them changed a policy; one that changed nothing else is not among them.
    """

    def __init__(
        self, git: Git, paths: Sequence[bytes], refs: Sequence[str], *, full: bool = False, every: bool = False
    ) -> None:
        self._git, self._paths, self._refs = git, paths, refs
        self._full, self._every = full, every
        self._turns: list[Commit] = []

    def __iter__(self) -> Iterator[Commit]:
        """Yield the commits. Two processes.

        Raises:
            GitError: the history cannot be read.
        """
        asked = [*_POLICIES, *self._paths]  # git asks the last one first, of every entry of a tree
        for commit in history(self._git, asked, *self._refs, full=self._full, every=self._every):
            policies = [change for change in commit.changes if change.path in _POLICIES]
            if not policies:
                yield commit
                continue
            self._turns.append(commit._replace(changes=tuple(policies)))
            rest = tuple(change for change in commit.changes if change.path not in _POLICIES)
            if rest or self._every:
                yield commit._replace(changes=rest)

    def wider(self) -> list[bytes] | None:
        """Return the paths and what more the policies of the commits named, those before and after each change.

        ``None`` when that is nothing, as it is almost always. A policy that cannot be used names nothing. No process
        of its own.

        Raises:
            GitError: an object cannot be read.
        """
        told = self._shared_files()
        turns = [commit for commit in self._turns if any(_is_turn(change, told) for change in commit.changes)]
        commits = [*self._refs, *(oid for commit in turns for oid in (commit.oid, *commit.parents))]
        named = [os.fsencode(path) for oid in dict.fromkeys(commits) for path in paths_at(self._git, oid)]
        more = [path for path in dict.fromkeys(named) if not any(is_below(path, top) for top in self._paths)]
        return [*self._paths, *more] if more else None

    def _shared_files(self) -> dict[str, tuple[str, ...]]:
        """Return what each version of the shared file names, by its object id; where it is absent, the default."""
        sides = (side for commit in self._turns for change in commit.changes for side in _shared_sides(change))
        oids = list(dict.fromkeys(sides))
        told: dict[str, tuple[str, ...]] = {}
        for oid, answer in zip(oids, self._git.read_all(oids), strict=True):
            if answer is None:
                raise missing(self._git, oid)
            told[oid] = named_paths(None, answer.data)
        return told


def _shared_sides(change: RawChange) -> list[str]:
    return [oid for oid in (change.old_oid, change.new_oid) if change.path == _SHARED and oid.strip("0")]


def _is_turn(change: RawChange, told: dict[str, tuple[str, ...]]) -> bool:
    """Tell whether a change may name other paths: the shared file changes often, and seldom in what it says of them."""
    default = named_paths(None, None)
    return change.path == _OWN or told.get(change.old_oid, default) != told.get(change.new_oid, default)


def registry_history(
    git: Git, paths: Sequence[bytes], *refs: str, full: bool = False, every: bool = False
) -> list[Commit]:
    """Return the commits that touched a registry wherever it was, newest first; see ``history`` for the options.

    Two processes; where a policy among them named another folder, four: then all is asked again below every one.

    Raises:
        GitError: the history, or a policy in it, cannot be read.
    """
    walk = Walk(git, paths, refs, full=full, every=every)
    found = list(walk)
    wider = walk.wider()
    return found if wider is None else list(history(git, wider, *refs, full=full, every=every))
