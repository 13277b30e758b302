"""One new revision of a contract: what it follows, how far it had to move, and what it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocolarc.engine.bump import bump_made, next_revision, smallest_revision
from protocolarc.engine.policy import Terms, carries, diff_under_policy
from protocolarc.engine.revisions import Around, Revisions, comes_back, highest, of_precedence, renumbered
from protocolarc.values.change import Diff, Impact
from protocolarc.values.judgement import ERROR, NOTICE, Judgement
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Bump, Revision, computed_revision, parse_revision
from protocolarc.values.snapshot import Held


def judge_link(held: Held, around: Around, terms: Terms) -> Iterator[Judgement]:
    """Judge a revision that is not in the base as it is: against itself as published, or against its predecessor."""
    same = of_precedence(around.published, held)
    if same:
        other = [old for old in same if not held.same_content(old)] or same
        yield from _judge_rewritten(held, other[-1], around, terms)
        return
    before = around.before(held, around.revisions)
    if before is None:
        yield from _chain(held, around, terms)
        return
    diff = diff_under_policy(before.contract, held.contract, terms)
    if not carries(before.contract.revision, held.contract.revision, diff.needed):
        words = f"{diff.name}: {diff.old} -> {diff.new} is {diff.verdict.label} and needs"
        yield _missing(held, diff, words, around, terms)
        return
    yield from _larger(held, before, diff, around, terms)
    yield from _chain(held, around, terms)


def _chain(held: Held, around: Around, terms: Terms) -> Iterator[Judgement]:
    """Judge, in transitive mode, the line that a revision stands in; that it carries the one before was judged."""
    broken = _first_broken(held, around, terms)
    if broken is not None:
        enough = _enough(held, broken, around, terms, breaks=True)
        message = f"{broken.name}: {broken.new} breaks {broken.old} and needs {enough.text}{enough.reason}"
        broken = broken._replace(smallest=enough.text)
        yield Judgement(
            "chain.breaking", ERROR, 2, broken.name, broken.old, broken.new, held.path, message, broken, enough.text
        )


def _judge_rewritten(held: Held, old: Held, around: Around, terms: Terms) -> Iterator[Judgement]:
    """Judge a published revision that has other content now."""
    diff = diff_under_policy(old.contract, held.contract, terms)
    if not diff.changes:
        return  # build metadata alone, or nothing since it was published
    revision = held.contract.revision
    if revision.prerelease:
        diff = diff._replace(smallest=_after(old, held, around, terms).text)
    beside = highest(around.revisions)
    code = 2 if diff.verdict is Impact.BREAKING else 1
    if beside.contract.revision.precedence > revision.precedence:
        message = f"{diff.name}: {revision.text} changed beside {beside.contract.revision.text}; restore it"
        yield Judgement("revision.mutated", ERROR, code, diff.name, diff.old, diff.new, held.path, message, diff)
        return
    words = f"{diff.name}: {diff.old} changed and the revision did not; {diff.verdict.label}, needs"
    yield _missing(held, diff, words, around, terms)


def _missing(held: Held, diff: Diff, words: str, around: Around, terms: Terms) -> Judgement:
    """Name the smallest revision that carries the change."""
    enough = _enough(held, diff, around, terms)
    diff = diff._replace(smallest=enough.text)
    code = 2 if enough.breaks or diff.verdict is Impact.BREAKING else 1
    message = f"{words} {enough.text}{enough.reason}"
    return Judgement("bump.missing", ERROR, code, diff.name, diff.old, diff.new, held.path, message, diff, enough.text)


class _Enough(NamedTuple):
    """A revision that would do, why no smaller one would, and whether that is because it breaks another."""

    text: str = "0.0.0-0"
    reason: str = ""
    breaks: bool = False

    @property
    def revision(self) -> Revision:
        """The parsed text."""
        return computed_revision(self.text)


def _enough(held: Held, diff: Diff, around: Around, terms: Terms, *, breaks: bool = False) -> _Enough:
    """Return the smallest revision that carries a diff, and the change from whatever would be below it then.

    Numbers that somebody has, or had, are passed over. Where the diff ``breaks`` its line, what is below the revision
    that carries it will not do.
    """
    below, top = parse_revision(diff.old), around.top(held)
    is_lower = top is not None and top.contract.revision.precedence > held.contract.revision.precedence
    if top is not None and is_lower and comes_back(held, top):
        return _Enough(top.contract.revision.text)
    found = _Enough(diff.smallest)
    floor = found if breaks else _Enough()
    if top is not None and top.contract.revision.precedence > below.precedence:
        found, below = _higher(_after(top, held, around, terms), floor), top.contract.revision
    others = iter(around.above(held, below))
    other = next(others, None)
    while True:
        if other is not None and other.contract.revision.precedence <= found.revision.precedence:
            found = _higher(_after(other, held, around, terms), floor)
            other = next(others, None)
            continue
        broken = _first_broken(renumbered(held, found.text), around, terms)
        if broken is None:
            reason = "" if found.text == diff.smallest else found.reason
            return found._replace(reason=reason, breaks=floor.breaks)
        found = floor = _Enough(broken.smallest, f", because it breaks {broken.old}", breaks=True)


def _higher(one: _Enough, other: _Enough) -> _Enough:
    return max(one, other, key=lambda enough: enough.revision.precedence)


def _after(other: Held, held: Held, around: Around, terms: Terms) -> _Enough:
    """Return the smallest revision above another one that carries the change from the stable revision below it."""
    revision = other.contract.revision
    text = next_revision(revision, stable=not held.contract.revision.prerelease)
    above = renumbered(held, text)
    before = around.before(above, around.beside(held))
    if before is not None:
        diff = diff_under_policy(before.contract, held.contract, terms)
        if not carries(before.contract.revision, above.contract.revision, diff.needed):
            text = diff.smallest
    return _Enough(text, f", after {revision.text}")


def _larger(held: Held, before: Held, diff: Diff, around: Around, terms: Terms) -> Iterator[Judgement]:
    """Notice a bump that is larger than any reason for it; a patch needs none, nor does leaving 0.y.z."""
    old, new = before.contract.revision, held.contract.revision
    made = bump_made(old, new)
    enough = max(diff.needed, Bump.PATCH)
    leaves_zero = not old.core[0] and new.core == (1, 0, 0)
    if made is None or made <= enough or leaves_zero:
        return
    found = _enough(held, diff._replace(smallest=smallest_revision(old, enough)), around, terms)
    if found.revision.precedence >= new.precedence:
        return  # an earlier revision than the last asks for as much
    verdict = diff.verdict.label if diff.changes else "no change"
    message = f"{diff.name}: {diff.old} -> {diff.new} is {verdict}, {found.text} would do"
    yield Judgement("bump.larger", NOTICE, 0, diff.name, diff.old, diff.new, held.path, message, diff, found.text)


def _first_broken(held: Held, around: Around, terms: Terms) -> Diff | None:
    """Return how the lowest earlier stable revision of its line is broken by a contract, if one is.

    A line is a major, or a minor before 1.0.0, so that a break in it is never carried. The revision before is left out:
    that it is carried is judged elsewhere.
    """
    if not around.transitive:
        return None
    line = held.contract.revision
    before = around.before(held, around.beside(held))
    judged = line.precedence if before is None else before.contract.revision.precedence
    seen: set[object] = {held.oid}
    for other in sorted(around.others, key=lambda item: item.contract.revision.precedence):
        old = other.contract.revision
        if old.prerelease or old.precedence >= line.precedence or old.precedence == judged:
            continue
        if not _same_line(old, line) or other.oid in seen:
            continue
        seen.add(other.oid)
        diff = diff_under_policy(other.contract, held.contract, terms)
        if diff.verdict is Impact.BREAKING and not carries(old, line, diff.needed):
            return diff
    return None


def _same_line(old: Revision, new: Revision) -> bool:
    parts = 1 if new.core[0] else 2
    return old.core[:parts] == new.core[:parts]


def reuse(
    changed: Revisions, before: Revisions, published: Revisions, history: Sequence[Held], *, gate: bool
) -> Iterator[Judgement]:
    """Judge names and revisions that come back: numbers that somebody may still hold in another shape.

    A revision of a name that is still there may come back as it was.
    """
    if not history:
        return
    top = max((held.contract.revision for held in history), key=lambda revision: revision.precedence)
    for held in changed:
        revision = held.contract.revision
        known = bool(before or published)
        if known:
            past = of_precedence(history, held)
            comes_back = bool(past) and not of_precedence((*before, *published), held)
            comes_back = comes_back and not any(held.same_content(other) for other in past)
        else:
            comes_back = revision.precedence <= top.precedence
        if comes_back:
            name = held.contract.name
            end = "take a number that was never used" if known else "go on above that"
            message = f"{name}: {revision.text} comes back, the history has it up to {top.text}; {end}"
            level, code = (ERROR, 1) if gate else (NOTICE, 0)
            yield Judgement("revision.reused", level, code, name, top.text, revision.text, held.path, message)
