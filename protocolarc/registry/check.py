"""``check``: what a commit, a range of commits or the disk changes in the registry, and what the rules say about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protocolarc.config.waivers import is_expired
from protocolarc.engine.judge import Comparison, judge
from protocolarc.engine.policy import Terms
from protocolarc.engine.revisions import Revisions, highest, index_by_name, of_precedence
from protocolarc.gitstore.plumbing import Git, GitError
from protocolarc.gitstore.search import STAGED
from protocolarc.registry import refs
from protocolarc.registry.changes import Compared, Rules, Sides, compare, of_objects
from protocolarc.registry.names import holders
from protocolarc.registry.refs import Point
from protocolarc.registry.request import Request
from protocolarc.registry.sides import fork_of
from protocolarc.registry.sources import encode_paths, widened
from protocolarc.registry.staged import Listings, list_below
from protocolarc.values.judgement import CheckResult
from protocolarc.values.policy import Policy, Waiver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date


def check_staged(git: Git, listed: Listings, request: Request) -> CheckResult:
    """Judge the index against ``HEAD`` and whatever else is merged: what differs, or all where the policy does.

    Raises:
        GitError: git cannot answer.
    """
    base, merged, decided = listed.base, listed.merged, listed.decided
    anchor, notes = published_point(git, base, merged, decided.policy)
    sides = Sides(base, anchor, [base, *merged], fork_of(git, [base, *merged]))
    policy = widened(git, listed.policy, [anchor, sides.fork])
    if policy != listed.policy:
        listed = list_below(git, listed, policy)
    paths = encode_paths(policy)
    head = of_objects(git, "index", listed.after, lambda names, _: holders(git, names, paths, STAGED))
    terms = Terms(policy, valid(decided.waivers, request.now))
    rules = Rules(decided.policy, terms, whole=not listed.same_policy)
    return conclude(git, compare(git, head, sides, rules, {base.oid: listed.before}), base, request, notes)


def conclude(git: Git, found: Compared, base: Point, request: Request, notes: Iterable[str]) -> CheckResult:
    """Look up what the history has to say about what changed, judge, and sum up."""
    compared = found.comparison
    compared = compared._replace(transitive=is_transitive(request, compared.terms.policy))
    compared, told = with_history(git, compared, base)
    result = sum_up(compared, base, [*notes, *found.notes], told)
    return result._replace(contracts=result.contracts + found.unchanged)


def is_transitive(request: Request, policy: Policy, *, default: bool = False) -> bool:
    """Tell whether earlier revisions than the last count: the option speaks first, then the policy."""
    for wish in (request.transitive, policy.transitive):
        if wish is not None:
            return wish
    return default


def with_history(git: Git, compared: Comparison, base: Point) -> tuple[Comparison, list[str]]:
    """Add what the history of the base had under the names whose past counts, and say what is not known of it.

    Raises:
        GitError: the history cannot be read, in a gate or in transitive mode.
    """
    names = _asked_of_history(compared)
    if not names or base.oid is None:
        return compared, []
    from protocolarc.registry.past import past_revisions  # noqa: PLC0415  # most changes ask for no history

    told: list[str] = []
    try:
        past = past_revisions(git, base, encode_paths(compared.terms.policy), names)
        compared = compared._replace(history=past)
    except GitError as error:
        if compared.gate or compared.transitive:
            raise  # what was asked for and not done is no success
        told.append(f"the history was not looked at: {error.reason}")
    if git.shallow and compared.gate:
        told.append("this clone is shallow: revisions beyond its depth are not known")
    return compared, told


def sum_up(compared: Comparison, base: Point, notes: Iterable[str], told: Iterable[str]) -> CheckResult:
    """Judge, and put the notes about the comparison in order: those given, and what is told of its history."""
    notes = (*notes, *refs.several(base), *told)
    return CheckResult(
        head=compared.head.label,
        base=compared.base.label,
        anchor=compared.anchor.label,
        contracts=len(compared.head.contracts),
        judgements=tuple(judge(compared)),
        notes=tuple(dict.fromkeys((*notes, *_repaired(compared)))),
        unread=compared.head.unread,
    )


def valid(waivers: Sequence[Waiver], now: date | None) -> tuple[Waiver, ...]:
    """Return the waivers whose date is not over."""
    if not waivers:
        return ()
    from datetime import date  # noqa: PLC0415  # most registries have none

    today = now or date.today()  # noqa: DTZ011  # the calendar of the place where the check runs
    return tuple(waiver for waiver in waivers if not is_expired(waiver, today))


def _asked_of_history(compared: Comparison) -> set[str]:
    """Return the names whose past counts: in a gate or transitive mode all that changed.

    Else those that are new or got a revision below what was there before: it may be one that comes back.
    """
    base, head, anchor = (index_by_name(snapshot) for snapshot in (compared.base, compared.head, compared.anchor))
    asked = set(head.keys() - base.keys() - anchor.keys())
    asked |= {name for name, revisions in head.items() if name in base and _has_lower(revisions, base[name])}
    if compared.gate or compared.transitive:
        before = {(held.contract.name, held.oid) for held in compared.base.contracts}
        asked |= {
            held.contract.name for held in compared.head.contracts if (held.contract.name, held.oid) not in before
        }
    return asked


def _has_lower(revisions: Revisions, before: Revisions) -> bool:
    """Tell whether a revision came that is lower than the highest before."""
    top = highest(before).contract.revision.precedence
    lower = (held for held in revisions if held.contract.revision.precedence < top)
    return any(not of_precedence(before, held) for held in lower)


def _repaired(compared: Comparison) -> Iterator[str]:
    """Say which files of the base gave no contract: they count as absent there."""
    bad = {unread.path for unread in compared.head.unread}
    for unread in (*compared.base.unread, *(compared.anchor.unread if compared.anchor != compared.base else ())):
        if unread.path not in bad:
            problem = unread.problems[0]
            yield f"{unread.path} gave no contract before ({problem.code}); it counts as absent there"


def published_point(  # noqa: PLR0913  # all but the first four have defaults
    git: Git, head: Point, merged: Sequence[Point], policy: Policy, *, local: bool = False, base: Point | None = None
) -> tuple[Point, list[str]]:
    """Return what others can already have: where a branch left the published one.

    Without such a branch, or where that has the head already, it is ``base``; the head unless it is named.
    """
    base = base or head
    if head.oid is None:
        return base, []
    published = refs.default_branch(git, policy.published, local=local)
    if published is None:
        missing = policy.published is not None
        lacking = f"published {policy.published} names no commit here; measured from {base.name}"
        return base, [lacking] if missing else []
    found = refs.merge_bases(git, published, head, *merged)
    if not found:
        return base, [f"{head.name} and {published.name} have no commit in common here; measured from {base.name}"]
    oid, also = found[0], tuple(found[1:])
    if found == [head.oid]:
        return base, []
    name = published.name if oid == published.oid else f"merge-base of {head.name} and {published.name}"
    return (anchor := Point(oid, name, also)), refs.several(anchor)
