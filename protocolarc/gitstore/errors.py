"""What git says when it does not answer."""

from __future__ import annotations

import os

REFETCH = "git fetch --refetch --no-filter"
"""What completes a partial clone; it is told, never run."""


class GitError(Exception):
    """Git cannot answer. ``reason`` is one line for people, ``hint`` what they can do about it, or nothing."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


def failure(command: str | bytes, err: bytes) -> GitError:
    """Make one line of what git said on standard error."""
    lines = [
        line
        for line in err.decode("utf-8", "surrogateescape").splitlines()
        if line.strip() and not line.startswith("hint: ")
    ]
    said = next((line for line in lines if line.startswith(("fatal: ", "error: "))), lines[0] if lines else "no reason")
    return GitError(f"git {os.fsdecode(command)}: {said.removeprefix('fatal: ').removeprefix('error: ')}")
