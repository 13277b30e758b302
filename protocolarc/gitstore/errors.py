"""What git says when it does not answer."""

from __future__ import annotations

import os
import re

REFETCH = "git fetch --refetch --no-filter"
"""What completes a partial clone; it is told, never run."""
FSCK = "git fsck"
"""What tells all that is damaged."""

_DAMAGE = r"inflate|unpack|corrupt|not a tree|[Cc]ould not read|unable to read|bad (?:tree|object)|too long|is empty"
"""What git says of an object that is not what it should be, or not there."""
_OBJECT = r"\b[0-9a-f]{2}/?[0-9a-f]{38}(?:[0-9a-f]{24})?\b"


class GitError(Exception):
    """Git cannot answer. ``reason`` is one line for people, ``hint`` what they can do about it, or nothing."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


def failure(command: str | bytes, err: bytes) -> GitError:
    """Make one line of what git said on standard error, the first that names an object if one does."""
    lines = [
        line
        for line in err.decode("utf-8", "surrogateescape").splitlines()
        if line.strip() and not line.startswith("hint: ")
    ]
    reasons = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines or ["no reason"]
    said = next((line for line in reasons if re.search(_OBJECT, line)), reasons[0])
    hint = REFETCH if "promisor" in said else FSCK if re.search(_DAMAGE, said) else ""
    return GitError(f"git {os.fsdecode(command)}: {said.removeprefix('fatal: ').removeprefix('error: ')}", hint)
