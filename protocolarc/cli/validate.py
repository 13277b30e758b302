"""``validate``: envelopes against one contract."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from protocolarc.cli.exit_codes import ERRORS, INPUT, OK
from protocolarc.cli.options import CONTRACT_HELP, At, Color, OutputFile, RuntimePath, help_end, one_of, wants_color
from protocolarc.render.formats import RESULTS, renderer
from protocolarc.values.finding import Result

ENGINES = ("python", "dotnet")
HELP_END = help_end(
    "protocolarc validate contract.json calls.jsonl",
    {
        OK: "every envelope passes",
        ERRORS: "an envelope has an error finding",
        INPUT: "usage, a contract that does not load, a malformed document, an input that cannot be read, no runtime",
    },
)


def validate(
    contract: Annotated[str, typer.Argument(metavar="CONTRACT", help=CONTRACT_HELP)],
    envelopes: Annotated[
        list[str],
        typer.Argument(metavar="ENVELOPES...", help="Files, directories, or - for JSONL on standard input."),
    ],
    raw: Annotated[bool, typer.Option("--raw", help="Documents are bare bodies, not envelopes.")] = False,
    format_name: Annotated[str, one_of(RESULTS, "Format of the results.")] = "text",
    output_file: OutputFile = None,
    only_failing: Annotated[bool, typer.Option("--only-failing", help="Leave out what passes.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Sum up on standard error.")] = False,
    at: At = None,
    color: Color = "auto",
    engine: Annotated[str, one_of(ENGINES, "Who validates; the output is the same.", "--engine")] = "python",
    runtime: RuntimePath = None,
) -> int:
    """Check envelopes against a contract.

    A .json file holds one envelope or an array of them, any other file one per line. A directory stands for
    the *.json, *.jsonl and *.ndjson files below it.
    """
    from protocolarc.cli.inputs import UnloadedContractError, contract_file, load, say_remedies
    from protocolarc.cli.output import Output, say
    from protocolarc.cli.progress import watching
    from protocolarc.engine.tally import Tally
    from protocolarc.engine.validate import Validator
    from protocolarc.loader.inputs import find_sources, read_documents
    from protocolarc.render.json import render_unloaded_contract

    stream = renderer(RESULTS, format_name)
    in_color = format_name == "text" and wants_color(color, to_file=output_file is not None)
    if in_color:
        from protocolarc.render.terminal import stream_results as stream
    try:
        validator = Validator(load(contract, at=at))
    except UnloadedContractError as error:
        if format_name == "json":
            with Output(output_file) as output:
                output.write(render_unloaded_contract(error.problems))
        return INPUT
    tally = Tally()

    def write(output: Output, results: Iterable[Result]) -> None:
        counted = tally.watch(results)
        shown = (result for result in counted if not result.ok) if only_failing else counted
        output.write_all(stream(validator.contract, shown))

    if engine == "dotnet":
        from protocolarc.cli.dotnet import BulkJob, require_runtime

        with contract_file(contract, at) as path:
            job = BulkJob(require_runtime(runtime), path, envelopes, raw)
            if not (in_color or only_failing or summary):
                return job.copy(format_name, output_file)
            with Output(output_file) as output, job.results() as results:
                write(output, results)
    else:
        sources = find_sources(envelopes)
        with Output(output_file) as output, watching(sources, output) as watcher:
            documents = read_documents(sources, raw=raw, watcher=watcher)
            write(output, map(validator.judge, documents))
    say_remedies(tally.codes)
    if summary:
        say(tally.sentence())
    return tally.exit_code
