"""One new revision of a contract: what it follows, how far it had to move, and what it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocolarc.engine.bump import bump_made, smallest_revision
from protocolarc.engine.policy import Terms, carries, diff_under_policy
from protocolarc.engine.revisions import Revisions, highest, of_precedence
from protocolarc.values.change import Diff, Impact
from protocolarc.values.judgement import ERROR, NOTICE, Judgement
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Bump, Revision, parse_revision
from protocolarc.values.snapshot import Held


def predecessor(held: Held, revisions: Sequence[Held], published: Sequence[Held]) -> Held | None:
    """Return the highest stable revision below one; what is published speaks first for a number that both have."""
    mine = held.contract.revision.precedence
    found: Held | None = None
    for other in (*revisions, *published):
        revision = other.contract.revision
        if revision.prerelease or revision.precedence >= mine:
            continue
        if found is None or revision.precedence >= found.contract.revision.precedence:
            found = other
    return found


def judge_link(
    held: Held,
    revisions: Revisions,
    published: Revisions,
    terms: Terms,
    *,
    earlier: Sequence[Held] | None,
) -> Iterator[Judgement]:
    """Judge a revision that is not in the base as it is: against itself as published, or against its predecessor.

    ``earlier`` are the revisions of the history, for the transitive mode; absent, that mode is off.
    """
    same = of_precedence(published, held)
    around = _Around(revisions, published, earlier)
    if same:
        other = [old for old in same if not held.same_content(old)] or same
        yield from _judge_rewritten(held, other[-1], around, terms)
        return
    before = around.before(held, revisions)
    if before is None:
        yield from _chain(held, "", around, terms)
        return
    diff = diff_under_policy(before.contract, held.contract, terms)
    if not carries(before.contract.revision, held.contract.revision, diff.needed):
        words = f"{diff.name}: {diff.old} -> {diff.new} is {diff.verdict.label} and needs"
        yield _missing(held, diff, words, around.others, terms)
        return
    yield from _larger(held, before, diff, around.others, terms)
    yield from _chain(held, diff.old, around, terms)


def _chain(held: Held, judged: str, around: _Around, terms: Terms) -> Iterator[Judgement]:
    """Judge, in transitive mode, the line that a revision stands in; that it carries the one before was judged."""
    broken = _first_broken(held, held.contract.revision, around.others, terms)
    if broken is not None and broken.old != judged:
        message = f"{broken.name}: {broken.new} breaks {broken.old} and needs {broken.smallest}"
        yield Judgement(
            "chain.breaking", ERROR, 2, broken.name, broken.old, broken.new, held.path, message, broken, broken.smallest
        )


class _Around(NamedTuple):
    """The other revisions of the name: beside one, published, and in transitive mode those of the history."""

    revisions: Revisions
    published: Revisions
    earlier: Sequence[Held] | None

    @property
    def others(self) -> Sequence[Held]:
        """All that count in transitive mode; none without it."""
        return () if self.earlier is None else (*self.earlier, *self.published, *self.revisions)

    def before(self, held: Held, revisions: Revisions) -> Held | None:
        """Return what a revision follows, here or as published.

        In one file a pre-release takes the place of the stable revision before it, which is in the history then. A
        name that is published nowhere begins anew, but for the chain.
        """
        found = predecessor(held, revisions, self.published)
        if found is None and self.published and self.earlier:
            found = predecessor(held, [], self.earlier[::-1])
        return found


def _judge_rewritten(held: Held, old: Held, around: _Around, terms: Terms) -> Iterator[Judgement]:
    """Judge a published revision that has other content now."""
    diff = diff_under_policy(old.contract, held.contract, terms)
    if not diff.changes:
        return  # build metadata alone, or nothing since it was published
    revision = held.contract.revision
    before = around.before(held, [])
    floor = smallest_revision(revision, diff.needed)
    if revision.prerelease and before is not None:
        wanted = diff_under_policy(before.contract, held.contract, terms)
        floor = _higher(floor, wanted.smallest)
    diff = diff._replace(smallest=floor)
    beside = highest(around.revisions)
    code = 2 if diff.verdict is Impact.BREAKING else 1
    if beside.contract.revision.precedence > revision.precedence:
        message = f"{diff.name}: {revision.text} changed beside {beside.contract.revision.text}; restore it"
        yield Judgement("revision.mutated", ERROR, code, diff.name, diff.old, diff.new, held.path, message, diff)
        return
    words = f"{diff.name}: {diff.old} changed and the revision did not; {diff.verdict.label}, needs"
    yield _missing(held, diff, words, around.others, terms)


def _missing(held: Held, diff: Diff, words: str, others: Sequence[Held], terms: Terms) -> Judgement:
    """Name the smallest revision that carries the change, and breaks none of the others in its line."""
    smallest, reason, breaks = diff.smallest, "", diff.verdict is Impact.BREAKING
    while (broken := _first_broken(held, parse_revision(smallest), others, terms)) is not None:
        smallest, reason, breaks = _higher(smallest, broken.smallest), f", because it breaks {broken.old}", True
    diff = diff._replace(smallest=smallest)
    code = 2 if breaks else 1
    message = f"{words} {diff.smallest}{reason}"
    return Judgement(
        "bump.missing", ERROR, code, diff.name, diff.old, diff.new, held.path, message, diff, diff.smallest
    )


def _larger(held: Held, before: Held, diff: Diff, others: Sequence[Held], terms: Terms) -> Iterator[Judgement]:
    """Notice a bump that is larger than any reason for it; a patch needs none, nor does leaving 0.y.z."""
    old, new = before.contract.revision, held.contract.revision
    made = bump_made(old, new)
    enough = max(diff.needed, Bump.PATCH)
    leaves_zero = not old.core[0] and new.core == (1, 0, 0)
    if made is None or made <= enough or leaves_zero:
        return
    smallest = smallest_revision(old, enough)
    if _first_broken(held, parse_revision(smallest), others, terms) is not None:
        return  # an earlier revision than the last asks for more
    verdict = diff.verdict.label if diff.changes else "no change"
    message = f"{diff.name}: {diff.old} -> {diff.new} is {verdict}, {smallest} would do"
    yield Judgement("bump.larger", NOTICE, 0, diff.name, diff.old, diff.new, held.path, message, diff, smallest)


def _first_broken(held: Held, line: Revision, others: Sequence[Held], terms: Terms) -> Diff | None:
    """Return how the lowest earlier stable revision of a line is broken by a contract, if one is.

    A line is a major, or a minor before 1.0.0, so that a break in it is never carried.
    """
    mine = held.contract.revision.precedence
    seen: set[object] = set()
    for other in sorted(others, key=lambda item: item.contract.revision.precedence):
        old = other.contract.revision
        if old.prerelease or old.precedence >= mine or not _same_line(old, line) or other.oid in seen:
            continue
        seen.add(other.oid)
        diff = diff_under_policy(other.contract, held.contract, terms)
        if diff.verdict is Impact.BREAKING and not carries(old, line, diff.needed):
            return diff
    return None


def _same_line(old: Revision, new: Revision) -> bool:
    parts = 1 if new.core[0] else 2
    return old.core[:parts] == new.core[:parts]


def _higher(left: str, right: str) -> str:
    return max(left, right, key=lambda text: parse_revision(text).precedence)


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
