"""``check``: what a commit, a range of commits or the disk changes in the registry, and what the rules say about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protocolarc.config.waivers import is_expired
from protocolarc.engine.judge import Comparison, judge
from protocolarc.engine.policy import Terms
from protocolarc.engine.revisions import Revisions, highest, index_by_name, of_precedence
from protocolarc.gitstore.plumbing import Git, GitError
from protocolarc.registry import refs, snapshots, sources
from protocolarc.registry.clashes import clashes
from protocolarc.registry.refs import NOTHING, Point
from protocolarc.registry.request import Request
from protocolarc.registry.sides import fork_of, reader, with_parents, without_foreign
from protocolarc.registry.sources import encode_paths
from protocolarc.values.judgement import CheckResult
from protocolarc.values.policy import Policy, Waiver
from protocolarc.values.snapshot import Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date


def check_worktree(git: Git, request: Request) -> CheckResult:
    """Judge what is on the disk against ``HEAD`` and whatever else is merged.

    Raises:
        GitError: git cannot answer. ConfigError: the policy file or the waivers cannot be used.
    """
    from protocolarc.registry.disk import of_disk  # noqa: PLC0415  # nothing else here reads files

    base = refs.head_point(git)
    decided = sources.decide(sources.from_disk(git.top or "."))
    merged = refs.merging(git, list(git.environment))
    anchor, notes = published_point(git, base, merged, decided.policy)
    parents = [base, *merged]
    fork = fork_of(git, parents)
    policy = sources.widened(git, decided.policy, [anchor, fork, *parents])
    paths = encode_paths(policy)
    held = snapshots.of_tree(git, base.label, base.oid, paths)
    compared = Comparison(
        head=of_disk(git, "the work tree", paths),
        base=held,
        anchor=held if anchor == base else snapshots.of_bases(git, anchor, paths).anchor,
        terms=Terms(policy, valid(decided.waivers, request.now)),
        transitive=is_transitive(request, policy),
    )
    compared = without_foreign(with_parents(compared, parents, fork, reader(git, paths)), decided.policy)
    return conclude(git, compared, base, [*notes, *_lacking(compared)])


def check_range(git: Git, request: Request) -> CheckResult:
    """Judge what the commits of a branch change since it left its base.

    Raises:
        GitError: git cannot answer, or there is nothing to compare with. ConfigError: as above.
    """
    head = refs.resolve(git, request.head or "HEAD")
    decided = sources.decide(sources.from_commit(git, head))
    base, notes = range_base(git, request.base, head, decided.policy)
    anchor = base
    if request.pushed is not None:
        from protocolarc.registry.pushed import pushed_point  # noqa: PLC0415  # other ranges do without

        anchor, more = pushed_point(git, request.pushed, base, head, decided.policy)
        notes += more
    parents = refs.parents(git, head)
    fork = fork_of(git, parents)
    policy = sources.widened(git, decided.policy, [base, anchor, fork, *parents])
    paths = encode_paths(policy)
    bases = snapshots.of_bases(git, base, paths)
    compared = Comparison(
        head=snapshots.of_tree(git, head.label, head.oid, paths),
        base=bases.base,
        anchor=bases.anchor if anchor == base else snapshots.of_bases(git, anchor, paths).anchor,
        terms=Terms(policy, valid(decided.waivers, request.now)),
        transitive=is_transitive(request, policy),
        judge_merged=True,
    )
    compared = without_foreign(with_parents(compared, parents, fork, reader(git, paths)), decided.policy)
    return conclude(git, compared, base, [*notes, *_lacking(compared)])


def _lacking(compared: Comparison) -> Iterator[str]:
    """Say that neither side has anything where the policy looks for contracts."""
    head, base = compared.head, compared.base
    if not (head.contracts or head.unread or base.contracts or base.unread):
        yield sources.nothing_below(compared.terms.policy, f"{head.label} nor in {base.label}")


def is_transitive(request: Request, policy: Policy, *, default: bool = False) -> bool:
    """Tell whether earlier revisions than the last count: the option speaks first, then the policy."""
    for wish in (request.transitive, policy.transitive):
        if wish is not None:
            return wish
    return default


def range_base(git: Git, name: str | None, head: Point, policy: Policy) -> tuple[Point, list[str]]:
    """Return where a range begins, and what there is to say about it.

    Raises:
        GitError: a name does not resolve, or two commits have nothing in common.
    """
    if name is not None and not refs.is_unknown(git, name):
        named = refs.resolve(git, name)
        base = refs.common_ancestor(git, named, head)
        return base, [refs.nothing_new(named, head)] if base.oid == head.oid else []
    why = "no base was named" if name is None else f"the base {name[:12]} is not known here"
    if name is not None and not name.strip("0"):
        why = "nothing was there before"
    default = refs.default_branch(git, policy.published)
    if git.shallow and default is None:
        raise refs.no_default_branch(git)
    if git.shallow and default is not None and default.oid == head.oid:
        reason = f"nothing to compare: {why}, and this clone is shallow: what {default.name} was before is not here"
        raise GitError(reason, f"{refs.UNSHALLOW} origin, or --from names a base")
    if default is not None and default.oid == head.oid == git.commit(f"refs/remotes/{default.name}"):
        return head, [refs.nothing_new(default, head)]
    if default is None or default.oid == head.oid:
        lacking = "there is no other branch to compare with"
        if default is None and policy.published is not None:
            lacking = f"published {policy.published} names no commit here"
        return NOTHING, [f"{why}, and {lacking}: every contract counts as new"]
    if not git.shallow and not refs.merge_bases(git, default, head):
        return NOTHING, [f"{why}, and {head.name} shares no commit with {default.name}: every contract counts as new"]
    base = refs.common_ancestor(git, default, head)
    return base, [f"{why}; compared with {base.label}"]


def conclude(git: Git, compared: Comparison, base: Point, notes: Iterable[str]) -> CheckResult:
    """Look up what the history has to say about what changed, judge, and sum up."""
    compared, told = with_history(git, compared, base)
    return sum_up(compared, base, notes, told)


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
    notes = (*notes, *refs.several(base), *clashes(_paths(compared.head), _paths(compared.base)), *told)
    return CheckResult(
        head=compared.head.label,
        base=compared.base.label,
        anchor=compared.anchor.label,
        contracts=len(compared.head.contracts),
        judgements=tuple(judge(compared)),
        notes=(*dict.fromkeys(notes), *_repaired(compared)),
        unread=compared.head.unread,
    )


def _paths(snapshot: Snapshot) -> list[str]:
    return [held.path for held in snapshot.contracts] + [unread.path for unread in snapshot.unread]


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
