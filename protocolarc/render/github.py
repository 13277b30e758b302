"""Workflow commands of GitHub Actions: annotations, as few as a step may show."""

from __future__ import annotations

from collections.abc import Sequence

from protocolarc.render.check import remedy
from protocolarc.render.statements import change_line, driving, has_file, label, text_path, told, weight
from protocolarc.values.judgement import CheckResult, Judgement
from protocolarc.values.label import one_line
from protocolarc.values.snapshot import Unread

MAX_SHOWN = 10
"""Annotations of one kind that GitHub shows of a step; of more, all but one are shown and one counts the rest."""
MAX_LISTED = 20
"""Changes, or problems of a file, that one annotation lists."""


def render_check(result: CheckResult) -> str:
    """Return an annotation per file that gave no contract and per judgement, the worst first, as many as are shown.

    A file has one whatever the number of its problems, and all files together have half while there are judgements, so
    that they hide no break.
    """
    ranked = sorted(result.judgements, key=lambda item: -weight(item))
    files = list(map(_unread, result.unread))
    broken = [_judgement("error", item) for item in ranked if weight(item)]
    errors = [*files[: MAX_SHOWN // 2], *broken, *files[MAX_SHOWN // 2 :]]
    notices = [_judgement("notice", item) for item in ranked if not weight(item)]
    return "".join([*_capped("error", errors), *_capped("notice", [*notices, *map(_note, result.notes)])])


def _capped(kind: str, commands: Sequence[str]) -> Sequence[str]:
    if len(commands) <= MAX_SHOWN:
        return commands
    shown = commands[: MAX_SHOWN - 1]
    return [*shown, _command(kind, {"title": "protocolarc"}, f"... and {len(commands) - len(shown)} more")]


def _unread(item: Unread) -> str:
    first, *others = map(told, item.problems)
    lines = [f"{item.path}: {first}", *_listed(others)]
    return _annotation("error", f"{item.path}: {item.problems[0].code}", _place(item.path), lines)


def _judgement(kind: str, item: Judgement) -> str:
    place = _place(item.path) if has_file(item) else None
    named = [] if place is not None or item.path in item.message else [f"in {item.path}"]
    command = remedy(item)
    end = [] if command is None else [command]
    lines = [item.message, *named, *_listed(list(map(change_line, driving(item)))), *end]
    return _annotation(kind, f"{label(item)}: {item.code}", place, lines)


def _place(escaped: str) -> str | None:
    """Return the path of a file, if it is ASCII, which is all that a report holds."""
    path = text_path(escaped)
    return path if path is not None and path.isascii() else None


def _listed(lines: Sequence[str]) -> Sequence[str]:
    return lines if len(lines) <= MAX_LISTED else [*lines[:MAX_LISTED], f"... and {len(lines) - MAX_LISTED} more"]


def _annotation(kind: str, title: str, place: str | None, lines: Sequence[str]) -> str:
    file = {} if place is None else {"file": place}
    return _command(kind, {**file, "title": title}, "\n".join(map(one_line, lines)))


def _note(text: str) -> str:
    return _command("notice", {"title": "protocolarc"}, one_line(text))


def _command(kind: str, properties: dict[str, str], message: str) -> str:
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {shown}::{_data(message)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
