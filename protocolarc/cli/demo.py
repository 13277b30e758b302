"""``demo``: the main job, played on the examples that come with the package, then in a repository."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from protocolarc.cli.exit_codes import INTERRUPTED, OK
from protocolarc.cli.options import Color, help_end

HELP_END = help_end("protocolarc demo", {OK: "success"})

_OLD, _NEW = "examples/contracts/mcp_tool_call_1.0.0.json", "examples/contracts/mcp_tool_call_2.0.0.json"
_CALLS = "examples/fixtures/mcp_calls.jsonl"
_STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("A contract: what a client sends to run a tool.", ("describe", _OLD)),
    ("Recorded calls against it.", ("validate", _OLD, _CALLS)),
    ("A later revision: what changed, and whom it breaks.", ("diff", _OLD, _NEW)),
    (
        "The recorded calls against every revision.",
        ("matrix", "--contracts", _OLD, "examples/contracts/mcp_tool_call_1.1.0.json", _NEW, "--envelopes", _CALLS),
    ),
)


def demo(context: typer.Context, color: Color = "auto") -> int:
    """Play the main job on packaged examples: describe, validate, diff, matrix.

    Then the rest in a temporary repository: a breaking edit, the commit that is refused, the bump, the log.
    """
    from protocolarc.cli.output import Output

    application = context.find_root().command
    examples = examples_folder()
    for title, words in _STEPS:
        with Output() as output:
            output.write(f"# {title}\n$ protocolarc {' '.join(words)}\n")
        played = [str(examples / word.removeprefix("examples/")) if "/" in word else word for word in words]
        code = application.main([*played, "--color", color], prog_name="protocolarc", standalone_mode=False)
        if code == INTERRUPTED:
            return INTERRUPTED
        with Output() as output:
            output.write(f"# exit code {code}\n\n")
    from protocolarc.cli.story import play

    with Output() as output:
        output.write_all(play(examples, dict(os.environ)))
    return OK


def examples_folder() -> Path:
    """Return the folder of the examples: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "_examples"
    return installed if installed.is_dir() else package.parent / "examples"
