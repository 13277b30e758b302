"""``parity``: both validators on the same inputs, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from protocolarc.cli.exit_codes import ERRORS, INPUT, OK
from protocolarc.cli.options import RuntimePath, help_end

HELP_END = help_end(
    "protocolarc parity contract.json calls.jsonl\n  protocolarc parity --vectors\n  protocolarc parity --fuzz 10000",
    {
        OK: "both sides agree, also on envelopes that fail",
        ERRORS: "the two sides differ",
        INPUT: "usage, no runtime",
    },
)


def parity(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONTRACT ENVELOPES...", help="As for validate: a contract, then files and directories."
        ),
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Documents are bare bodies, not envelopes.")] = False,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Compare on conformance vectors: [DIR], or those of the checkout.")
    ] = False,
    fuzz: Annotated[
        int | None, typer.Option("--fuzz", metavar="N", min=1, help="Compare on at least N drawn cases (extra 'dev').")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", min=0, help="Draw the cases of this seed.")] = None,
    runtime: RuntimePath = None,
) -> int:
    """Run the Python engine and the .NET runtime on the same inputs, and compare reports and exit codes.

    The runtime is the one of --runtime, else of PROTOCOLARC_RUNTIME, else it is built from the sources beside
    the package on first use, if there is a .NET SDK.
    """
    from protocolarc.cli import parity_runs as runs

    given = paths or []
    if fuzz is not None:
        _refuse(given or raw or vectors, "--fuzz draws its own inputs")
        return runs.fuzz(fuzz, seed, runtime)
    _refuse(seed is not None, "--seed goes with --fuzz")
    if vectors:
        _refuse(given[1:] or raw, "--vectors takes one directory")
        return runs.vectors(given[0] if given else None, runtime)
    _refuse(not given[1:], "a contract and envelopes are needed, or --vectors, or --fuzz N")
    return runs.files(given[0], given[1:], runtime, raw=raw)


def _refuse(reason: Sequence[str] | bool, text: str) -> None:
    """End the command as a usage error when there is a reason to."""
    if reason:
        raise typer.BadParameter(text)
