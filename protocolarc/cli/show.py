"""``show``: a contract as git holds it."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import At, help_end

HELP_END = help_end(
    "protocolarc show mcp.tool_call@1.0.0",
    {OK: "success", INPUT: "usage, not a repository, no contract of that name or no such revision"},
)


def show(
    contract: Annotated[str, typer.Argument(metavar="NAME[@REVISION]", help="A contract, a file, or REF:PATH.")],
    at: At = None,
) -> int:
    """Print a contract byte for byte as git holds it.

    Without --at it is what the index holds of the registry. A revision that is not there is searched in the
    history, newest commit first.
    """
    import os

    from protocolarc.cli.output import Output, fail
    from protocolarc.cli.repository import opened
    from protocolarc.registry.find import NotFoundError, find_document, path_from_top, staged_file

    with opened(gitpython=True) as room:
        try:
            if room.git.bare or not os.path.isfile(contract):
                data = find_document(room.git, room.paths, contract, at, staged=True)
            elif at is None:
                data = staged_file(room.git, contract)
            else:
                data = find_document(room.git, room.paths, f"{at}:{path_from_top(room.git, contract)}")
        except NotFoundError as error:
            raise fail(str(error)) from None
    with Output() as output:
        output.write_bytes(data)
    return OK
