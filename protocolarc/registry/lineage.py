"""How contracts came to be: the history of a registry, replayed from the first commit to the last.

The commits come as a stream, the documents from one ``cat-file``, and a document is parsed when it is met first.
"""

from __future__ import annotations

import gc
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from protocolarc.engine.chronicle import Entries, Stamp, State, Step, highest, highest_stable, is_new, steps_of
from protocolarc.engine.policy import Terms
from protocolarc.gitstore.entries import RawChange
from protocolarc.gitstore.history import Commit, history
from protocolarc.gitstore.plumbing import Git
from protocolarc.registry.documents import Reader, leaves_document
from protocolarc.registry.walk import Scope, Scopes, registry_history, scopes_of
from protocolarc.values.contract import Contract
from protocolarc.values.record import NamedTuple

_AHEAD = 50
"""Commits whose documents are read at once."""


class Tree(NamedTuple):
    """The contracts of one commit: the name at each path, and the contracts of each name.

    The mappings of a tree may be changed; the entries of a name are replaced, never changed.
    """

    name_at: dict[bytes, str]
    named: dict[str, Entries]

    def entries(self, name: str) -> Entries:
        """Return the contracts of a name; none when there is no such name."""
        return self.named.get(name, {})

    def copy(self) -> Tree:
        """Return another tree with the same contracts."""
        return Tree(self.name_at.copy(), self.named.copy())

    def apply(self, changes: Sequence[RawChange], reader: Reader) -> dict[str, Entries]:
        """Do to the tree what a commit did, and return what it held before of the names that were touched, in order."""
        touched: dict[str, Entries] = {}
        for change in changes:
            if change.old_oid == change.new_oid and change.path in self.name_at and leaves_document(change):
                continue  # its mode alone
            gone, come = self.name_at.pop(change.path, None), reader.after(change)
            if gone is not None:
                touched.setdefault(gone, self.named[gone])
                self.named[gone] = {path: kept for path, kept in self.named[gone].items() if path != change.path}
            if come is not None:
                held = self.entries(come.name)
                touched.setdefault(come.name, held)
                self.name_at[change.path] = come.name
                self.named[come.name] = {**held, change.path: come}
        return dict(sorted(touched.items()))


class Touched(NamedTuple):
    """What a commit held of a name that it touched, and what each of its parents had held."""

    before: tuple[Entries, ...]
    after: Entries

    def is_as(self, entries: Entries) -> bool:
        """Tell whether the commit left what some entries are, document by document."""
        return entries.keys() == self.after.keys() and all(entries[path] is self.after[path] for path in entries)


class Moment(NamedTuple):
    """A commit that touched the registry, and the names that it touched, in order."""

    commit: Commit
    names: Mapping[str, Touched]

    @property
    def stamp(self) -> Stamp:
        """The commit as reports name it."""
        return Stamp(self.commit.oid, self.commit.date, self.commit.author)


def replay(
    git: Git, paths: Sequence[bytes], only: str | None = None, *, full: bool = False, alone: bool = False
) -> Iterator[Moment]:
    """Yield the commits up to ``HEAD`` that touched the registry, oldest first. Three processes.

    It is followed through every folder that a policy in its history named, as long as one did; with ``alone`` the
    paths alone count.

    With ``only``, most documents that are no revision of that contract are not parsed, and count as none.

    Without ``full`` the first parents are followed, and a merge is one step; with it every parent counts.

    Raises:
        GitError: the history or an object in it cannot be read.
    """
    if alone:
        commits, turns = list(history(git, paths, full=full, every=full)), None
    else:
        commits, turns = registry_history(git, paths, "HEAD", full=full, every=full)
    commits.reverse()
    whole = frozenset(() if turns is None else turns.named)
    moments = (_replay_graph if full else _replay_line)(commits, Reader(git, only), whole)
    return moments if turns is None else _in_scope(moments, scopes_of(git, commits, turns, paths, full=full))


def _replay_line(commits: Sequence[Commit], reader: Reader, whole: Container[str]) -> Iterator[Moment]:
    """Yield the moments of a line of commits; of the ``whole`` ones, every name counts as touched."""
    tree = Tree({}, {})
    for start in range(0, len(commits), _AHEAD):
        group = commits[start : start + _AHEAD]
        reader.look_ahead(group)
        for commit in group:
            touched = tree.apply(commit.changes, reader)
            if commit.oid in whole:
                touched = {**tree.named, **touched}
            yield Moment(commit, {name: Touched((held,), tree.entries(name)) for name, held in touched.items()})


