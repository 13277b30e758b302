"""Origins as text and JSON: who gave each field its shape, and which revision rejects an envelope first."""

from __future__ import annotations

from collections.abc import Sequence

from protocolarc.engine.origins import Origin, Rejection
from protocolarc.render.json import dump
from protocolarc.render.log import SHALLOW, stamp_cells
from protocolarc.render.text import render_result, render_table
from protocolarc.values.contract import Contract
from protocolarc.values.finding import Result
from protocolarc.values.literal import escape_label

SCHEMA = "protocolarc/blame/1"


def render_text(contract: Contract, origins: Sequence[Origin], *, shallow: bool) -> str:
    """Show a line per field, and say where a shallow history ends."""
    rows = [
        (
            origin.field.name,
            origin.field.type_text,
            "yes" if origin.field.required else "no",
            origin.state.contract.revision.text,
            *stamp_cells(origin.state.stamp),
        )
        for origin in origins
    ]
    head = ("field", "type", "required", "since", "commit", "date", "author")
    body = render_table([head, *rows]) if rows else ["(no fields)"]
    end = ("", SHALLOW) if shallow else ()
    return "".join(f"{line}\n" for line in (contract.label, *(f"  {row}" for row in body), *end))


def render_json(contract: Contract, origins: Sequence[Origin], *, shallow: bool) -> str:
    """Return the fields for machines."""
    fields = [
        {
            "field": origin.field.name,
            "revision": origin.state.contract.revision.text,
            "commit": origin.state.stamp.commit,
            "date": origin.state.stamp.date,
            "author": origin.state.stamp.author,
        }
        for origin in origins
    ]
    name, revision = contract.name, contract.revision.text
    return dump({"schema": SCHEMA, "shallow": shallow, "contract": name, "revision": revision, "fields": fields})


def render_rejection(label: str, revisions: Sequence[Contract], rejection: Rejection | None) -> str:
    """Show the first revision that rejects a document, or that none of them, in ascending order, does."""
    if rejection is None:
        known = ", ".join(contract.revision.text for contract in revisions)
        return f"{escape_label(label)}: no revision of {revisions[0].name} rejects it ({known})\n"
    contract, stamp = rejection.state
    commit, day, author = stamp_cells(stamp)
    before = (
        f"accepted by {', '.join(rejection.accepted_by)}" if rejection.accepted_by else "there is no lower revision"
    )
    head = f"{escape_label(label)}: rejected first by {contract.label}, commit {commit}, {day}, {author}; {before}\n"
    return head + render_result(contract.label, Result(label, rejection.findings))
