"""``bisect``: which revision of a contract was the first to reject a recorded envelope."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import help_end

HELP_END = help_end(
    "protocolarc bisect mcp.tool_call failing.json",
    {
        OK: "success, also when no revision rejects it",
        INPUT: "usage, not a repository, no contract of that name, an envelope that is malformed or targets another",
    },
)


def bisect(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The contract, as NAME, NAME@REVISION, a file or REF:PATH.")
    ],
    envelope: Annotated[str, typer.Argument(metavar="ENVELOPE", help="File of envelopes, or - for JSONL on stdin.")],
    raw: Annotated[bool, typer.Option("--raw", help="Documents are bare bodies, not envelopes.")] = False,
) -> int:
    """Name the lowest revision that rejects an envelope, the commit that made it, and why it rejects.

    The revisions are those along the first parents of HEAD; of one that was edited its last state counts.
    """
    from protocolarc.cli.inputs import name_of
    from protocolarc.cli.output import Output, fail, note, say
    from protocolarc.cli.progress import TellingWatcher
    from protocolarc.cli.repository import opened
    from protocolarc.engine.chain import in_order
    from protocolarc.engine.origins import first_rejection
    from protocolarc.loader.inputs import find_sources, read_documents
    from protocolarc.registry.find import unknown
    from protocolarc.registry.lineage import all_states, names_of, replay
    from protocolarc.render.log import SHALLOW
    from protocolarc.render.origins import render_rejection
    from protocolarc.render.text import render_fault
    from protocolarc.values.envelope import Fault
    from protocolarc.values.literal import escape_label

    name = name_of(name)
    with opened(gitpython=True) as room:
        room.require_commit()
        states = all_states(replay(room.git, room.paths, name), name)
        names = () if states else names_of(room.git, room.paths)
        shallow = room.git.shallow
    if not states:
        raise fail(f"there is no contract {name!r} in the history of the registry{unknown(name, names)}")
    revisions = in_order(list({state.contract.revision.precedence: state.contract for state in states}.values()))
    code, is_empty = OK, True
    with Output() as output:
        for document in read_documents(find_sources([envelope]), raw=raw, watcher=TellingWatcher()):
            is_empty = False
            content = document.content
            if isinstance(content, Fault):
                say(render_fault(escape_label(document.label), content))
                code = INPUT
            elif content.contract not in (None, name):
                note(f"error: {document.label} targets {content.contract!r}, not {name!r}")
                code = INPUT
            else:
                output.write(render_rejection(document.label, revisions, first_rejection(states, content)))
    if shallow:
        note(SHALLOW)
    if is_empty:
        raise fail(f"{envelope} holds no envelope")
    return code
