"""Collecting every problem of a contract document, and reading an object by a table of its keys."""

from __future__ import annotations

import re
from collections.abc import Mapping

from protocolarc.loader.profile import Located
from protocolarc.values.envelope import Problem
from protocolarc.values.jsontype import json_type
from protocolarc.values.literal import quote
from protocolarc.values.record import NamedTuple

_MAX_LOOKED_UP = 50


class KeyTable(NamedTuple):
    """The keys of an object with the JSON types they take, such as ``string|array``; ``kept``: a pattern."""

    required: Mapping[str, str]
    optional: Mapping[str, str]
    kept: str = r"(?!)"


class Problems:
    """A list of problems that grows while a document is read."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._looked_up = 0

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, offset: int, pointer: str, code: str, hint: str) -> None:
        """Record one problem at a byte and a JSON pointer (RFC 6901)."""
        self._found.append(Problem(offset, pointer, code, hint))

    def in_order(self) -> tuple[Problem, ...]:
        """Return the problems in order of offset, then pointer, then code."""
        return tuple(sorted(self._found))

    def read_keys(self, owner: Located, pointer: str, table: KeyTable) -> dict[str, Located]:
        """Return the members of an object that have a type their key takes; record what is wrong with the rest.

        A missing key is recorded at the object, an unknown one at its own quote.
        """
        members: dict[str, Located] = owner.content  # type: ignore[assignment]  # callers pass objects only
        for key in table.required:
            if key not in members:
                self.add(owner.offset, pointer, "contract.key_missing", f"the key '{key}' is required here")
        good: dict[str, Located] = {}
        for key, value in members.items():
            expected = table.required.get(key) or table.optional.get(key)
            if expected is None:
                if re.fullmatch(table.kept, key, re.DOTALL) is None:
                    place = owner.keys.get(key, owner.offset)
                    hint = self._unknown_key(key, table)
                    self.add(place, _member(pointer, key), "contract.key_unknown", hint)
            elif (found := _type_of(value)) not in expected.split("|"):
                hint = f"'{key}' takes {expected.replace('|', ' or ')}, not {found}"
                self.add(value.offset, _member(pointer, key), "contract.key_type", hint)
            else:
                good[key] = value
        return good

    def _unknown_key(self, key: str, table: KeyTable) -> str:
        """Say that a key is unknown and, for the first few, which one was probably meant: looking is not cheap."""
        self._looked_up += 1
        near: list[str] = []
        if self._looked_up <= _MAX_LOOKED_UP:
            from difflib import get_close_matches  # noqa: PLC0415  # only a bad document pays for it

            near = get_close_matches(key[:50], [*table.required, *table.optional], n=1)
        if near:
            return f"unknown key {quote(key)}, did you mean '{near[0]}'?"
        return f"unknown key {quote(key)}; the keys here are {' '.join([*table.required, *table.optional])}"


def _member(pointer: str, key: str) -> str:
    """Extend a JSON pointer (RFC 6901) by one key."""
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"


def _type_of(value: Located) -> str:
    content = value.content
    if isinstance(content, dict):
        return "object"
    return "array" if isinstance(content, list) else json_type(content)
