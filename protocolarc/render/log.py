"""The chronicle of a registry as text, markdown and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protocolarc.engine.chronicle import Event, Stamp, Step
from protocolarc.render.text import render_table
from protocolarc.values.literal import escape_label

SCHEMA = "protocolarc/log/1"
COMMIT_WIDTH = 12
DAY_WIDTH = len("2026-01-31")
HEAD = ("revision", "commit", "date", "author", "verdict", "carried")

Chronicles = Mapping[str, Sequence[Step]]


def stamp_cells(stamp: Stamp) -> tuple[str, str, str]:
    """Return commit, day and author as they are shown to people."""
    return stamp.commit[:COMMIT_WIDTH], stamp.date[:DAY_WIDTH], escape_label(stamp.author)


def render_text(chronicles: Chronicles, *, shallow: bool) -> str:
    """Show a block per contract, newest step first."""
    blocks = []
    for name, steps in chronicles.items():
        rows = [HEAD, *map(cells, reversed(steps))]
        blocks.append("".join(f"{line}\n" for line in (name, *(f"  {row}" for row in render_table(rows)))))
    return "\n".join([*blocks, *([SHALLOW + "\n"] if shallow else [])])


SHALLOW = "the history ends here: this clone is shallow (git fetch --unshallow)"


def render_markdown(chronicles: Chronicles, *, shallow: bool) -> str:
    """Show a table per contract; nothing in the data is read as markup."""
    from protocolarc.render.markdown import escape, table  # noqa: PLC0415  # the text needs none of it

    blocks = [
        f"## {escape(name)}\n\n{table(HEAD, [_markdown_cells(step) for step in reversed(steps)])}"
        for name, steps in chronicles.items()
    ]
    return "\n".join([*blocks, *([f"{SHALLOW}\n"] if shallow else [])])


def render_json(chronicles: Chronicles, *, shallow: bool) -> str:
    """Return the steps for machines, oldest first."""
    from protocolarc.render.json import dump  # noqa: PLC0415  # the same

    contracts = [{"name": name, "steps": list(map(_object, steps))} for name, steps in chronicles.items()]
    return dump({"schema": SCHEMA, "shallow": shallow, "contracts": contracts})


def cells(step: Step) -> tuple[str, ...]:
    """Return a step as the row that people see; its last two cells are the verdict and whether the bump carried it."""
    return step.revision, *stamp_cells(step.stamp), _verdict(step), _carried(step)


def _markdown_cells(step: Step) -> tuple[str, ...]:
    """Return the cells with the author, the only one that is free text, as a code span."""
    from protocolarc.render.markdown import code  # noqa: PLC0415  # the same

    revision, commit, date, author, *rest = cells(step)
    return revision, commit, date, code(author), *rest


def _verdict(step: Step) -> str:
    if step.diff is None:
        return "lowest" if step.event is Event.REVISION else step.event.value
    return step.diff.verdict.label if step.event is Event.REVISION else f"{step.diff.verdict.label}, {step.event.value}"


def _carried(step: Step) -> str:
    carried = step.carried
    if carried is None:
        return "-"
    if carried:
        return "yes"
    if step.lower_than is not None:
        return f"no, lower than {step.lower_than}"
    return "" if step.diff is None else f"no, needs {step.diff.smallest}"


def _object(step: Step) -> dict[str, Any]:
    diff = step.diff
    return {
        "revision": step.revision,
        "event": step.event.value,
        "commit": step.stamp.commit,
        "date": step.stamp.date,
        "author": step.stamp.author,
        "path": step.path.decode("utf-8", "backslashreplace"),
        "previous": None if diff is None else diff.old,
        "verdict": None if diff is None else diff.verdict.label,
        "smallest": None if diff is None else diff.smallest,
        "carried": step.carried,
        "lower_than": step.lower_than,
    }
