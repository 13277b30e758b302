"""``rules``: the catalogue of everything the tool may report."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import help_end, one_of

HELP_END = help_end("protocolarc rules field.enum", {OK: "success", INPUT: "usage, no rule of that name"})
_FORMATS = ("text", "json", "markdown")


def rules(
    rule_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One rule, change kind or code.")] = None,
    format_name: Annotated[str, one_of(_FORMATS, "Format of the catalogue.")] = "text",
) -> int:
    """Explain every validation rule, change kind and structural code, or one of them."""
    from protocolarc.cli.output import Output, fail
    from protocolarc.render import catalogue as view
    from protocolarc.rules.catalogue import catalogue

    items = [item for item in catalogue() if rule_id in (None, item.entry.id)]
    if not items:
        raise fail(f"there is no rule {rule_id!r}; 'protocolarc rules' lists them")
    with Output() as output:
        if format_name == "text":
            output.write(view.render_list(items) if rule_id is None else view.render_page(items[0]))
        else:
            output.write(view.render_json(items) if format_name == "json" else view.render_markdown(items))
    return OK
