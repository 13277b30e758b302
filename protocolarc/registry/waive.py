"""Waivers as they are made and written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import tomli_w

from protocolarc.config.waivers import KEYS, TABLE, is_expired
from protocolarc.rules.catalogue import catalogue
from protocolarc.values.path import PathError, parse_path, render_path
from protocolarc.values.policy import Waiver
from protocolarc.values.revision import parse_revision

_WHOLE = "@contract"
_REMOVED = "contract.removed"


class WrongWaiverError(ValueError):
    """A waiver that could never match, or says too little."""


def make_waiver(waiver: Waiver, now: date) -> Waiver:
    """Return a waiver with its field in canonical form.

    Raises:
        WrongWaiverError: the kind, the field, a revision or the date is none, or a text is empty; or no change that is
            judged after ``now`` could match it.
    """
    kinds = [item.entry.id for item in catalogue() if item.family == "change"]
    if waiver.kind not in kinds:
        raise WrongWaiverError(f"there is no change kind {waiver.kind!r}; 'protocolarc rules' lists them")
    if waiver.kind == _REMOVED:
        raise WrongWaiverError(f"{_REMOVED} takes no waiver: name the contract under retired in the policy file")
    try:
        field = waiver.field if waiver.field == _WHOLE else render_path(parse_path(waiver.field))
        old, new = map(parse_revision, (waiver.old, waiver.new))
    except PathError as error:
        raise WrongWaiverError(f"{waiver.field!r} is no path: {error}") from None
    except ValueError as error:
        raise WrongWaiverError(f"{waiver.old!r} and {waiver.new!r}: {error}") from None
    try:
        expires = date.fromisoformat(waiver.expires).isoformat()
    except ValueError:
        raise WrongWaiverError(f"{waiver.expires!r} is no date such as 2026-12-31") from None
    _refuse_unmatchable(waiver.kind, field)
    if new.precedence < old.precedence:
        raise WrongWaiverError(f"{waiver.new} is lower than {waiver.old}; --from is the revision before the change")
    if is_expired(waiver._replace(expires=expires), now):
        raise WrongWaiverError(f"{expires} is over, on {now}; name the last day that it is to hold")
    for key in ("contract", "reason", "owner"):
        if not getattr(waiver, key).strip():
            raise WrongWaiverError(f"the {key} is empty")
    return waiver._replace(field=field, expires=expires)


def is_about_whole(kind: str) -> bool:
    """Tell whether the lines of a kind of change are about the contract as a whole, and not about a field."""
    return kind == "field.order" or (kind.startswith("contract.") and kind != "contract.reserved.reused")


def _refuse_unmatchable(kind: str, field: str) -> None:
    """Refuse a field that no line of a kind has.

    Raises:
        WrongWaiverError: it has.
    """
    if is_about_whole(kind) and field != _WHOLE:
        raise WrongWaiverError(f"{kind} is about the contract as a whole; its field is {_WHOLE}")
    if field == _WHOLE and not is_about_whole(kind):
        raise WrongWaiverError(f"{kind} is about one field; name it instead of {_WHOLE}")


def with_waiver(waivers: Iterable[Waiver], waiver: Waiver) -> tuple[list[Waiver], bool]:
    """Return the waivers with one more, sorted, and whether it speaks of a change that none spoke of."""
    others = list(waivers)
    kept = [other for other in others if other[:5] != waiver[:5]]
    return sorted([*kept, waiver]), len(kept) == len(others)


def render_waivers(waivers: Iterable[Waiver]) -> str:
    """Return the waiver file."""
    tables = [
        {key: date.fromisoformat(value) if key == "expires" else value for key, value in zip(KEYS, waiver, strict=True)}
        for waiver in waivers
    ]
    return "# Written by 'protocolarc waive'.\n\n" + tomli_w.dumps({TABLE: tables})
