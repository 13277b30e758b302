"""Bumps: how far a revision moved, how far a verdict asks it to move, and the smallest one that does."""

from __future__ import annotations

from protocolarc.values.change import Impact
from protocolarc.values.revision import MAX_LENGTH, Bump, Revision

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
    """Return the smallest revision that carries a bump; the old one where none is needed.

    It is stable, but for the next pre-release where any higher one will do.
    """
    major, minor, patch = old.core
    if needed is Bump.MAJOR:
        return f"{major + 1}.0.0"
    if needed is Bump.MINOR:
        return f"{major}.{minor + 1}.0"
    if needed is Bump.PATCH:
        return f"{major}.{minor}.{patch + 1}"
    if needed is Bump.PRERELEASE:
        return _next_prerelease(old)
    return old.text


def next_revision(old: Revision, *, stable: bool) -> str:
    """Return the next patch, or what follows a pre-release: the next one, or the revision that it leads to."""
    if not old.prerelease:
        return smallest_revision(old, Bump.PATCH)
    return _core(old) if stable else smallest_revision(old, Bump.PRERELEASE)


def _core(revision: Revision) -> str:
    return ".".join(map(str, revision.core))


def _next_prerelease(old: Revision) -> str:
    """Count the last numeric identifier up, or append one; the core where that is too long, or was no pre-release."""
    identifiers = list(old.prerelease)
    at = next((at for at in reversed(range(len(identifiers))) if identifiers[at].isdigit()), None)
    if at is None:
        identifiers.append("1")
    else:
        identifiers[at] = str(int(identifiers[at]) + 1)
    text = f"{_core(old)}-{'.'.join(identifiers)}"
    return text if old.prerelease and len(text) <= MAX_LENGTH else _core(old)
