"""``bump``: the smallest revision that is enough, written into the contract's file."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import help_end

HELP_END = help_end(
    "protocolarc bump mcp.tool_call",
    {
        OK: "success, also when no other revision is needed",
        INPUT: "usage, not a repository, no contract of that name, a change that no revision of the file would carry",
    },
)


def bump(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The contract; where several of its files changed, NAME@REVISION or the file."
        ),
    ],
) -> int:
    """Write the smallest revision that carries what changed in a contract since it was published.

    Only the revision in the contract's own file changes; every other byte stays. What is published is where the
    branch left the published one; without one HEAD, and if that asks for nothing, where it left a local main.
    """
    from protocolarc.cli.inputs import is_file, name_of
    from protocolarc.cli.output import Output, fail
    from protocolarc.cli.repository import opened
    from protocolarc.engine.places import TooManyPlacesError
    from protocolarc.loader.edit import with_revision
    from protocolarc.loader.inputs import read_file
    from protocolarc.registry.bump import CannotBumpError, Wanted, plan_bump
    from protocolarc.registry.find import NotFoundError, path_from_top
    from protocolarc.values.literal import escape_label, unescape_label

    with opened() as room:
        room.place(".")
        if is_file(name):
            wanted = Wanted(name_of(name), path=path_from_top(room.git, name))
        else:
            named, marked, revision = name.partition("@")
            wanted = Wanted(named, revision=revision if marked else None)
        try:
            plan = plan_bump(room.git, wanted, room.terms)
        except (NotFoundError, CannotBumpError, TooManyPlacesError) as error:
            raise fail(str(error)) from None
        path = room.place(unescape_label(plan.held.path))
    held, since = plan.held, escape_label(plan.since)
    if plan.needed is None:
        with Output() as output:
            output.write(f"{held.contract.label} needs no bump since {since}: {plan.reason}\n")
        return OK
    try:
        data = with_revision(read_file(path), plan.needed)
    except OSError as error:
        raise fail(f"{path}: {error.strerror or error}") from None
    with Output(path) as target:
        target.write_bytes(data)
    with Output() as output:
        output.write(f"{held.path}: {held.contract.label} is {plan.needed} now\n  {plan.reason}\n  since {since}\n")
    return OK
