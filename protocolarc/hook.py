"""``protocolarc-check``: the light entry of ``protocolarc check``, for hooks, which run at every commit.

It loads none of the command line's libraries, and the rest of the package only once the collector is off.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import NoReturn

    from protocolarc.registry.outcome import Outcome

INPUT, FAULT, INTERRUPTED = 3, 70, 130
UNWRITABLE = "cannot write standard output"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check and return its exit code; for the arguments of the process itself, leave with it at once.

    To collect garbage would only take time: the system takes the memory anyway.
    """
    if argv is None:
        gc.disable()
    code = _guarded(sys.argv[1:] if argv is None else argv)
    if argv is None:
        leave(code)
    return code


def leave(code: int) -> NoReturn:
    """End this process with an exit code once all that was printed is out.

    The interpreter is not taken apart, which takes a good part of the time of a short command.
    """
    for stream in (sys.stderr, sys.stdout):
        try:
            stream.flush()
        except (BrokenPipeError, ValueError, AttributeError):  # the reader has left; closed, or never open
            continue
        except OSError as error:
            if not code and stream is sys.stdout:  # else more was said already
                code = INPUT
                _say(f"error: {UNWRITABLE}: {error.strerror or error}")
    os._exit(code)


def _guarded(arguments: Sequence[str]) -> int:
    try:
        return _main(arguments)
    except SystemExit as end:  # the parser has said it all
        return INPUT if end.code else 0
    except KeyboardInterrupt:  # wherever it strikes, also while modules are loaded
        _say("interrupted")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  # the last resort: a fault lets no commit through
        _say(f"internal fault: {type(error).__name__}; 'protocolarc check' writes a report of it")
        return FAULT


def _main(arguments: Sequence[str]) -> int:
    from protocolarc.registry.outcome import run_check  # noqa: PLC0415  # see above
    from protocolarc.registry.request import Request, WrongOptionsError  # noqa: PLC0415  # the same

    try:
        return _write(_run(_parse(arguments)) if arguments else run_check(Request(), "text", os.environ))
    except WrongOptionsError as error:
        _say(f"error: {error}")
        return INPUT


def _run(options: Namespace) -> Outcome:
    from protocolarc.registry.outcome import run_check, run_files, run_pushed  # noqa: PLC0415  # see above
    from protocolarc.registry.request import read_files, read_pre_push, read_request  # noqa: PLC0415  # the same

    request = read_request(
        options.base, options.head, options.now, worktree=options.worktree, transitive=options.transitive
    )
    if read_files(options.paths, request, options.format, each=options.files, pre_push=options.pre_push):
        return run_files(options.paths)
    if options.pre_push:
        return run_pushed(sys.stdin.buffer if sys.stdin else None, read_pre_push(request, options.format), os.environ)
    return run_check(request, options.format, os.environ)


def _parse(arguments: Sequence[str]) -> Namespace:
    from argparse import ArgumentParser  # noqa: PLC0415  # a hook is called without arguments

    from protocolarc.render.formats import CHECK  # noqa: PLC0415  # the same

    parser = ArgumentParser(
        prog="protocolarc-check",
        description="Check what a commit changes in the contracts of this repository, as 'protocolarc check' does.",
        allow_abbrev=False,
    )
    parser.add_argument("--from", dest="base", metavar="A", help="where the range begins: merge-base(A, B)")
    parser.add_argument("--to", dest="head", metavar="B", help="where the range ends; HEAD unless it is named")
    parser.add_argument("--worktree", action="store_true", help="check the files on disk instead of what is staged")
    parser.add_argument("--transitive", action="store_true", default=None, help="compare with all earlier revisions")
    parser.add_argument(
        "--pre-push", action="store_true", help="check what is pushed: the lines of a pre-push hook on stdin"
    )
    parser.add_argument("--now", metavar="DATE", help="the day by which waivers expire; today unless it is named")
    parser.add_argument("--files", action="store_true", help="check the shape of files, each for itself")
    parser.add_argument("paths", nargs="*", metavar="FILE", help="a file of --files")
    parser.add_argument("--format", choices=list(CHECK), default="text", help="format of the report")
    return parser.parse_args(arguments)


def _write(outcome: Outcome) -> int:
    """Write the report; a reader that has left is no error."""
    for line in outcome.lines:
        _say(line)
    if sys.stdout is None:
        _say(f"error: {UNWRITABLE}: it is closed")
        return INPUT
    try:
        sys.stdout.buffer.write(outcome.text.encode("ascii"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _say(f"error: {UNWRITABLE}: {error.strerror or error}")
        return INPUT
    return outcome.exit_code


def _say(line: str) -> None:
    try:
        sys.stderr.write(line.rstrip("\n") + "\n")
        sys.stderr.flush()
    except (OSError, AttributeError):  # nobody listens, or ever did; the exit code still speaks
        return


if __name__ == "__main__":
    main()
