"""``gate``: the judgement that counts: in CI, under the policy of the base, and never of nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from functools import partial

from protocolarc.config.policy import POLICY_FILE, SHARED_FILE, ConfigError, is_told_twice
from protocolarc.config.waivers import WAIVER_FILE, is_expired
from protocolarc.engine.judge import Comparison
from protocolarc.engine.policy import Terms, diff_under_policy, matching
from protocolarc.engine.revisions import Revisions, index_by_name, predecessor
from protocolarc.gitstore.plumbing import Git, GitError
from protocolarc.registry import contexts, refs, sources
from protocolarc.registry.changes import Rules, Sides, compare
from protocolarc.registry.check import is_transitive, sum_up, valid, with_history
from protocolarc.registry.contexts import Context
from protocolarc.registry.fixtures import Differ, compare_fixtures
from protocolarc.registry.ranges import of_commit
from protocolarc.registry.refs import Point
from protocolarc.registry.request import Request
from protocolarc.registry.sides import fork_of
from protocolarc.registry.sources import Decided
from protocolarc.values.judgement import ERROR, NOTICE, CheckResult, Judgement, sort_key
from protocolarc.values.literal import escape_label
from protocolarc.values.policy import Waiver
from protocolarc.values.revision import parse_revision

_SINCE_RELEASE = "what was allowed since the release is judged by gate --from the commit that allowed it"


def gate(
    git: Git, request: Request, environ: Mapping[str, str], *, release: bool = False, differ: Differ | None = None
) -> CheckResult:
    """Judge what two commits differ in; with ``differ``, ask two validators about the policy's fixtures as well.

    Raises:
        GitError: git cannot answer, or there is nothing to compare.
        ConfigError: the policy file or the waivers of the base cannot be used.
    """
    if request.head is None and refs.head_point(git).oid is None:
        raise GitError("nothing to compare: the repository has no commit")
    current = _decide(git, refs.resolve(git, request.head or "HEAD"))
    context = _context(git, request, environ, current, release=release)
    asked = _decide(git, context.head)
    decided = _decide(git, context.base, own_counts=True) if context.base.oid else asked
    parents = refs.parents(git, context.head)
    fork = fork_of(git, parents)
    policy = sources.widened(git, decided.policy, [context.head, context.base, fork, *parents])
    head = of_commit(git, context.head, policy)
    rules = Rules(asked.policy, Terms(policy, valid(decided.waivers, request.now)), whole=True)
    compared, _, notes = compare(git, head, Sides(context.base, context.base, parents, fork), rules)
    if not (compared.base.contracts or compared.base.unread or compared.head.contracts or compared.head.unread):
        raise GitError(
            f"nothing to compare: no contract below {sources.shown(policy.paths)}", "paths in protocolarc.toml"
        )
    compared = compared._replace(
        transitive=is_transitive(request, decided.policy, default=True), gate=True, judge_merged=True
    )
    compared, told = with_history(git, compared, context.base)
    result = sum_up(compared, context.base, [*context.notes, *_two_policies(context.base, decided), *notes], told)
    used = set(_used_waivers(compared))
    result = result._replace(notes=(*result.notes, *_waived(compared, used)))
    is_release = release and request.base is None
    result = result._replace(
        judgements=tuple(_told_of_head(item, asked, is_release=is_release) for item in result.judgements)
    )
    more = (
        *_changed_files(decided, asked, is_release=is_release),
        *_stale_waivers(compared, used, decided, asked, request.now),
    )
    if differ is not None:
        compared_fixtures = compare_fixtures(git, context.head, compared.head, (decided.policy, asked.policy), differ)
        more = (*more, *compared_fixtures.judgements)
        result = result._replace(
            notes=(*result.notes, *compared_fixtures.notes), unread=(*result.unread, *compared_fixtures.unread)
        )
    return result._replace(judgements=tuple(sorted((*result.judgements, *more), key=sort_key)))


def _decide(git: Git, point: Point, *, own_counts: bool = False) -> Decided:
    """Read what a commit decided; an error says whose file it is, because a pull request may have repaired its own."""
    try:
        return sources.decide(sources.from_commit(git, point), own_counts=own_counts)
    except ConfigError as error:
        raise ConfigError(f"{error} (in {point.label})") from None


def _context(git: Git, request: Request, environ: Mapping[str, str], current: Decided, *, release: bool) -> Context:
    if release and request.base is None:
        return _release(git, request.head, current.policy.tag_pattern)
    branch = partial(_default_branch, git, current.policy.published)
    if request.base is not None or request.head is not None:
        return contexts.of_range(git, request.base, request.head, partial(branch, None))
    return contexts.of_environment(git, environ, branch)


def _release(git: Git, head: str | None, own: str) -> Context:
    """Return what a release is compared with: a head does not choose alone which tags are releases.

    Raises:
        GitError: the pattern of the head's policy finds another release than that of the release's own policy.
    """
    context = contexts.of_release(git, head, own)
    stated = _decide(git, context.base).policy.tag_pattern
    if stated != own:
        other = contexts.of_release(git, head, stated).base
        if other.oid not in (None, context.base.oid):
            reason = f"the head alone says that {own} names releases; {stated}, as {context.base.label} has it,"
            raise GitError(f"nothing to compare: {reason} finds {other.label}", "--from names the base")
    return context


def _default_branch(git: Git, own: str | None, stated: str | None) -> Point | None:
    """Return what is published as the default branch's policy has it: a head does not choose what it is held against.

    Raises:
        GitError: the head's policy alone names another branch, or what is published is not here.
    """
    known = refs.default_branch(git, stated)
    published = own if known is None else _decide(git, known, own_counts=True).policy.published
    if published is not None:
        try:
            return refs.resolve(git, published)
        except GitError as error:
            whose = "the head" if known is None else known.name
            reason = f"nothing to compare: the policy of {whose} says what is published, and {error.reason}"
            raise GitError(reason, error.hint) from None
    if known is None or own is None:
        return known
    for name in (own, f"refs/remotes/origin/{own}"):  # a local branch may be behind that of the remote
        if git.commit(name) == known.oid:
            return refs.default_branch(git, name)
    reason = f"the head alone says that {own} is published; the policy of {known.name} does not"
    raise GitError(f"nothing to compare: {reason}", "let it in there first; until then --from names the base")


def _two_policies(base: Point, decided: Decided) -> Iterator[str]:
    """Say which policy of a base counts that has two: its head shall not be stopped that removes one of them."""
    own, shared, _ = decided.files
    if is_told_twice(own, shared):
        yield f"{base.label} has a policy in {POLICY_FILE} and in {SHARED_FILE}; that of {POLICY_FILE} is used"


def _told_of_head(item: Judgement, asked: Decided, *, is_release: bool) -> Judgement:
    """Say of a contract that left that the head's policy allows it, where that is not the one that counts."""
    if item.code != "contract.removed" or item.level != ERROR or item.contract not in asked.policy.retired:
        return item
    end = _SINCE_RELEASE if is_release else "let the policy in by a change of its own first"
    words = "removed, which the head's policy allows under retired and the base's, which counts, does not"
    return item._replace(message=f"{item.contract}: {words}; {end}")


