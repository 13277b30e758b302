"""Revisions: strict Semantic Versioning 2.0.0, its order, and the bumps between two of them."""

from __future__ import annotations

import re
from enum import IntEnum

from protocolarc.values.record import NamedTuple

MAX_LENGTH = 256
"""Longest revision, in characters, so that its numbers stay small enough to compute with."""

_NUMBER = r"0|[1-9][0-9]*"
_PRE = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_CORE = re.compile(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})")
_REST = rf"(?:-({_PRE}(?:\.{_PRE})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
"""What may follow the three numbers. It is compiled when a revision has any of it, which most have not."""


class Bump(IntEnum):
    """How far a revision moves; ordered, so that the larger one carries the smaller."""

    NONE = 0
    PRERELEASE = 1
    PATCH = 2
    MINOR = 3
    MAJOR = 4

    @property
    def label(self) -> str:
        """The word for reports: ``major``, ``minor``, ``patch``, ``prerelease`` or ``none``."""
        return self.name.lower()


class Revision(NamedTuple):
    """A parsed revision. ``text`` is what the document says, build metadata included."""

    text: str
    core: tuple[int, int, int]
    prerelease: tuple[str, ...] = ()

    @property
    def precedence(self) -> tuple[tuple[int, int, int], bool, tuple[tuple[bool, int, str], ...]]:
        """The sort key of SemVer 2.0.0, section 11: build metadata does not order."""
        if not self.prerelease:
            return self.core, True, ()
        identifiers = tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in self.prerelease)
        return self.core, False, identifiers

    def __str__(self) -> str:
        return self.text


def parse_revision(text: str) -> Revision:
    """Parse a revision.

    Raises:
        ValueError: the text is not SemVer 2.0.0 to the letter, or is longer than ``MAX_LENGTH``.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"longer than {MAX_LENGTH} characters")
    return computed_revision(text)


def computed_revision(text: str) -> Revision:
    """Parse a revision that was made of another one: it may be a little longer than what a document may hold.

    Raises:
        ValueError: the text is not SemVer 2.0.0 to the letter.
    """
    match = _CORE.match(text)
    rest = text[match.end() :] if match else ""
    more = re.fullmatch(_REST, rest) if rest else None
    if match is None or (rest and more is None):
        raise ValueError("not a semantic version such as 1.0.0")
    core = (int(match[1]), int(match[2]), int(match[3]))
    return Revision(text, core, tuple(more[1].split(".")) if more and more[1] else ())
