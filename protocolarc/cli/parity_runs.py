"""What ``parity`` runs: files, vectors or drawn cases. Each prints what differs, and returns the exit code."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from protocolarc.cli.dotnet import guarded, require_runtime, start
from protocolarc.cli.exit_codes import ERRORS, OK
from protocolarc.cli.inputs import contract_file
from protocolarc.cli.output import Output, fail, say
from protocolarc.cli.progress import counting
from protocolarc.loader.inputs import STDIN, find_sources
from protocolarc.parity.check import check_vectors
from protocolarc.parity.compare import Difference, compare_exit_codes, compare_reports, to_lines
from protocolarc.parity.peer import Peer
from protocolarc.parity.python import PythonSide, report_files
from protocolarc.parity.show import show_difference, tell_difference
from protocolarc.parity.vectors import VectorError, own_vectors, read_known, read_vectors, write_vector
from protocolarc.registry.fixtures import Case, Differ
from protocolarc.runtime.bulk import run_validate
from protocolarc.runtime.wire import Request

_SEEDS = 1 << 32


def files(contract: str, envelopes: Sequence[str], runtime: str | None, *, raw: bool) -> int:
    """Compare on files, as both commands read them."""
    if STDIN in envelopes:
        raise fail("parity reads its inputs twice, so standard input cannot be one of them")
    for path in (contract, *(source.path for source in find_sources(envelopes))):
        if not _is_utf8(path):
            raise fail(f"{path}: a name that is not UTF-8, which the .NET runtime cannot open")
    command = require_runtime(runtime)
    with contract_file(contract) as path:
        report = report_files(path, envelopes, raw=raw)
        with guarded(), run_validate(command, path, envelopes, raw, format_name="json") as run:
            difference = compare_reports(to_lines(report.pieces()), run.stdout)
    if difference is None:
        difference = compare_exit_codes(report.exit_code, run.exit_code)
    return _conclude(difference, f"{report.count} documents agree")


def vectors(folder: str | None, runtime: str | None) -> int:
    """Compare on conformance vectors: each side with what the vector demands."""
    folder = folder or own_vectors()
    if folder is None:
        raise fail("there are no vectors beside the package; name their directory")
    try:
        cases, known = list(read_vectors(folder)), read_known(folder)
    except VectorError as error:
        raise fail(str(error)) from None
    wrong = 0
    with Output() as output, guarded(), Peer(partial(start, require_runtime(runtime))) as peer:
        for text in check_vectors(cases, known, peer):
            output.write(text)
            wrong += 1
        peer.finish()
        excepted = f", {len(known)} known differences" if known else ""
        output.write(
            f"{len(cases)} vectors, {wrong} differences\n" if wrong else f"{len(cases)} vectors agree{excepted}\n"
        )
    return ERRORS if wrong else OK


def fuzz(count: int, seed: int | None, runtime: str | None) -> int:
    """Compare on drawn cases; the first that differs is made small and printed as a vector."""
    try:
        from protocolarc.parity.fuzz import Fuzzer
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        raise fail("--fuzz needs Hypothesis: install the extra, pip install 'protocolarc[dev]'") from None

    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    with guarded(), Peer(partial(start, require_runtime(runtime))) as peer:
        fuzzer = Fuzzer(peer)
        with counting(count) as told_count:
            failure = fuzzer.run(count, seed, told_count)
        told = f"{fuzzer.count} cases, seed {seed}"
        if failure is None:
            peer.finish()
            return _conclude(None, f"{told}: agree")
    with Output() as output:
        output.write(f"{told}: differ\n{show_difference(failure.difference)}")
        output.write(write_vector(failure.request, failure.expected, f"found by parity --fuzz, seed {seed}"))
    return ERRORS


@contextmanager
def comparing(runtime: str | None) -> Iterator[Differ]:
    """Give what tells how the two sides differ on a fixture; they are shown beside each other on standard error."""
    with guarded(), Peer(partial(start, require_runtime(runtime))) as peer:
        python = PythonSide()

        def differ(case: Case) -> str | None:
            format_name = "json" if case.name.endswith(".json") else "jsonl"
            request = Request(format_name, case.name, case.contract, case.content)
            difference = peer.compare(request, python.validate(request))
            if difference is None:
                return None
            say(show_difference(difference))
            return tell_difference(difference)

        yield differ
        peer.finish()


def _is_utf8(path: str) -> bool:
    try:
        os.fsencode(path).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _conclude(difference: Difference | None, agreement: str) -> int:
    with Output() as output:
        output.write(f"{agreement}\n" if difference is None else show_difference(difference))
    return OK if difference is None else ERRORS
