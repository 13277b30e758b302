"""The commits of a registry, below every folder that a policy among them named: its history outlives its place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from protocolarc.config.policy import POLICY_FILE, SHARED_FILE, named_paths
from protocolarc.gitstore.entries import RawChange, is_below
from protocolarc.gitstore.history import Commit, history
from protocolarc.gitstore.plumbing import Git, missing
from protocolarc.registry.sources import paths_at
from protocolarc.values.record import NamedTuple

_OWN, _SHARED = POLICY_FILE.encode("ascii"), SHARED_FILE.encode("ascii")
_POLICIES = (_OWN, _SHARED)
_DEFAULT = named_paths(None, None)


class Turns(NamedTuple):
    """Where a registry was: every folder, today's first; and what each commit named that may have named another one."""

    folders: list[bytes]
    named: Mapping[str, frozenset[bytes]]


class Walk:
    """The commits up to some references that touched some paths or a policy, newest first, as ``history`` gives them.

    Changes of a policy are not among theirs, but noted on the way.
    """

    def __init__(
        self, git: Git, paths: Sequence[bytes], refs: Sequence[str], *, full: bool = False, every: bool = False
    ) -> None:
        self._git, self._paths, self._refs = git, paths, refs
        self._full, self._every = full, every
        self._changed: list[Commit] = []

    def __iter__(self) -> Iterator[Commit]:
        """Yield the commits. Two processes.

        Raises:
            GitError: the history cannot be read.
        """
        asked = [*_POLICIES, *self._paths]  # git asks the last one first, of every entry of a tree
        for commit in history(self._git, asked, *self._refs, full=self._full, every=self._every):
            policies = [change for change in commit.changes if change.path in _POLICIES]
            if policies:
                self._changed.append(commit._replace(changes=tuple(policies)))
                rest = tuple(change for change in commit.changes if change.path not in _POLICIES)
                yield commit._replace(changes=rest)
            else:
                yield commit

    def turns(self, paths: Sequence[bytes]) -> Turns | None:
        """Return what the policies of the commits that were met named beside some paths, before and after each change.

        ``None`` when that is nothing, as it is almost always. A policy that cannot be used names nothing. No process
        of its own.

        Raises:
            GitError: an object cannot be read.
        """
        told = self._shared_files()
        changed = [commit for commit in self._changed if any(_is_turn(change, told) for change in commit.changes)]
        oids = [*self._refs, *(oid for commit in changed for oid in (commit.oid, *commit.parents))]
        named = {oid: frozenset(map(os.fsencode, paths_at(self._git, oid))) for oid in dict.fromkeys(oids)}
        every = dict.fromkeys(path for oid in named for path in sorted(named[oid]))
        more = [path for path in every if not any(is_below(path, top) for top in paths)]
        return Turns([*paths, *more], {commit.oid: named[commit.oid] for commit in changed}) if more else None

    def _shared_files(self) -> dict[str, tuple[str, ...]]:
        """Return what each version of the shared file names, by its object id."""
        sides = (side for commit in self._changed for change in commit.changes for side in _shared_sides(change))
        oids = list(dict.fromkeys(sides))
        told: dict[str, tuple[str, ...]] = {}
        for oid, answer in zip(oids, self._git.read_all(oids), strict=True):
            if answer is None:
                raise missing(self._git, oid)
            told[oid] = named_paths(None, answer.data)
        return told


def _shared_sides(change: RawChange) -> list[str]:
    return [oid for oid in (change.old_oid, change.new_oid) if change.path == _SHARED and oid.strip("0")]


def _is_turn(change: RawChange, told: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether a change may name other paths: the shared file changes often, and seldom in what it says of them."""
    return change.path == _OWN or told.get(change.old_oid, _DEFAULT) != told.get(change.new_oid, _DEFAULT)


def registry_history(
    git: Git, paths: Sequence[bytes], *refs: str, full: bool = False, every: bool = False
) -> tuple[list[Commit], Turns | None]:
    """Return the commits that touched a registry wherever it was, newest first, and where that was, if elsewhere.

    See ``history`` for the options; a commit of the turns is there whatever it touched. Two processes; where a policy
    named another folder than those of today and the default, four: then all is asked again below every one.

    Raises:
        GitError: the history, or a policy in it, cannot be read.
    """
    asked = list(dict.fromkeys((*map(os.fsencode, _DEFAULT), *paths)))  # most registries that moved were there
    while True:
        walk = Walk(git, asked, refs, full=full, every=every)
        commits = list(walk)
        turns = walk.turns(paths)
        folders = list(paths) if turns is None else turns.folders
        if set(folders) <= set(asked):
            break
        asked = folders
    if set(asked) != set(folders):
        commits = [commit._replace(changes=tuple(_below(commit.changes, folders))) for commit in commits]
    kept = turns.named if turns is not None else ()
    return [commit for commit in commits if every or commit.changes or commit.oid in kept], turns


def _below(changes: Iterable[RawChange], folders: Sequence[bytes]) -> Iterator[RawChange]:
    return (change for change in changes if any(is_below(change.path, folder) for folder in folders))


class Scope(NamedTuple):
    """The folders that count at a commit: those that its policy names, and those that no policy gave up before it."""

    named: frozenset[bytes]
    live: frozenset[bytes]

    def holds(self, path: bytes) -> bool:
        """Tell whether a path is in one of the folders."""
        return any(is_below(path, folder) for folder in self.live)


class Scopes(NamedTuple):
    """What counted in the trees that a commit is compared with, and what counts in its own."""

    before: tuple[Scope, ...]
    after: Scope


def scopes_of(
    git: Git, commits: Iterable[Commit], turns: Turns, paths: Sequence[bytes], *, full: bool
) -> dict[str, Scopes]:
    """Return the scopes of commits, oldest first. A folder counts until a policy no longer names it; today's do always.

    So what stays in a folder that was given up, and what happens to it there, is none of the registry's.
    """
    found: dict[str, Scopes] = {}
    last: Scope | None = None
    for commit in commits:
        known = [found[oid].after for oid in commit.parents if oid in found] if full else [last] if last else []
        if known:
            scope = Scope(known[0].named, known[0].live.intersection(*(other.live for other in known[1:])))
        else:  # the first that is listed may be the one that gave a folder up
            start = commit.parents[0] if commit.parents else commit.oid
            scope = Scope(frozenset(map(os.fsencode, paths_at(git, start))), frozenset(turns.folders))
            known = [scope]
        named = turns.named.get(commit.oid)
        if named:
            scope = Scope(named, (scope.live - scope.named) | named | frozenset(paths))
        found[commit.oid] = Scopes(tuple(known), scope)
        last = scope
    return found
