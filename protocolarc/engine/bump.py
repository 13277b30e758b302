"""Bumps: how far a revision moved, how far a verdict asks it to move, and the smallest one that does."""

from __future__ import annotations

from protocolarc.values.change import Impact
from protocolarc.values.revision import Bump, Revision

ASKED = {Impact.BREAKING: Bump.MAJOR, Impact.FORWARD: Bump.MINOR, Impact.COMPATIBLE: Bump.PATCH}
"""The bump that a verdict asks for from 1.0.0 on."""


def bump_made(old: Revision, new: Revision) -> Bump | None:
    """Return the largest part that moved up, ``NONE`` for equal precedence, ``None`` when the new one is lower."""
    before, after = old.precedence, new.precedence
    if after <= before:
        return Bump.NONE if after == before else None
    for part, bump in enumerate((Bump.MAJOR, Bump.MINOR, Bump.PATCH)):
        if new.core[part] != old.core[part]:
            return bump
    return Bump.PRERELEASE


def bump_needed(old: Revision, verdict: Impact, *, changed: bool) -> Bump:
    """Return the bump that a verdict asks for, one step less before 1.0.0.

    From a pre-release any higher revision will do. No change needs no bump.
    """
    if not changed:
        return Bump.NONE
    if old.prerelease:
        return Bump.PRERELEASE
    asked = ASKED[verdict]
    return asked if old.core[0] else max(Bump.PATCH, Bump(asked - 1))


def smallest_revision(old: Revision, needed: Bump) -> str:
    """Return the smallest stable revision that carries a bump; the old one where none is needed."""
    major, minor, patch = old.core
    if needed is Bump.MAJOR:
        return f"{major + 1}.0.0"
    if needed is Bump.MINOR:
        return f"{major}.{minor + 1}.0"
    if needed is Bump.PATCH:
        return f"{major}.{minor}.{patch + 1}"
    if needed is Bump.PRERELEASE:
        return f"{major}.{minor}.{patch}"
    return old.text
