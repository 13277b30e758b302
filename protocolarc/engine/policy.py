"""Diffs under a policy: what the policy file and the waivers make of a verdict, and the bump it asks for."""

from __future__ import annotations

from collections.abc import Iterable

from protocolarc.engine.bump import ASKED, bump_made, bump_needed, smallest_revision
from protocolarc.engine.diff import diff_contracts
from protocolarc.values.change import Change, Diff, Impact
from protocolarc.values.contract import Contract
from protocolarc.values.policy import Policy, Waiver
from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Bump, Revision

_UNCONSTRAINED = ("added any", "removed any")


class Terms(NamedTuple):
    """What verdicts are given under."""

    policy: Policy = Policy()
    waivers: tuple[Waiver, ...] = ()

    @property
    def asks_nothing(self) -> bool:
        """True when every verdict and every bump is that of the table."""
        policy = self.policy
        return not (self.waivers or policy.severity or policy.open_content) and policy.zero == "shift"


def diff_under_policy(old: Contract, new: Contract, terms: Terms) -> Diff:
    """Compare two revisions as ``check``, ``gate``, ``log`` and ``bump`` do.

    Raises:
        TooManyPlacesError: the contracts combine to more places than a comparison looks at.
    """
    plain = diff_contracts(old, new)
    if terms.asks_nothing:
        return plain
    changes = [_weigh(change, plain.side, terms.policy) for change in plain.changes]
    waived = {(waiver.kind, waiver.field) for waiver in matching(terms.waivers, plain)}
    changes = [
        change._replace(impact=Impact.COMPATIBLE) if (change.kind, change.field) in waived else change
        for change in changes
    ]
    verdict = max((change.impact for change in changes), default=Impact.COMPATIBLE)
    needed = needed_bump(old.revision, verdict, changed=bool(changes), zero=terms.policy.zero)
    return plain._replace(
        verdict=verdict,
        needed=needed,
        smallest=smallest_revision(old.revision, needed),
        changes=tuple(sorted(changes, key=lambda change: (-change.impact, change.field, change.kind, change.detail))),
    )


def needed_bump(old: Revision, verdict: Impact, *, changed: bool, zero: str) -> Bump:
    """Return the bump that a verdict asks for, in the mode that the policy has for 0.y.z."""
    if old.core[0] or old.prerelease or not changed or zero == "shift":
        return bump_needed(old, verdict, changed=changed)
    if zero == "free":
        return Bump.PATCH
    return ASKED[verdict]


def matching(waivers: Iterable[Waiver], diff: Diff) -> list[Waiver]:
    """Return the waivers that speak of a change of this diff."""
    step = diff.name, diff.old, diff.new
    found = [waiver for waiver in waivers if (waiver.contract, waiver.old, waiver.new) == step]
    changed = {(change.kind, change.field) for change in diff.changes} if found else set()
    return [waiver for waiver in found if (waiver.kind, waiver.field) in changed]


def carries(old: Revision, new: Revision, needed: Bump) -> bool:
    """Tell whether a revision moved far enough."""
    made = bump_made(old, new)
    return made is not None and made >= needed


def _weigh(change: Change, side: str, policy: Policy) -> Change:
    """Apply the open reading of content, then the class that the policy gives to the kind."""
    if policy.open_content and change.detail not in _UNCONSTRAINED:
        # Someone may already send the key of an added field, or go on to send a removed one, with another type.
        if change.kind == "field.added.optional":
            change = change._replace(receives=True)
        elif change.kind == "field.removed.optional":
            change = change._replace(sends=True)
        if (change.receives and side != "response") or (change.sends and side != "request"):
            change = change._replace(impact=Impact.BREAKING)
    return change._replace(impact=policy.severity.get(change.kind, change.impact))
