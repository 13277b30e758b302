"""How contracts came to be: the history of a registry, replayed from the first commit to the last.

The commits come from one ``git log``, the documents from one ``cat-file``; each document is read and parsed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from protocolarc.engine.chronicle import Entries, Stamp, Step, highest, steps_of
from protocolarc.engine.origins import State
from protocolarc.engine.policy import Terms
from protocolarc.gitstore.entries import GITLINK, SYMLINK, RawChange
from protocolarc.gitstore.history import Commit, history
from protocolarc.gitstore.plumbing import Git
from protocolarc.registry.snapshots import parse
from protocolarc.values.contract import Contract


class Tree(NamedTuple):
    """The contracts of one commit: the name at each path, and the contracts of each name."""

    name_at: Mapping[bytes, str] = {}
    named: Mapping[str, Entries] = {}

    def entries(self, name: str) -> Entries:
        """Return the contracts of a name; none when there is no such name."""
        return self.named.get(name, {})


class Moment(NamedTuple):
    """A commit that touched the registry: the trees of its parents, its own, and the names that it touched."""

    commit: Commit
    parents: tuple[Tree, ...]
    tree: Tree
    touched: tuple[str, ...]

    @property
    def stamp(self) -> Stamp:
        """The commit as reports name it."""
        return Stamp(self.commit.oid, self.commit.date, self.commit.author)


class Reader:
    """Parses documents by object id, each once. What is no contract, or cannot be the wanted one, is ``None``."""

    def __init__(self, git: Git, only: str | None = None) -> None:
        self._git = git
        self._needle = b"" if only is None else only.encode("utf-8", "surrogateescape")
        self._known: dict[str, Contract | None] = {}

    def contract(self, oid: str) -> Contract | None:
        """Return the contract that a blob holds, or ``None``.

        Raises:
            GitError: the object cannot be read.
        """
        if oid not in self._known:
            answer = self._git.read(oid)
            data = None if answer is None else answer.data
            # A name is ASCII: it stands in the document as it is, unless an escape hides it.
            wanted = data is not None and (self._needle in data or b"\\" in data)
            found = parse(data) if data is not None and wanted else None
            self._known[oid] = found if isinstance(found, Contract) else None
        return self._known[oid]

    def after(self, change: RawChange) -> Contract | None:
        """Return the contract that a change left at its path, or ``None``."""
        if not change.path.endswith(b".json") or change.new_mode in (SYMLINK, GITLINK, "000000"):
            return None
        return self.contract(change.new_oid)


def replay(git: Git, paths: Sequence[bytes], only: str | None = None, *, full: bool = False) -> Iterator[Moment]:
    """Yield the commits up to ``HEAD`` that touched the registry, oldest first. Two processes, three with ``full``.

    With ``only``, most documents that are no revision of that contract are not parsed, and count as none.

    Without ``full`` the first parents are followed, and a merge is one step; with it every parent counts.

    Raises:
        GitError: the history or an object in it cannot be read.
    """
    reader = Reader(git, only)
    commits = list(history(git, paths, full=full))
    if full:
        yield from _replay_graph(git, {commit.oid: commit for commit in commits}, reader)
        return
    tree = Tree()
    for commit in reversed(commits):
        before = tree
        tree, touched = _apply(before, commit.changes, reader)
        yield Moment(commit, (before,), tree, touched)


def _replay_graph(git: Git, commits: Mapping[str, Commit], reader: Reader) -> Iterator[Moment]:
    """Give every commit the trees of its own parents; a tree is kept until its last child has seen it."""
    graph = git.run("rev-list", "--topo-order", "--reverse", "--parents", "HEAD", "--")
    rows = [line.decode("ascii").split() for line in graph.splitlines()]
    children: dict[str, int] = {}
    for _, *parents in rows:
        for parent in parents:
            children[parent] = children.get(parent, 0) + 1
    trees: dict[str, Tree] = {}
    for oid, *parents in rows:
        before = tuple(trees[parent] for parent in parents) or (Tree(),)
        tree = before[0]
        if oid in commits:
            # The changes are those against every parent; each tells what stands at its path now.
            tree, touched = _apply(tree, commits[oid].changes, reader)
            yield Moment(commits[oid], before, tree, touched)
        trees[oid] = tree
        for parent in parents:
            children[parent] -= 1
            if not children[parent]:
                del trees[parent]


def _apply(before: Tree, changes: Sequence[RawChange], reader: Reader) -> tuple[Tree, tuple[str, ...]]:
    name_at = dict(before.name_at)
    named: dict[str, Entries] = dict(before.named)
    touched: dict[str, None] = {}
    for change in changes:
        gone, come = name_at.pop(change.path, None), reader.after(change)
        if gone is not None:
            touched[gone] = None
            named[gone] = {path: contract for path, contract in named[gone].items() if path != change.path}
        if come is not None:
            touched[come.name] = None
            name_at[change.path] = come.name
            named[come.name] = {**named.get(come.name, {}), change.path: come}
    return Tree(name_at, named), tuple(sorted(touched))


def chronicles(moments: Iterable[Moment], only: str | None, terms: Terms) -> dict[str, list[Step]]:
    """Return the steps of each contract, or of one, oldest first; names in order.

    Raises:
        TooManyPlacesError: two revisions combine to more places than a comparison looks at.
    """
    found: dict[str, list[Step]] = {}
    for moment in moments:
        for name in moment.touched:
            if only in (None, name):
                parents = [tree.entries(name) for tree in moment.parents]
                steps = steps_of(name, parents, moment.tree.entries(name), moment.stamp, terms)
                found.setdefault(name, []).extend(steps)
    return {name: steps for name, steps in sorted(found.items()) if steps}


def names_of(git: Git, paths: Sequence[bytes], *, full: bool = False) -> set[str]:
    """Return every name that the history holds.

    Raises:
        GitError: the history or an object in it cannot be read.
    """
    return {name for moment in replay(git, paths, full=full) for name in moment.touched}


def highest_states(moments: Iterable[Moment], name: str) -> list[State]:
    """Return what each commit made of the highest revision of a contract, since it last came to be; oldest first."""
    states: list[State] = []
    for moment in moments:
        if name in moment.touched:
            contract = highest(moment.tree.entries(name))
            if contract is None:
                states.clear()
            else:
                states.append(State(contract, moment.stamp))
    return states


def all_states(moments: Iterable[Moment], name: str) -> list[State]:
    """Return every document of a contract with the commit that brought it; oldest first."""
    return [
        State(contract, moment.stamp)
        for moment in moments
        if name in moment.touched
        for path, contract in sorted(moment.tree.entries(name).items())
        if all(tree.entries(name).get(path) is not contract for tree in moment.parents)
    ]
