"""Judging what is staged by what differs: an entry that every side has as it is cannot have changed its contract.

So only the entries that differ are read, and the others of the same names: those that hold the bytes of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocolarc.engine.judge import Comparison
from protocolarc.engine.policy import Terms
from protocolarc.gitstore.entries import list_tree, path_of, read_entry
from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.search import STAGED
from protocolarc.gitstore.snapshot import show_path
from protocolarc.registry.check import (
    conclude,
    fork_of,
    is_transitive,
    published_point,
    valid,
    with_parents,
)
from protocolarc.registry.clashes import clashes, escaped
from protocolarc.registry.names import holders, select
from protocolarc.registry.refs import Point
from protocolarc.registry.request import Request
from protocolarc.registry.snapshots import of_entries, without_foreign
from protocolarc.registry.sources import Decided, encode_paths, widened
from protocolarc.registry.staged import Listings, list_sides
from protocolarc.values.judgement import CheckResult
from protocolarc.values.snapshot import Snapshot, Unread


def judge_listings(git: Git, listed: Listings, decided: Decided, request: Request, *, same_policy: bool) -> CheckResult:
    """Judge the index against ``HEAD`` and whatever else is merged; under another policy than that of ``HEAD``, all.

    Raises:
        GitError: git cannot answer.
    """
    base, merged = listed.base, listed.merged
    anchor, notes = published_point(git, base, merged, decided.policy)
    parents = [base, *merged]
    fork = fork_of(git, parents)
    policy = widened(git, listed.policy, [anchor, fork])
    if policy != listed.policy:
        listed = list_sides(git, base, merged, policy)
    paths = encode_paths(policy)
    known: dict[str | None, list[bytes]] = {None: [], base.oid: listed.before}

    def records(oid: str | None) -> list[bytes]:
        if oid not in known:
            known[oid] = list_tree(git, str(oid), paths)
        return known[oid]

    def every(*oids: str | None) -> list[bytes]:
        return list(dict.fromkeys(record for oid in oids for record in records(oid)))

    sides = [records(point.oid) for point in parents]
    shared = set(listed.after).intersection(*sides) if same_policy else set()
    names = _names(git, [record for side in (listed.after, *sides) for record in side if record not in shared])
    after, before = (set(map(path_of, set(side) - shared)) for side in (listed.after, listed.before))
    if not after <= before:
        notes += clashes(escaped(map(path_of, listed.after)), escaped(map(path_of, listed.before)))
    found = holders(git, names, paths, STAGED) if shared else set()
    unchanged = shared.difference(select(shared, found and found - after))

    def snapshot(label: str, side: Iterable[bytes]) -> Snapshot:
        return of_entries(git, label, sorted(map(read_entry, set(side) - unchanged)))

    def at(point: Point) -> Snapshot:
        return snapshot(point.label, every(point.oid, *point.also))

    published = at(anchor)
    compared = Comparison(
        head=snapshot("index", listed.after),
        base=snapshot(base.label, listed.before),
        anchor=published._replace(unread=_not_left(published.unread, unchanged)),
        terms=Terms(policy, valid(decided.waivers, request.now)),
        transitive=is_transitive(request, policy),
    )
    compared = with_parents(compared, parents, fork, at)
    result = conclude(git, without_foreign(compared, encode_paths(decided.policy)), base, notes)
    return result._replace(contracts=result.contracts + len(unchanged))


def _names(git: Git, records: Sequence[bytes]) -> set[str]:
    """Return the names of the contracts among records."""
    entries = [read_entry(record) for record in dict.fromkeys(records)]
    return {held.contract.name for held in of_entries(git, "", entries).contracts}


def _not_left(unread: tuple[Unread, ...], unchanged: Iterable[bytes]) -> tuple[Unread, ...]:
    """Leave out the paths whose files are not read now: nobody knows whether they were repaired since."""
    if not unread:
        return unread
    untold = {show_path(path_of(record)) for record in unchanged}
    return tuple(one for one in unread if one.path not in untold)
