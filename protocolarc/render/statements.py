"""What the machine formats of a check have in common: one statement per judgement and per change behind it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from protocolarc.values.change import Change
from protocolarc.values.envelope import Problem
from protocolarc.values.judgement import ERROR, CheckResult, Judgement
from protocolarc.values.label import one_line, unescape_label

WHOLE = "@contract"
"""The field of a statement about a contract as a whole."""

_REMOVED = frozenset({"contract.removed", "revision.removed"})


class Statement(NamedTuple):
    """One line for a machine, with the ``weight`` of its judgement."""

    rule: str
    field: str
    weight: int
    message: str
    judgement: Judgement
    fingerprint: str


def everything(result: CheckResult) -> tuple[Judgement, ...]:
    """Return the files that gave no contract, told like judgements, and the judgements."""
    unread = (
        Judgement(problem.code, ERROR, 3, item.path, None, None, item.path, f"{item.path}: {told(problem)}")
        for item in result.unread
        for problem in item.problems
    )
    return (*unread, *result.judgements)


def statements(result: CheckResult) -> Iterator[Statement]:
    """Yield a statement per judgement and, below an error, one per change that asks for the bump.

    Fingerprints are made of contract, rule and field, so that they survive moves and edits around them; where
    several statements share these, the later ones are numbered.
    """
    seen: dict[tuple[str, str, str], int] = {}
    for judgement in everything(result):
        for rule, field, message in _lines(judgement):
            key = (judgement.contract, rule, field)
            seen[key] = count = seen.get(key, 0) + 1
            placed = _with_place(judgement, message)
            yield Statement(rule, field, weight(judgement), placed, judgement, _fingerprint(*key, count))


def weight(judgement: Judgement) -> int:
    """Return 3 for a file that gave no contract, 2 for an uncarried break, 1 for any other error, 0 for a notice."""
    return max(judgement.exit_code, 1) if judgement.level == ERROR else 0


def label(judgement: Judgement) -> str:
    """Return the contract and the revision that a judgement is about, or the file where it is about no contract."""
    revision = judgement.new or judgement.old
    return one_line(subject(judgement) if revision is None else f"{judgement.contract}@{revision}")


def subject(judgement: Judgement) -> str:
    """Return the name of the contract, or the file that is meant in its place."""
    return judgement.contract or judgement.path


def driving(judgement: Judgement) -> tuple[Change, ...]:
    """Return the changes that make the verdict what it is."""
    diff = judgement.diff
    return () if diff is None else tuple(change for change in diff.changes if change.impact is diff.verdict)


def change_line(change: Change) -> str:
    """Return a change as one line."""
    return one_line(f"{change.impact.label} {change.kind} {change.field}: {change.detail}")


def raw_path(escaped: str) -> bytes:
    """Return the path itself, as git holds it, from the form that reports show."""
    return unescape_label(escaped).encode("utf-8", "surrogateescape")


def text_path(escaped: str) -> str | None:
    """Return the path as text where it is that: UTF-8, and printable. A report points at no other place."""
    try:
        path = raw_path(escaped).decode("utf-8")
    except UnicodeError:
        return None
    return path if path.isprintable() else None


def nearest_path(escaped: str) -> str:
    """Return the path as text, or the nearest folder above that is: the place in formats that ask for one."""
    while (path := text_path(escaped)) is None:
        escaped = escaped.rpartition("/")[0] or "."
    return path


def data_path(escaped: str) -> str:
    """Return the path as JSON carries it: itself, with a backslash and two digits for a byte that is not UTF-8."""
    return raw_path(escaped).decode("utf-8", "backslashreplace")


def has_file(judgement: Judgement) -> bool:
    """Tell whether the head holds a file to point at."""
    return bool(judgement.path) and judgement.code not in _REMOVED


def _with_place(judgement: Judgement, message: str) -> str:
    """Return a message that names the file where a report cannot point at it."""
    path = judgement.path
    return message if path in message or text_path(path) is not None else f"{message} (in {path})"


def told(problem: Problem) -> str:
    """Return a problem of a file as one line."""
    place = "" if problem.offset is None else f" at byte {problem.offset}"
    return f"{problem.code}{place}: {problem.hint}"


def _lines(judgement: Judgement) -> Iterator[tuple[str, str, str]]:
    yield judgement.code, WHOLE, one_line(judgement.message)
    if judgement.level == ERROR:
        for change in driving(judgement):
            yield change.kind, change.field, f"{label(judgement)}: {change_line(change)}"


def _fingerprint(contract: str, rule: str, field: str, count: int) -> str:
    parts = [contract, rule, field, *([] if count == 1 else [str(count)])]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
