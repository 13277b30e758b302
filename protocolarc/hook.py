"""``protocolarc-check``: the light entry of ``protocolarc check``, for hooks, which run at every commit.

It loads none of the command line's libraries.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from protocolarc.registry.outcome import INPUT, Outcome, WrongOptionsError, read_request, run_check, run_files
from protocolarc.render.formats import CHECK

FAULT, INTERRUPTED = 70, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check and return its exit code."""
    try:
        options = _parser().parse_args(argv)
    except SystemExit as end:
        return INPUT if end.code else 0
    try:
        if options.files is not None:
            return _write(run_files(options.files))
        request = read_request(
            options.base, options.head, options.now, worktree=options.worktree, transitive=options.transitive
        )
        return _write(run_check(request, options.format, os.environ))
    except WrongOptionsError as error:
        _say(f"error: {error}")
        return INPUT
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  # the last resort: a fault lets no commit through
        _say(f"internal fault: {type(error).__name__}; 'protocolarc check' writes a report of it")
        return FAULT


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="protocolarc-check",
        description="Check what a commit changes in the contracts of this repository, as 'protocolarc check' does.",
        allow_abbrev=False,
    )
    parser.add_argument("--from", dest="base", metavar="A", help="where the range begins: merge-base(A, B)")
    parser.add_argument("--to", dest="head", metavar="B", help="where the range ends; HEAD unless it is named")
    parser.add_argument("--worktree", action="store_true", help="check the files on disk instead of what is staged")
    parser.add_argument("--transitive", action="store_true", default=None, help="compare with all earlier revisions")
    parser.add_argument("--now", metavar="DATE", help="the day by which waivers expire; today unless it is named")
    parser.add_argument("--files", nargs="*", metavar="FILE", help="check the shape of these files and nothing else")
    parser.add_argument("--format", choices=list(CHECK), default="text", help="format of the report")
    return parser


def _write(outcome: Outcome) -> int:
    """Write the report; a reader that has left is no error."""
    for line in outcome.lines:
        _say(line)
    try:
        sys.stdout.buffer.write(outcome.text.encode("ascii"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _say(f"error: cannot write standard output: {error.strerror or error}")
        return INPUT
    return outcome.exit_code


def _say(line: str) -> None:
    try:
        sys.stderr.write(line.rstrip("\n") + "\n")
        sys.stderr.flush()
    except OSError:  # nobody listens; the exit code still speaks
        return


if __name__ == "__main__":
    sys.exit(main())