def _replay_graph(commits: Sequence[Commit], reader: Reader, whole: Container[str]) -> Iterator[Moment]:
    """Give every commit the trees of its own parents; a tree is kept until its last child has seen it."""
    children: dict[str, int] = {}
    for commit in commits:
        for parent in commit.parents:
            children[parent] = children.get(parent, 0) + 1
    trees: dict[str, Tree] = {}
    for commit in commits:
        before = [trees[parent] for parent in commit.parents if parent in trees] or [Tree({}, {})]
        tree = before[0]
        if commit.changes or commit.oid in whole:
            # The changes are those against every parent; each tells what stands at its path now.
            reader.look_ahead((commit,))
            tree = tree.copy()
            names = tree.apply(commit.changes, reader)
            if commit.oid in whole:
                names = {**tree.named, **names}
            touched = {name: Touched(tuple(old.entries(name) for old in before), tree.entries(name)) for name in names}
            yield Moment(commit, touched)
        trees[commit.oid] = tree
        for parent in commit.parents:
            children[parent] -= 1
            if not children[parent]:
                trees.pop(parent, None)


def _in_scope(moments: Iterable[Moment], scopes: Mapping[str, Scopes]) -> Iterator[Moment]:
    """Leave out what stood in folders that did not count, and the names for which nothing is left that differs."""
    for moment in moments:
        before, after = scopes[moment.commit.oid]
        seen = {
            name: Touched(
                tuple(_shown(scope, entries) for scope, entries in zip(before, touched.before, strict=True)),
                _shown(after, touched.after),
            )
            for name, touched in sorted(moment.names.items())
        }
        differing = {name: touched for name, touched in seen.items() if not all(map(touched.is_as, touched.before))}
        if differing:
            yield Moment(moment.commit, differing)


def _shown(scope: Scope, entries: Entries) -> Entries:
    return {path: contract for path, contract in entries.items() if scope.holds(path)}


def chronicles(
    moments: Iterable[Moment], only: str | None, terms: Terms, *, full: bool = False
) -> dict[str, list[Step]]:
    """Return the steps of each contract, or of one, oldest first; names in order.

    With ``full`` a moment may know nothing of the one before it, and a step is compared with what its parents hold.

    Raises:
        TooManyPlacesError: two revisions combine to more places than a comparison looks at.
    """
    found: dict[str, list[Step]] = {}
    stable: dict[str, Contract | None] = {}
    with _collector_off():
        for moment in moments:
            for name, touched in moment.names.items():
                if only in (None, name):
                    past = stable.get(name)
                    steps = steps_of(touched.before, touched.after, moment.stamp, terms, stable=past)
                    found.setdefault(name, []).extend(steps)
                    if not full:
                        stable[name] = highest_stable((*touched.after.values(), *filter(None, (past,))))
    return {name: steps for name, steps in sorted(found.items()) if steps}


@contextmanager
def _collector_off() -> Iterator[None]:
    """Hold the cycle collector off: contracts have no cycles, and it would look at them again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def names_of(git: Git, paths: Sequence[bytes], *, full: bool = False) -> set[str]:
    """Return every name that the history holds.

    Raises:
        GitError: the history or an object in it cannot be read.
    """
    return {name for moment in replay(git, paths, full=full) for name in moment.names}


def highest_states(moments: Iterable[Moment], name: str) -> list[State]:
    """Return what each commit made of the highest revision of a contract, since it last came to be; oldest first."""
    states: list[State] = []
    for moment in moments:
        if name in moment.names:
            contract = highest(moment.names[name].after)
            if contract is None:
                states.clear()
            else:
                states.append(State(contract, moment.stamp))
    return states


def all_states(moments: Iterable[Moment], name: str) -> list[State]:
    """Return every document of a contract with the commit that brought it, to whatever path; oldest first."""
    states: list[State] = []
    for moment in moments:
        if name in moment.names:
            before, after = moment.names[name]
            known = [contract for entries in before for contract in entries.values()]
            states.extend(
                State(contract, moment.stamp)
                for path, contract in sorted(after.items())
                # Most are what they were, where they were: that takes no look at all the others.
                if all(entries.get(path) is not contract for entries in before) and is_new(contract, known)
            )
    return states
