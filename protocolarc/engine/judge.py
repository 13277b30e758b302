"""The registry's table: what the rules say about the contracts of one snapshot, given those before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protocolarc.engine.links import judge_link, reuse
from protocolarc.engine.policy import Terms
from protocolarc.engine.revisions import Around, Index, Revisions, highest, in_order, index_by_name, of_precedence
from protocolarc.values.change import Impact
from protocolarc.values.judgement import ERROR, NOTICE, Judgement, sort_key
from protocolarc.values.policy import Policy
from protocolarc.values.record import NamedTuple
from protocolarc.values.snapshot import UNMERGED, Held, Snapshot

NO_HISTORY: Mapping[str, Sequence[Held]] = {}


class Comparison(NamedTuple):
    """What is judged, and against what.

    ``base`` says which contracts changed; ``anchor``, what others can already have, says how far the revisions
    must have moved. ``parents`` are all parents of a merge, ``fork`` is what they have in common; an entry equal
    to any parent's is not judged again unless ``judge_merged`` is set. ``history`` holds, for names that changed, every
    revision that the base's history ever had.
    """

    head: Snapshot
    base: Snapshot
    anchor: Snapshot
    terms: Terms = Terms()
    parents: tuple[Snapshot, ...] = ()
    fork: Snapshot | None = None
    history: Mapping[str, Sequence[Held]] = NO_HISTORY
    transitive: bool = False
    gate: bool = False
    judge_merged: bool = False


def judge(compared: Comparison) -> list[Judgement]:
    """Return every judgement, what weighs most first.

    Raises:
        TooManyPlacesError: two revisions combine to more places than a comparison looks at.
    """
    return sorted(_judgements(compared), key=sort_key)


def _judgements(compared: Comparison) -> Iterator[Judgement]:
    head, base, anchor = (index_by_name(snapshot) for snapshot in (compared.head, compared.base, compared.anchor))
    parents = [index_by_name(parent) for parent in compared.parents]
    common = {} if compared.fork is None else index_by_name(compared.fork)
    unmerged = {one.path for one in compared.head.unread if any(item.code == UNMERGED for item in one.problems)}
    for name, revisions in head.items():
        yield from _duplicates(name, revisions)
        before, published = base.get(name, []), anchor.get(name, [])
        changed = [held for held in revisions if not _is_known(held, before)]
        if not compared.judge_merged:
            changed = [held for held in changed if not any(_is_known(held, parent.get(name, [])) for parent in parents)]
        yield from _moves(revisions, before)
        if changed:
            yield from _regressions(changed, revisions, [held for held in published if held.path not in unmerged])
            yield from reuse(
                _not_repaired(changed, compared), before, published, compared.history.get(name, ()), gate=compared.gate
            )
        around = Around(revisions, published, compared.history.get(name, ()), compared.transitive)
        for held in changed:
            yield from judge_link(held, around, compared.terms)
        departed = _departures(name, revisions, before, published, immutable=compared.terms.policy.immutable)
        yield from (item for item in departed if item.path not in unmerged)
        yield from _losses(name, revisions, parents, unmerged)
    for name in base.keys() - head.keys():
        is_known = name in anchor and unmerged.isdisjoint(held.path for held in base[name])
        if is_known and (compared.judge_merged or not _left_elsewhere(name, parents, common)):
            yield _removal(base[name], compared.terms.policy)
    if compared.fork is not None:
        first, *merged = parents  # what the first parent had and the base has not is no one else's
        for name in {name for parent in merged for name in parent} - head.keys() - base.keys() - first.keys():
            if name not in compared.terms.policy.retired and not _left_elsewhere(name, parents, common):
                yield from _lost(name, [held for parent in merged for held in parent.get(name, ())], unmerged)


def _is_known(held: Held, revisions: Sequence[Held]) -> bool:
    return any(held.same_content(other) for other in of_precedence(revisions, held))


def _not_repaired(changed: Revisions, compared: Comparison) -> Revisions:
    """Leave out what could not be read in the base, where it stands now or stood before, and is as it was again."""
    broken = {unread.path for unread in compared.base.unread}

    def is_repaired(held: Held) -> bool:
        past = of_precedence(compared.history.get(held.contract.name, ()), held)
        same = [other.path for other in past if held.same_content(other)]
        return any(not broken.isdisjoint(_with_folders(path)) for path in (held.path, *same) if same)

    return [held for held in changed if not is_repaired(held)] if broken else changed


def _with_folders(path: str) -> Iterator[str]:
    """Yield a path and the folders that it is in: a symbolic link or a submodule takes the place of one."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _duplicates(name: str, revisions: Revisions) -> Iterator[Judgement]:
    seen: dict[object, list[Held]] = {}
    for held in revisions:
        seen.setdefault(held.contract.revision.precedence, []).append(held)
    for same in seen.values():
        if len(same) > 1:
            places = " and in ".join(sorted(held.path for held in same))
            text = same[0].contract.revision.text
            message = f"{name}: {text} is in {places}; keep one, or give one another revision"
            yield Judgement("revision.duplicate", ERROR, 1, name, None, text, min(held.path for held in same), message)


