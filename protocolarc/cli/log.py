"""``log``: the revisions of the registry's contracts through the commits."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import Color, help_end, one_of, wants_color
from protocolarc.render.formats import LOG, renderer

HELP_END = help_end(
    "protocolarc log mcp.tool_call",
    {OK: "success", INPUT: "usage, not a repository, no commits, no contract of that name"},
)


def log(
    contract: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="One contract instead of all: NAME, a file, NAME@REVISION or REF:PATH."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Follow every parent, not the first alone.")] = False,
    format_name: Annotated[str, one_of(LOG, "Format of the log.")] = "text",
    color: Color = "auto",
) -> int:
    """Show the revisions of each contract, newest first: commit, verdict, and whether the bump carried it.

    A merge is one step, unless --full follows the branch that it brought. A name is followed through every file that
    held it; an existing file is followed alone, as git log does.
    """
    import os

    from protocolarc.cli.inputs import name_of
    from protocolarc.cli.output import Output, fail, note
    from protocolarc.cli.repository import opened
    from protocolarc.engine.places import TooManyPlacesError
    from protocolarc.registry.lineage import chronicles, names_of, replay

    with opened(gitpython=True) as room:
        room.require_commit()
        name, paths, alone = contract, room.paths, False
        if contract is not None and os.path.isfile(contract):
            from protocolarc.registry.find import path_from_top

            place = path_from_top(room.git, contract)
            if place.startswith("../"):
                raise fail(f"{contract} is outside of the repository")
            name, paths, alone = None, [os.fsencode(place)], True
        elif contract is not None:
            name = name_of(contract)
        try:
            moments = replay(room.git, paths, name, full=full, alone=alone)
            found = chronicles(moments, name, room.terms, full=full)
        except TooManyPlacesError as error:
            raise fail(str(error)) from None
        if contract is not None and not found:
            from protocolarc.registry.find import unknown

            if name is None:
                raise fail(f"no commit has a contract in the file {contract}; without that file it would be a name")
            if contract.endswith(".json"):
                raise fail(f"there is no file {contract}; what is gone is followed by the name of its contract")
            names = names_of(room.git, room.paths, full=full)
            raise fail(f"there is no contract '{name}' in the history of the registry{unknown(name, names)}")
        shallow = room.git.shallow
    render = renderer(LOG, format_name)
    if format_name == "text" and wants_color(color):
        from protocolarc.render.terminal import render_log as render
    if not found and format_name != "json":  # where an empty list says so
        from protocolarc.registry.sources import shown

        note(f"the history holds no contract below {shown(map(os.fsdecode, paths))}")
    with Output() as output:
        output.write(render(found, shallow=shallow))
    return OK
