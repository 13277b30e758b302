"""``blame``: where the fields of a contract come from."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import help_end, one_of
from protocolarc.render.formats import BLAME, renderer

HELP_END = help_end(
    "protocolarc blame mcp.tool_call params.name",
    {OK: "success", INPUT: "usage, not a repository, no commits, no contract or field of that name"},
)


def blame(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The contract, as NAME, NAME@REVISION, a file or REF:PATH.")
    ],
    field: Annotated[str | None, typer.Argument(metavar="[FIELD]", help="One field instead of all.")] = None,
    format_name: Annotated[str, one_of(BLAME, "Format of the list.")] = "text",
) -> int:
    """Show which revision and commit gave each field of a contract its present types, enum and requiredness.

    The contract is the highest revision at HEAD, or the one that is named; the commits are those along the first
    parents.
    """
    from protocolarc.cli.inputs import name_of, named_revision
    from protocolarc.cli.output import Output, fail
    from protocolarc.cli.repository import opened
    from protocolarc.engine.chronicle import up_to_revision
    from protocolarc.engine.origins import origins_of
    from protocolarc.registry.find import listed, unknown
    from protocolarc.registry.lineage import highest_states, replay
    from protocolarc.registry.snapshots import of_tree
    from protocolarc.values.path import PathError, parse_path, render_path

    name, revision = name_of(name), named_revision(name)
    with opened(gitpython=True) as room:
        room.require_commit()
        states = highest_states(replay(room.git, room.paths, name), name)
        shallow = room.git.shallow
        present = () if states else of_tree(room.git, "HEAD", "HEAD", room.paths).contracts
    if not states:
        raise fail(f"there is no contract {name!r} at HEAD{unknown(name, (held.contract.name for held in present))}")
    if revision:
        states = up_to_revision(states, revision)
        if not states:
            raise fail(f"{revision} was never the highest revision of {name} along the first parents of HEAD")
    origins = origins_of(states)
    if field is not None:
        try:
            wanted = render_path(parse_path(field))
        except PathError as error:
            raise fail(f"{field!r} is no path: {error}") from None
        fields = [origin.field.name for origin in origins]
        origins = [origin for origin in origins if origin.field.name == wanted]
        if not origins:
            has = f"; {listed(wanted, fields, 'it has')}" if fields else ", which has none"
            raise fail(f"there is no field {wanted} in {states[-1].contract.label}{has}")
    with Output() as output:
        output.write(renderer(BLAME, format_name)(states[-1].contract, origins, shallow=shallow))
    return OK