def _changed_files(decided: Decided, asked: Decided, *, is_release: bool) -> Iterator[Judgement]:
    for name, old, new in zip((POLICY_FILE, SHARED_FILE, WAIVER_FILE), decided.files, asked.files, strict=True):
        if old == new or (name == SHARED_FILE and decided.policy == asked.policy):
            continue
        message = f"{name} differs; the base's is used{f'; {_SINCE_RELEASE}' if is_release else ''}"
        yield Judgement("policy.changed", NOTICE, 0, "", None, None, name, message)


def _waived(compared: Comparison, used: AbstractSet[Waiver]) -> Iterator[str]:
    """Tell which changes pass by a waiver alone: what is let through is said, and who answers for it."""
    known = {(held.contract.name, held.contract.revision.text) for held in compared.base.contracts}
    for waiver in compared.terms.waivers:
        if waiver in used and (waiver.contract, waiver.new) not in known:
            what = f"{waiver.contract}: {waiver.old} -> {waiver.new}, {waiver.kind} at {waiver.field}"
            yield f"{what} is waived by {waiver.owner} until {waiver.expires}: {waiver.reason}"


def _stale_waivers(
    compared: Comparison, used: AbstractSet[Waiver], decided: Decided, asked: Decided, now: date | None
) -> Iterator[Judgement]:
    """Judge the waivers that are over or that no change needs. One that the head removes is done with."""
    today = now or date.today()  # noqa: DTZ011  # the calendar of the place where the gate runs
    published, head = index_by_name(compared.anchor), index_by_name(compared.head)
    for waiver in decided.waivers:
        if waiver not in asked.waivers:
            continue
        words = escape_label(f"{waiver.contract}: the waiver of {waiver.kind} at {waiver.field}")
        if is_expired(waiver, today):
            yield _waiver("waiver.expired", waiver, f"{words} expired on {waiver.expires}")
        elif waiver not in used and decided is not asked:  # without a base nothing tells whether its change came
            pending = waiver.new not in [held.contract.revision.text for held in head.get(waiver.contract, [])]
            pending = pending and _may_come(waiver, published.get(waiver.contract, []), transitive=compared.transitive)
            end = " yet" if pending else ""
            yield _waiver("waiver.unused", waiver, f"{words} matches nothing{end}", pending=pending)


def _may_come(waiver: Waiver, published: Revisions, *, transitive: bool) -> bool:
    """Tell whether the change of a waiver may still come: what it leads to is not published, what it starts from is.

    In transitive mode that is also a revision which a file had before what it holds now.
    """
    texts = [held.contract.revision.text for held in published]
    if waiver.new in texts or waiver.old in texts:
        return waiver.new not in texts
    try:
        old, new = (parse_revision(text).precedence for text in (waiver.old, waiver.new))
    except ValueError:  # it matches nothing, ever
        return False
    return transitive and any(old < held.contract.revision.precedence < new for held in published)


def _waiver(code: str, waiver: Waiver, message: str, *, pending: bool = False) -> Judgement:
    level, exit_code = (NOTICE, 0) if pending else (ERROR, 1)
    name = escape_label(waiver.contract)
    return Judgement(code, level, exit_code, name, waiver.old, waiver.new, WAIVER_FILE, message)


def _used_waivers(compared: Comparison) -> Iterator[Waiver]:
    """Yield the waivers that a link of this comparison needs."""
    base = index_by_name(compared.anchor)
    for name, revisions in index_by_name(compared.head).items():
        mine = [waiver for waiver in compared.terms.waivers if waiver.contract == name]
        published = base.get(name, [])
        for held in revisions if mine else ():
            before = predecessor(held, revisions, published)
            others = (*published, *revisions, *compared.history.get(name, ()))
            for other in {id(item): item for item in (before, *others) if item is not None}.values():
                yield from matching(mine, diff_under_policy(other.contract, held.contract, compared.terms))
