"""Workflow commands of GitHub Actions: annotations, as few as a step may show."""

from __future__ import annotations

from collections.abc import Sequence

from protocolarc.render.check import remedy
from protocolarc.render.statements import change_line, driving, everything, has_file, label, text_path, weight
from protocolarc.values.judgement import CheckResult, Judgement
from protocolarc.values.label import one_line

MAX_SHOWN = 10
"""Annotations of one kind that GitHub shows of a step; of more, all but one are shown and one counts the rest."""
MAX_CHANGES = 20
"""Changes that one annotation lists."""


def render_check(result: CheckResult) -> str:
    """Return an annotation per judgement, the worst first, as many of each kind as are shown."""
    ranked = sorted(everything(result), key=lambda item: -weight(item))
    errors = [_annotation("error", item) for item in ranked if weight(item)]
    notices = [_annotation("notice", item) for item in ranked if not weight(item)]
    return "".join([*_capped("error", errors), *_capped("notice", [*notices, *map(_note, result.notes)])])


def _capped(kind: str, commands: Sequence[str]) -> Sequence[str]:
    if len(commands) <= MAX_SHOWN:
        return commands
    shown = commands[: MAX_SHOWN - 1]
    return [*shown, _command(kind, {"title": "protocolarc"}, f"... and {len(commands) - len(shown)} more")]


def _annotation(kind: str, item: Judgement) -> str:
    properties = {"title": f"{label(item)}: {item.code}"}
    if (path := _place(item)) is not None:
        properties = {"file": path, **properties}
    return _command(kind, properties, _body(item))


def _place(item: Judgement) -> str | None:
    """Return the file, if the head has it and its name is ASCII, which is all that a report holds."""
    path = text_path(item.path) if has_file(item) else None
    return path if path is not None and path.isascii() else None


def _body(item: Judgement) -> str:
    place = [] if _place(item) is not None or item.path in item.message else [f"in {item.path}"]
    changes = [change_line(change) for change in driving(item)]
    rest = [f"... and {len(changes) - MAX_CHANGES} more"] if len(changes) > MAX_CHANGES else []
    command = remedy(item)
    end = [] if command is None else [one_line(command)]
    return "\n".join([one_line(item.message), *place, *changes[:MAX_CHANGES], *rest, *end])


def _note(text: str) -> str:
    return _command("notice", {"title": "protocolarc"}, one_line(text))


def _command(kind: str, properties: dict[str, str], message: str) -> str:
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {shown}::{_data(message)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
