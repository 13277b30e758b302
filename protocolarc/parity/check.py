"""Checking both sides against vectors, and the list of known differences against both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protocolarc.parity.compare import compare_answers
from protocolarc.parity.peer import Peer
from protocolarc.parity.python import PythonSide
from protocolarc.parity.show import show_difference
from protocolarc.parity.vectors import Vector


def check_vectors(vectors: Sequence[Vector], known: Mapping[str, str], peer: Peer) -> Iterator[str]:
    """Yield what is wrong, in plain text: a side that does not meet a vector, and a known difference that is none."""
    python = PythonSide()
    stale = dict(known)
    for vector in vectors:
        ours = compare_answers(vector.answer, python.validate(vector.request))
        if ours is not None:
            yield f"{vector.id}\n{show_difference(ours, 'expected', 'python')}"
        theirs = peer.compare(vector.request, vector.answer)
        if theirs is not None and stale.pop(vector.id, None) is None:
            yield f"{vector.id}\n{show_difference(theirs, 'expected', 'dotnet')}"
    for identity in stale:
        yield f"{identity}\n[STALE] listed as a known difference, but there is none\n"
