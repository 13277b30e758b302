"""The conformance vectors of this repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from protocolarc.parity.vectors import Vector, read_vectors, topic_files

__all__ = ["FOLDER", "SCHEMA", "Vector", "topics", "vectors"]

FOLDER = Path(__file__).parent.parent / "vectors"
SCHEMA = FOLDER / "vectors.schema.json"


def topics() -> list[Path]:
    """Return the files of vectors, one per topic."""
    return [Path(path) for path in topic_files(str(FOLDER))]


def vectors() -> Iterator[Vector]:
    """Yield every case of every topic."""
    return read_vectors(str(FOLDER))
