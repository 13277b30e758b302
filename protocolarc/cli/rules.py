"""``rules``: the catalogue of everything the tool may report."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import help_end, one_of
from protocolarc.render.formats import RULES, renderer

HELP_END = help_end("protocolarc rules field.enum", {OK: "success", INPUT: "usage, no rule of that name"})


def rules(
    rule_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One rule, change kind or code.")] = None,
    format_name: Annotated[str, one_of(RULES, "Format of the catalogue.")] = "text",
) -> int:
    """Explain every validation rule, change kind and structural code, or one of them."""
    from protocolarc.cli.output import Output, fail
    from protocolarc.render.catalogue import render_page
    from protocolarc.rules.catalogue import catalogue

    items = [item for item in catalogue() if rule_id in (None, item.entry.id)]
    if not items:
        raise fail(f"there is no rule {rule_id!r}; 'protocolarc rules' lists them")
    with Output() as output:
        if format_name == "text" and rule_id is not None:
            output.write(render_page(items[0]))
        else:
            output.write(renderer(RULES, format_name)(items))
    return OK
