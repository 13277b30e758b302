"""The outcome of ``check`` and ``gate`` as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.values.judgement import ERROR, CheckResult, Judgement
from protocolarc.values.label import escape_label, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHECK_SCHEMA = "protocolarc/check/1"
_LEVEL_WIDTH = 8
_CODE_WIDTH = 23


def render_text(result: CheckResult) -> str:
    """Show one line per judgement, under an error the changes that ask for the bump, and the command that makes it."""
    return "".join(f"{line}\n" for line in _lines(result))


def _lines(result: CheckResult) -> Iterator[str]:
    yield compared(result)
    for note in result.notes:
        yield f"  note: {one_line(note)}"
    for item in result.judgements:
        yield from _judgement(item)
    if not result.judgements and not result.unread:
        yield "  (nothing to report)"


def compared(result: CheckResult) -> str:
    """Say how much was compared, and what with what."""
    anchor = "" if result.anchor == result.base else f", published {escape_label(result.anchor)}"
    count = counted(result.contracts, "contract")
    return f"checked {count}: {escape_label(result.head)} against {escape_label(result.base)}{anchor}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def remedy(item: Judgement) -> str | None:
    """Return the command that makes the bump that an error misses."""
    return None if item.level != ERROR or item.smallest is None else f"protocolarc bump {item.contract}"


def place_of(item: Judgement) -> str:
    """Return where a contract stands, as an end of a line, unless the message says so."""
    return "" if item.path in item.message else f" ({item.path})"


def _judgement(item: Judgement) -> Iterator[str]:
    yield f"  {_pad(item.level.upper(), _LEVEL_WIDTH)}{_pad(item.code, _CODE_WIDTH)}{item.message}{place_of(item)}"
    if item.level != ERROR or item.diff is None:
        return
    for change in item.diff.changes:
        if change.impact is item.diff.verdict:
            yield f"      {_pad(change.impact.label, 12)}{_pad(change.kind, 27)}{change.field}: {change.detail}"
    if (command := remedy(item)) is not None:
        yield f"      {command}"


def _pad(word: str, width: int) -> str:
    return word.ljust(width) if len(word) < width else f"{word} "


def render_json(result: CheckResult) -> str:
    """Return the whole outcome for machines."""
    from protocolarc.render.json import diff_object, dump, problem_objects  # noqa: PLC0415  # the hook's text needs none
    from protocolarc.render.statements import data_path  # noqa: PLC0415  # the same

    def judgement_object(item: Judgement) -> dict[str, Any]:
        return {
            "code": item.code,
            "level": item.level,
            "exit_code": item.exit_code,
            "contract": item.contract,
            "old": item.old,
            "new": item.new,
            "path": data_path(item.path),
            "message": item.message,
            "smallest": item.smallest,
            "diff": None if item.diff is None else diff_object(item.diff),
        }

    return dump(
        {
            "schema": CHECK_SCHEMA,
            "head": data_path(escape_label(result.head)),
            "base": data_path(escape_label(result.base)),
            "anchor": data_path(escape_label(result.anchor)),
            "contracts": result.contracts,
            "notes": list(map(one_line, result.notes)),
            "errors": [
                {"path": data_path(item.path), "problems": problem_objects(item.problems)} for item in result.unread
            ],
            "judgements": [judgement_object(item) for item in result.judgements],
            "exit_code": result.exit_code,
        }
    )
