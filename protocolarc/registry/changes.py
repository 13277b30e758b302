"""Both sides of a comparison by what differs: an entry that every side has as it is cannot have changed its contract.

So only the entries that differ are read, and the others of the same names, which a glance at their bytes tells.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from protocolarc.engine.judge import Comparison
from protocolarc.engine.policy import Terms
from protocolarc.gitstore.entries import is_below, list_tree, path_of, read_entry
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.snapshot import show_path
from protocolarc.registry.clashes import clashes, escaped
from protocolarc.registry.names import select
from protocolarc.registry.refs import Point
from protocolarc.registry.sides import with_parents, without_foreign
from protocolarc.registry.snapshots import at_bases, join, of_entries
from protocolarc.registry.sources import encode_paths, nothing_below, paths_at
from protocolarc.values.policy import Policy
from protocolarc.values.record import NamedTuple
from protocolarc.values.snapshot import Snapshot, Unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Read: TypeAlias = Callable[[Iterable[bytes]], Snapshot]
"""Gives the contracts of some records."""
Find: TypeAlias = Callable[[Collection[str], Collection[bytes]], "set[bytes] | None"]
"""Gives the paths of the records that may be of some names, and of what else has to be told; ``None`` for all."""


class Head(NamedTuple):
    """What is judged: the records that can be held against those of a commit, how to read some, and what else there is.

    Of those that nobody touched, ``find`` tells which have to be read.
    """

    records: Sequence[bytes]
    read: Read
    find: Find
    rest: Snapshot


class Sides(NamedTuple):
    """What a head is held against: where it starts, what others can have, all parents of a merge, their fork."""

    base: Point
    anchor: Point
    parents: Sequence[Point]
    fork: Point | None


class Rules(NamedTuple):
    """The rules: those that the head itself has, those that count, with all paths to read below, and how much is read.

    The ``whole`` is read where the rules changed, and where what did not change shall be named as well.
    """

    own: Policy
    terms: Terms
    whole: bool


class Compared(NamedTuple):
    """A comparison, how many contracts are not in it because they are as they were, and lines about paths."""

    comparison: Comparison
    unchanged: int
    notes: list[str]


def of_objects(git: Git, label: str, records: Sequence[bytes], find: Find) -> Head:
    """Return a head that git holds as objects: the index, or a commit."""
    return Head(records, partial(_read, git, label), find, Snapshot(label))


def compare(
    git: Git, head: Head, sides: Sides, rules: Rules, known: Mapping[str | None, list[bytes]] | None = None
) -> Compared:
    """Compare a head with its sides. ``known`` are records of commits that were listed before.

    Raises:
        GitError: git cannot answer.
    """
    paths = encode_paths(rules.terms.policy)
    listed: dict[str | None, list[bytes]] = {None: [], **(known or {})}
    trees: dict[str | None, list[bytes]] = {}

    def records(oid: str | None) -> list[bytes]:
        if oid not in trees:
            found = listed[oid] if oid in listed else list_tree(git, str(oid), paths)
            trees[oid] = found if oid is None else _of_the_registry(git, oid, found, rules)
        return trees[oid]

    bases = [records(oid) for oid in (sides.base.oid, *sides.base.also)]
    merged = [records(point.oid) for point in sides.parents] if len(sides.parents) > 1 else []
    shared = set[bytes]() if rules.whole else set(head.records).intersection(*bases, *merged)
    changed, *before = ([one for one in side if one not in shared] for side in (head.records, *bases, *merged))
    unchanged: set[bytes] = set()
    if shared:
        read = (head.rest, head.read(changed), *(_read(git, "", side) for side in before))
        found = head.find({held.contract.name for one in read for held in one.contracts}, shared)
        unchanged = shared.difference(select(shared, found and found.difference(map(path_of, changed))))

    def side(label: str, oid: str | None) -> Snapshot:
        return _read(git, label, (record for record in records(oid) if record not in unchanged))

    def at(point: Point) -> Snapshot:
        return at_bases(point, side).anchor

    base, anchor = at_bases(sides.base, side)
    if sides.anchor != sides.base:
        anchor = at(sides.anchor)
        anchor = anchor._replace(unread=_not_left(anchor.unread, unchanged))
    judged = join(head.read(record for record in head.records if record not in unchanged), head.rest)
    compared = with_parents(Comparison(judged, base, anchor, rules.terms), sides.parents, sides.fork, at)
    compared = without_foreign(compared, rules.own)
    notes = [*_clashes(head, changed, bases)]
    if not (unchanged or any(compared.head[1:]) or any(compared.base[1:])):
        notes += _nothing_here(compared, rules.own, (head.records, *bases))
    return Compared(compared, len(unchanged), notes)


def _of_the_registry(git: Git, oid: str, records: list[bytes], rules: Rules) -> list[bytes]:
    """Leave out what a commit has outside of its own paths and the head's, below those that other sides name.

    What stood there had left the registry before.
    """
    if rules.own.paths == rules.terms.policy.paths:
        return records
    named = paths_at(git, oid)
    tops = [os.fsencode(path) for path in {*named, *rules.own.paths}] if named else [b""]  # it may be unusable
    return [record for record in records if _is_near(record, tops)]


def _is_near(record: bytes, tops: Iterable[bytes]) -> bool:
    """Tell whether a record stands below one of some paths, or in its place or above it, as a link does."""
    path = path_of(record)
    return any(is_below(path, top) or is_below(top, path) for top in tops)


def _read(git: Git, label: str, records: Iterable[bytes]) -> Snapshot:
    return of_entries(git, label, sorted(map(read_entry, records)))


def _not_left(unread: tuple[Unread, ...], unchanged: Iterable[bytes]) -> tuple[Unread, ...]:
    """Leave out the paths whose files are not read now: nobody knows whether they were repaired since."""
    if not unread:
        return unread
    untold = {show_path(path_of(record)) for record in unchanged}
    return tuple(one for one in unread if one.path not in untold)


def _nothing_here(compared: Comparison, own: Policy, listed: Iterable[Iterable[bytes]]) -> Iterator[str]:
    """Say that nothing at all stands below the head's own paths, on either side: they may be mistyped."""
    tops = encode_paths(own)
    if not any(_is_near(record, tops) for records in listed for record in records):
        yield nothing_below(own, f"{compared.head.label} nor in {compared.base.label}")


def _clashes(head: Head, changed: Iterable[bytes], bases: Sequence[Iterable[bytes]]) -> Iterator[str]:
    before = {path_of(record) for base in bases for record in base}
    rest = [held.path for held in head.rest.contracts] + [one.path for one in head.rest.unread]
    if rest or not before.issuperset(map(path_of, changed)):
        yield from clashes([*escaped(map(path_of, head.records)), *rest], escaped(before))
