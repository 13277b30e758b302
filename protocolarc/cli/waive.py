"""``waive``: a change that is allowed by name, with a reason, an owner and a date."""

from __future__ import annotations

from typing import Annotated

import typer

from protocolarc.cli.check import Now
from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import help_end

HELP_END = help_end(
    "protocolarc waive t field.type.changed id --from 1.0.0 --to 1.1.0 \\\n"
    "    --reason 'nobody sends it' --owner ada --expires 2027-01-31",
    {OK: "success", INPUT: "usage, not a repository, a waiver file that cannot be used"},
)


def waive(
    contract: Annotated[str, typer.Argument(metavar="CONTRACT", help="Name of the contract.")],
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Kind of the change, as diff and check name it.")],
    field: Annotated[str, typer.Argument(metavar="FIELD", help="Path of the field, or @contract.")],
    old: Annotated[str, typer.Option("--from", metavar="REVISION", help="Revision before the change.")],
    new: Annotated[str, typer.Option("--to", metavar="REVISION", help="Revision with the change.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why nobody is hurt.")],
    owner: Annotated[str, typer.Option("--owner", metavar="NAME", help="Who answers for it.")],
    expires: Annotated[str, typer.Option("--expires", metavar="DATE", help="Last day that it holds: 2027-01-31.")],
    now: Now = None,
) -> int:
    """Write a waiver into waivers.toml: one kind of change of one field between two revisions.

    A waiver of the same change is replaced. A gate reads the file from the base, so a waiver counts after it is merged.
    """
    from datetime import date

    from protocolarc.cli.output import Output, fail, note
    from protocolarc.cli.repository import opened
    from protocolarc.config.waivers import WAIVER_FILE
    from protocolarc.gitstore.plumbing import GitError
    from protocolarc.registry.find import missing_name
    from protocolarc.registry.request import WrongOptionsError, read_request
    from protocolarc.registry.waive import WrongWaiverError, make_waiver, render_waivers, with_waiver
    from protocolarc.values.literal import escape_label
    from protocolarc.values.policy import Waiver

    try:
        today = read_request(None, None, now).now or date.today()  # noqa: DTZ011  # as the gate has it
        waiver = make_waiver(Waiver(contract, kind, field, old, new, reason, owner, expires), today)
    except (WrongOptionsError, WrongWaiverError) as error:
        raise fail(str(error)) from None
    with opened() as room:
        path = room.place(WAIVER_FILE)
        try:
            missing = missing_name(room.git, room.paths, waiver.contract)
        except GitError as error:  # which is no reason to write no waiver
            missing = f"whether the registry holds {waiver.contract} is not known: {error.reason}"
    if missing:
        note(f"warning: {missing}")
    waivers, is_new = with_waiver(room.terms.waivers, waiver)
    with Output(path) as target:
        target.write(render_waivers(waivers))
    what = f"{waiver.contract} {waiver.old} -> {waiver.new}: {waiver.kind} {waiver.field}"
    with Output() as output:
        output.write(
            f"{WAIVER_FILE}: {'waived' if is_new else 'renewed'} {escape_label(what)} until {waiver.expires}\n"
            "next: let it in by a change of its own; a gate reads it from the base\n"
        )
    return OK