def _moves(revisions: Revisions, before: Revisions) -> Iterator[Judgement]:
    here = {held.path for held in revisions}
    for held in revisions:
        same = [other for other in of_precedence(before, held) if held.same_content(other)]
        if same and all(other.path != held.path and other.path not in here for other in same):
            text, name = held.contract.revision.text, held.contract.name
            message = f"{name}: {same[0].path} is now {held.path}"
            yield Judgement("contract.moved", NOTICE, 0, name, text, text, held.path, message)


def _regressions(changed: Revisions, revisions: Revisions, published: Revisions) -> Iterator[Judgement]:
    """Judge whether the highest revision went down."""
    if not published:
        return
    before, after = highest(published), highest(revisions)
    if after.contract.revision.precedence >= before.contract.revision.precedence:
        return
    name, old, new = after.contract.name, before.contract.revision.text, after.contract.revision.text
    message = f"{name}: {old} -> {new} goes down; keep {old}, or go on above it"
    place = after.path if after in changed else changed[-1].path
    yield Judgement("revision.regressed", ERROR, 1, name, old, new, place, message)


def _departures(
    name: str, revisions: Revisions, before: Revisions, published: Revisions, *, immutable: bool
) -> Iterator[Judgement]:
    """Judge the revisions that left while others stay. One that evolved in its own file did not leave."""
    if len(before) < 2:  # noqa: PLR2004  # the only revision of a contract evolves
        return
    top = highest(revisions)
    new_at = {held.path for held in revisions if not of_precedence(before, held)}
    for held in before:
        evolved = held.path in new_at and held is highest(before)
        gone = not of_precedence(revisions, held) and not evolved
        if not gone or not of_precedence(published, held):
            continue
        old = held.contract.revision
        if old.precedence < top.contract.revision.precedence:
            level, code = (ERROR, 1) if immutable else (NOTICE, 0)
            new = top.contract.revision.text
            message = f"{name}: {old.text} left, {new} stays"
            yield Judgement("revision.removed", level, code, name, old.text, new, held.path, message)
        elif held == highest(before) and not _any_new(revisions, before):
            new = top.contract.revision.text
            message = f"{name}: {old.text} left, and the highest is {new}; restore it, or go on above it"
            yield Judgement("revision.regressed", ERROR, 1, name, old.text, new, held.path, message)


def _any_new(revisions: Revisions, before: Revisions) -> bool:
    return any(not _is_known(held, before) for held in revisions)


def _losses(name: str, revisions: Revisions, parents: Sequence[Index], unmerged: set[str]) -> Iterator[Judgement]:
    """Judge whether a parent of the merge holds a higher revision than its result, and not where it is in conflict."""
    tops = [held.contract.revision for parent in parents for held in parent.get(name, ()) if held.path not in unmerged]
    if not tops:
        return
    top, mine = max(tops, key=lambda revision: revision.precedence), highest(revisions)
    if top.precedence > mine.contract.revision.precedence:
        words = f"a parent has {top.text}, the merge has {mine.contract.revision.text}"
        message = f"{name}: {words}; take {top.text}, and bump it if both sides changed it"
        new = mine.contract.revision.text
        yield Judgement("revision.lost-in-merge", ERROR, 1, name, top.text, new, mine.path, message)


def _lost(name: str, held_by_parents: Revisions, unmerged: set[str]) -> Iterator[Judgement]:
    """Judge a contract that the result of a merge does not have at all, and not where it is in conflict."""
    last = highest(in_order(held_by_parents))
    if unmerged.isdisjoint(held.path for held in held_by_parents):
        old = last.contract.revision.text
        message = f"{name}: a parent has {old}, the merge has none; restore it, or name it under retired"
        yield Judgement("revision.lost-in-merge", ERROR, 1, name, old, None, last.path, message)


def _left_elsewhere(name: str, parents: Sequence[Index], common: Index) -> bool:
    """Tell whether a parent of the merge had removed a contract before, which is not judged again."""
    return name in common and any(name not in parent for parent in parents)


def _removal(revisions: Revisions, policy: Policy) -> Judgement:
    last = highest(revisions)
    name, old = last.contract.name, last.contract.revision.text
    if name in policy.retired:
        message = f"{name}: removed, as the policy file allows"
        return Judgement("contract.removed", NOTICE, 0, name, old, None, last.path, message)
    if policy.severity.get("contract.removed", Impact.BREAKING) is not Impact.BREAKING:
        return Judgement("contract.removed", NOTICE, 0, name, old, None, last.path, f"{name}: removed")
    message = f"{name}: removed; restore it, or name it under retired in the policy file first"
    return Judgement("contract.removed", ERROR, 2, name, old, None, last.path, message)
