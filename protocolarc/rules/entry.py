"""What every rule tells about itself; the catalogue and the reference pages are made from it."""

from __future__ import annotations

from protocolarc.values.record import NamedTuple


class Entry(NamedTuple):
    """The page of one rule, change kind or structural code.

    ``summary`` is one line; ``example`` is an input or an output line that shows it;
    ``remedy`` says what to do about it; ``since`` is the first version that knows it.
    """

    id: str
    summary: str
    explanation: str
    example: str
    remedy: str
    since: str = "0.1.0"
