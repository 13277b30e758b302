"""The smallest revision that is enough for what changed in a contract since it was published."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from protocolarc.engine.bump import next_revision
from protocolarc.engine.judge import Comparison, judge
from protocolarc.engine.policy import Terms
from protocolarc.engine.revisions import Revisions, comes_back, highest, index_by_name, of_precedence, renumbered
from protocolarc.gitstore.plumbing import Git
from protocolarc.registry import refs, snapshots
from protocolarc.registry.check import is_transitive, published_point
from protocolarc.registry.disk import ON_DISK, of_disk
from protocolarc.registry.find import NotFoundError, lacking, listed
from protocolarc.registry.past import past_revisions
from protocolarc.registry.refs import Point
from protocolarc.registry.request import Request
from protocolarc.registry.sides import fork_of, with_parents
from protocolarc.registry.snapshots import Bases
from protocolarc.registry.sources import encode_paths, shown, widened
from protocolarc.values.judgement import ERROR, Judgement
from protocolarc.values.literal import unescape_label
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import MAX_LENGTH, Revision, computed_revision, parse_revision
from protocolarc.values.snapshot import Held, Snapshot

_ROUNDS = 100
_DEMANDS = (
    "bump.missing",
    "chain.breaking",
    "revision.mutated",
    "revision.regressed",
    "revision.reused",
    "revision.duplicate",
)


class CannotBumpError(Exception):
    """No revision would help, or it is not clear which file is meant. The text is one line for people."""


class Wanted(NamedTuple):
    """Which contract is meant; of several files one revision, or a path from the top."""

    name: str
    revision: str | None = None
    path: str | None = None


class Plan(NamedTuple):
    """What to do: the file, the revision it has, the one it needs, or ``None`` when its own is enough.

    ``since`` says what it was compared with. ``reason`` is what the rules say about it as it is.
    """

    held: Held
    needed: str | None
    since: str
    reason: str


def plan_bump(git: Git, wanted: Wanted, terms: Terms) -> Plan:
    """Decide what a contract of the work tree needs, as a gate would judge it against what is published.

    Where nobody has published anything, a hook asks first, since ``HEAD`` and whatever else is merged; if that needs
    nothing, a gate does, which looks at a local default branch.

    Raises:
        NotFoundError: there is no such contract, revision or file. CannotBumpError: see there.
        GitError: git cannot answer. TooManyPlacesError: the revisions cannot be compared.
    """
    base = refs.head_point(git)
    merged = refs.merging(git, list(git.environment))
    anchor, _ = published_point(git, base, merged, terms.policy)
    plan = _plan_since(git, anchor, wanted, terms, merged if anchor == base else ())
    if plan.needed is None and anchor == base:
        fork, _ = published_point(git, base, merged, terms.policy, local=True)
        since_fork = plan if fork == base and not merged else _plan_since(git, fork, wanted, terms)
        return plan if since_fork.needed is None else since_fork
    return plan


def _plan_since(git: Git, anchor: Point, wanted: Wanted, terms: Terms, merged: Sequence[Point] = ()) -> Plan:
    """Decide what a contract, one of its revisions where several changed, needs since a commit and what is merged."""
    name = wanted.name
    parents = [anchor, *merged]
    fork = fork_of(git, parents)
    paths = encode_paths(widened(git, terms.policy, [fork, *parents]))

    def at(point: Point) -> Bases:
        return snapshots.of_bases(git, point, paths, [name])

    published = at(anchor)
    head = of_disk(git, "the work tree", paths, [name])
    files = [os.fsencode(unescape_label(held.path)) for held in head.contracts]
    broken = snapshots.of_bases(git, anchor, files).base.unread  # the name may be what was broken there
    compared = Comparison(
        head=head,
        base=published.base._replace(unread=broken),
        anchor=published.anchor,
        terms=terms,
        transitive=is_transitive(Request(), terms.policy, default=True),
        gate=True,
    )
    compared = with_parents(compared, parents, fork, lambda point: at(point).anchor)
    revisions = _named(git, paths, head, wanted)
    before = index_by_name(published.anchor).get(name, [])
    known = [*before, *(held for parent in compared.parents for held in index_by_name(parent).get(name, ()))]
    changed = [held for held in revisions if not any(map(held.same_content, of_precedence(known, held)))]
    if changed and anchor.oid is not None:
        compared = compared._replace(history=past_revisions(git, anchor, paths, [name]))
    plans = [_plan(compared, held, before) for held in changed]
    wanting = [plan for plan in plans if plan.needed is not None]
    if len(wanting) > 1:
        places = ", ".join(f"{plan.held.contract.revision} in {plan.held.path}" for plan in wanting)
        several = len({plan.held.contract.revision.precedence for plan in wanting}) > 1
        which = f"name one as {name}@REVISION" if several else "name one of the files"
        raise CannotBumpError(f"{name}: several files need another revision ({places}); {which}")
    if wanting:
        if not wanting[0].held.oid.startswith(ON_DISK):
            reason = (
                f"needs {wanting[0].needed}, but git keeps it off the disk (git sparse-checkout add would bring it)"
            )
            raise CannotBumpError(f"{wanting[0].held.path}: {reason}")
        return wanting[0]
    return plans[-1] if plans else Plan(highest(revisions), None, anchor.label, "nothing changed")


def _named(git: Git, paths: Sequence[bytes], head: Snapshot, wanted: Wanted) -> Revisions:
    name, revision, path = wanted
    found = index_by_name(head).get(name)
    if path is not None:
        there = [held for held in found or () if unescape_label(held.path) == path]
        if not there:
            below = shown(map(os.fsdecode, paths))
            raise NotFoundError(f"{path} is no contract that git lists below {below}")
        return there
    if found is None:
        rest = lacking(name, of_disk(git, head.label, paths))
        raise NotFoundError(f"there is no contract '{name}' in the work tree's registry{rest}")
    if revision is None:
        return found
    chosen = [held for held in found if held.contract.revision.text == revision]
    if not chosen:
        known = [held.contract.revision.text for held in found]
        raise NotFoundError(f"there is no revision {revision} of {name}; {listed(revision, known, 'it has')}")
    return chosen


def _plan(compared: Comparison, held: Held, before: Revisions) -> Plan:
    """Raise the revision, step by step, until the rules have nothing to ask of it."""
    demands = list(_demands(compared, held, held))
    since, reason = compared.anchor.label, "; ".join(item.message for item in demands)
    trial, tried = held, None
    for _ in range(_ROUNDS):
        if not demands:
            return Plan(held, tried, since, reason or "its revision carries what changed")
        wanted = max((_answer(item, trial, before) for item in demands), key=_precedence)
        if tried is not None and _precedence(wanted) <= _precedence(tried):
            wanted = _next(trial.contract.revision, held)
        if len(wanted) > MAX_LENGTH:
            break
        tried, trial = wanted, renumbered(held, wanted)
        demands = list(_demands(compared, held, trial))
    raise CannotBumpError(f"{held.contract.name}: no revision was found that is enough; {reason}")


def _demands(compared: Comparison, held: Held, trial: Held) -> Iterator[Judgement]:
    """Yield what the rules ask of a file, were this its content."""
    contracts = tuple(trial if other is held else other for other in compared.head.contracts)
    name = held.contract.name
    judged = compared._replace(head=Snapshot(compared.head.label, contracts))
    for item in judge(judged):
        if item.contract != name or item.level != ERROR:
            continue
        if item.code == "revision.mutated" and item.path == held.path and trial is held:
            raise CannotBumpError(item.message)
        mine = item.path == held.path or (item.code == "revision.duplicate" and item.new == _text(trial))
        if mine and item.code in _DEMANDS:
            yield item


def _answer(item: Judgement, trial: Held, before: Revisions) -> str:
    """Return the smallest revision that meets one demand."""
    if item.smallest is not None:
        return item.smallest
    if item.code == "revision.regressed":
        top = highest(before)
        return _text(top) if comes_back(trial, top) else _next(top.contract.revision, trial)
    if item.code == "revision.reused" and item.old is not None and not before:  # a name that comes back goes on higher
        return _next(parse_revision(item.old), trial)
    return _next(trial.contract.revision, trial)


def _next(revision: Revision, held: Held) -> str:
    return next_revision(revision, stable=not held.contract.revision.prerelease)


def _precedence(text: str) -> Any:  # noqa: ANN401  # a sort key
    return computed_revision(text).precedence


def _text(held: Held) -> str:
    return held.contract.revision.text
