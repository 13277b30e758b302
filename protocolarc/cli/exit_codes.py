"""The closed table of exit codes, shared by all commands."""

from __future__ import annotations

OK = 0
ERRORS = 1
BREAKING = 2
INPUT = 3
FAULT = 70
INTERRUPTED = 130

MEANINGS = {
    OK: "success",
    ERRORS: "validation errors",
    BREAKING: "breaking change",
    INPUT: "usage or input error, malformed document",
    FAULT: "internal fault",
    INTERRUPTED: "interrupted",
}

_WEIGHT = (OK, ERRORS, BREAKING, INPUT, FAULT)


def worst(*codes: int) -> int:
    """Return the code that stands for several: 70, then 3, 2, 1."""
    return max(codes, key=_WEIGHT.index, default=OK)
