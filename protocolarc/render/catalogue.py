"""The rule catalogue as text, JSON and markdown."""

from __future__ import annotations

from collections.abc import Sequence

from protocolarc.render.json import dump
from protocolarc.render.text import render_table
from protocolarc.rules.catalogue import FAMILIES, Item


def render_list(items: Sequence[Item]) -> str:
    """Show one line per item, a block per family."""
    blocks = []
    for family, title in FAMILIES.items():
        rows = [(item.entry.id, item.entry.summary) for item in items if item.family == family]
        if rows:
            blocks.append("\n".join([title, *(f"  {row}" for row in render_table(rows))]) + "\n")
    return "\n".join(blocks)


def render_page(item: Item) -> str:
    """Show all there is to say about one item."""
    entry = item.entry
    rows = [
        ("family", item.family),
        ("level", item.level),
        ("since", entry.since),
        ("meaning", entry.explanation),
        ("example", entry.example),
        ("remedy", entry.remedy),
    ]
    return "\n".join([f"{entry.id}: {entry.summary}", *(f"  {row}" for row in render_table(rows))]) + "\n"


def render_json(items: Sequence[Item]) -> str:
    """Return the items for machines."""
    rules = [
        {
            "id": item.entry.id,
            "family": item.family,
            "level": item.level,
            "since": item.entry.since,
            "summary": item.entry.summary,
            "explanation": item.entry.explanation,
            "example": item.entry.example,
            "remedy": item.entry.remedy,
        }
        for item in items
    ]
    return dump({"schema": "protocolarc/rules/1", "rules": rules})


def render_markdown(items: Sequence[Item]) -> str:
    """Return the reference page."""
    parts = [
        "# Rules, change kinds and structural codes\n",
        "Made from the metadata beside each rule; `protocolarc rules ID` prints the same.\n",
    ]
    for family, title in FAMILIES.items():
        parts.append(f"## {title}\n")
        for item in items:
            if item.family == family:
                entry = item.entry
                parts.append(
                    f"### `{entry.id}`\n\n{entry.summary[0].upper()}{entry.summary[1:]}. "
                    f"Level: {item.level}. Since {entry.since}.\n\n{entry.explanation}\n\n"
                    f"    {entry.example}\n\n{entry.remedy}\n"
                )
    return "\n".join(parts)
