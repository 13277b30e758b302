"""Hostile bytes: a document cut, spliced and mixed with fragments that parsers trip over."""

from __future__ import annotations

from random import Random

from protocolarc.parity.draw.pools import FRAGMENTS

_MOST_BYTES = 12
_MOST_COPIES = 3


def mutate(data: bytes, random: Random) -> bytes:
    """Change a document in one to three places."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice((_insert, _insert, _begin, _replace, _delete, _repeat, _cut, _flip))(data, random)
    return data


def _insert(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(FRAGMENTS) + data[at:]


def _begin(data: bytes, random: Random) -> bytes:
    return random.choice(FRAGMENTS) + data


def _replace(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + random.choice(FRAGMENTS) + data[end:]


def _delete(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _repeat(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[start:end] * random.randint(2, _MOST_COPIES) + data[end:]


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _flip(data: bytes, random: Random) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]


def _span(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.randint(0, _MOST_BYTES))
