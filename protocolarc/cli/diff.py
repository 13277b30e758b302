"""``diff``: what changed between two revisions of one contract."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import BREAKING, INPUT, OK
from protocolarc.cli.options import At, Color, help_end, one_of, wants_color
from protocolarc.render.formats import DIFF, renderer
from protocolarc.values.contract import SIDES

HELP_END = help_end(
    "protocolarc diff contract_1.0.0.json contract_2.0.0.json",
    {
        OK: "compatible or forward",
        BREAKING: "the verdict is breaking",
        INPUT: "usage, a contract that does not load, names that differ",
    },
)


def diff(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="Earlier revision: a file, NAME, NAME@REVISION or REF:PATH.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Later revision, named likewise.")],
    side: Annotated[str | None, one_of(SIDES, "Judge for this side, whatever NEW says.", "--side")] = None,
    format_name: Annotated[str, one_of(DIFF, "Format of the result.")] = "text",
    at: At = None,
    color: Color = "auto",
) -> int:
    """Classify what changed between two revisions: compatible, forward or breaking."""
    from protocolarc.cli.inputs import try_load
    from protocolarc.cli.output import Output, fail, note
    from protocolarc.engine.diff import NamesDifferError, diff_contracts
    from protocolarc.engine.places import TooManyPlacesError
    from protocolarc.engine.renames import possible_renames
    from protocolarc.render.json import render_undone_diff
    from protocolarc.values.change import Impact
    from protocolarc.values.envelope import Problem

    problems: list[tuple[str, Problem]] = []
    # Both are tried, so that both are reported.
    before, after = try_load(old, problems, at=at), try_load(new, problems, at=at)
    if before is None or after is None:
        if format_name == "json":
            with Output() as output:
                output.write(render_undone_diff(problems))
        return INPUT
    try:
        result = diff_contracts(before, after, side)
    except (NamesDifferError, TooManyPlacesError) as error:
        raise fail(str(error)) from None
    if result.made is None:
        note(f"note: the order is reversed, {result.new} is lower than {result.old}")
    elif not result.carried:
        note(f"note: {result.new} does not carry this change, it needs {result.smallest} or higher")
    for gone, come in possible_renames(before, after, result):
        note(f"hint: {gone} is gone and {come} is new with the same shape; a rename?")
    with Output() as output:
        if format_name == "text" and wants_color(color):
            from protocolarc.render.terminal import render_diff

            output.write(render_diff(before, after, result))
        else:
            output.write(renderer(DIFF, format_name)(result))
    return BREAKING if result.verdict is Impact.BREAKING else OK
