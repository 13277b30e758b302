"""Contracts: bytes become a ``Contract``, or every problem of the document with its place and a hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from protocolarc.loader.decode import decode
from protocolarc.loader.fields import Declaration, ReadField, read_fields, read_known_fields, read_path
from protocolarc.loader.problems import KeyTable, Problems
from protocolarc.loader.profile import JsonError, Located, unplaced
from protocolarc.loader.reachable import report_unreachable
from protocolarc.values.contract import SIDES, Contract, FieldSpec
from protocolarc.values.envelope import Problem
from protocolarc.values.jsontype import Value
from protocolarc.values.path import Path, render_path
from protocolarc.values.revision import Revision, parse_revision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _T = TypeVar("_T")

MAX_NAME_BYTES = 200

_NAME = re.compile(r"[A-Za-z0-9_-]++(?:[./][A-Za-z0-9_-]++)*+")
_KIND = re.compile(r"[a-z][a-z0-9_-]*+")
_KEYS = KeyTable(
    required={"name": "string", "revision": "string", "kind": "string", "fields": "array"},
    optional={"title": "string", "doc": "string", "side": "string", "strict": "boolean", "reserved": "array"},
    kept=r"\$schema|x-.*",
)

_MAX_KNOWN, _MAX_KNOWN_LENGTH = 4096, 1000
"""How many documents are remembered without their fields, and how long the spelling of one may be."""
_known: dict[str, Contract] = {}


class ContractError(ValueError):
    """A document that is no contract. ``problems`` holds every one, in the order of their places."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"{problem.code} {problem.pointer}: {problem.hint}" for problem in problems))
        self.problems = problems


def load_contract(data: bytes) -> Contract:
    """Read one contract document: without places first, and once more with them where something is wrong.

    Raises:
        ContractError: the document is outside the JSON profile or is no contract.
    """
    try:
        content = decode(data)
    except JsonError as error:
        from protocolarc.rules.structural import SUMMARIES  # noqa: PLC0415  # only a bad document pays for it

        raise ContractError((Problem(error.offset, "", error.code, SUMMARIES[error.code]),)) from None
    if isinstance(content, dict):
        contract = _read_unplaced(content)
        if contract is not None:
            return contract
    from protocolarc.loader.located import parse_located  # noqa: PLC0415  # the same

    problems = Problems()
    document = parse_located(data)
    if isinstance(content, dict):
        _read_contract(document, content, problems)
    else:
        problems.add(document.offset, "", "contract.not_object", "a contract is a JSON object")
    raise ContractError(problems.in_order())


def _read_unplaced(content: dict[str, Value]) -> Contract | None:
    """Read a document whose places do not matter; ``None`` when anything is wrong with it.

    All but the fields and the revision is mostly the same in the next revision, and is read once.
    """
    declared, revision = content.get("fields"), content.get("revision")
    fields = read_known_fields(declared) if isinstance(declared, list) else None
    if fields is None:
        return None
    problems = Problems()
    key = repr({**content, "fields": None, "revision": None})
    known = _known.get(key)
    if known is not None and isinstance(revision, str):
        try:
            contract = known._replace(revision=parse_revision(revision), fields=_specs(fields), document=content)
        except ValueError:
            return None
        report_unreachable(fields, problems)
    else:
        contract = _read_contract(unplaced({**content, "fields": []}), content, problems, fields)
        # What is reserved is held against the fields, so it is read with them.
        if not problems and not contract.reserved and len(key) <= _MAX_KNOWN_LENGTH:
            if len(_known) >= _MAX_KNOWN:
                _known.clear()
            _known[key] = contract._replace(fields=(), document={})
    return None if problems else contract


def _specs(fields: Mapping[Path, ReadField]) -> tuple[FieldSpec, ...]:
    return tuple([item.field for item in fields.values()])


def _read_contract(
    document: Located, content: dict[str, Value], problems: Problems, fields: dict[Path, ReadField] | None = None
) -> Contract:
    keys = problems.read_keys(document, "", _KEYS)

    def read(key: str, check: Callable[[str], _T], code: str, default: _T) -> _T:
        """Pass the string under a key through its check; what that refuses is a problem at the value."""
        if key not in keys:
            return default
        try:
            return check(str(keys[key].content))
        except ValueError as error:
            problems.add(keys[key].offset, f"/{key}", code, str(error))
            return default

    name = read("name", check_name, "contract.name", "")
    if fields is None:
        fields = read_fields(_items(keys.get("fields")), problems)
    contract = Contract(
        name=name,
        revision=read("revision", parse_revision, "contract.revision", Revision("", (0, 0, 0))),
        kind=read("kind", _check_kind, "contract.value", ""),
        fields=_specs(fields),
        title=read("title", str, "contract.value", name),
        doc=read("doc", str, "contract.value", None),
        side=read("side", _check_side, "contract.value", SIDES[0]),
        strict="strict" in keys and keys["strict"].content is True,
        reserved=_read_reserved(_items(keys.get("reserved")), fields, problems),
        document=content,
    )
    report_unreachable(fields, problems)
    return contract


def _items(array: Located | None) -> list[Located]:
    return array.content if array is not None and isinstance(array.content, list) else []


def check_name(text: str) -> str:
    """Return the name of a contract.

    Raises:
        ValueError: it is none.
    """
    if len(text) > MAX_NAME_BYTES:
        raise ValueError(f"a name has at most {MAX_NAME_BYTES} bytes")
    if _NAME.fullmatch(text) is None:
        raise ValueError("a name is made of A-Z a-z 0-9 _ - in segments joined by '.' or '/'")
    return text


def _check_kind(text: str) -> str:
    if _KIND.fullmatch(text) is None:
        raise ValueError("a kind is mcp, a2a, jsonrpc, or another word of a-z 0-9 _ - that begins with a letter")
    return text


def _check_side(text: str) -> str:
    if text not in SIDES:
        raise ValueError(f"a side is one of {' '.join(SIDES)}")
    return text


def _read_reserved(items: list[Located], fields: Mapping[Path, ReadField], problems: Problems) -> tuple[Path, ...]:
    """Read the tombstones; a path that is there twice, or is declared too, is recorded at the later place."""
    seen: dict[Path, None] = {}
    for index, item in enumerate(items):
        pointer = f"/reserved/{index}"
        if not isinstance(item.content, str):
            problems.add(item.offset, pointer, "contract.path", "a reserved path is a string")
            continue
        entry = read_path(item, pointer, problems)
        if entry is None:
            continue
        shown = render_path(entry.path)
        if entry.path in seen:
            problems.add(entry.offset, pointer, "contract.reserved", f"{shown} is reserved already")
        seen[entry.path] = None
        field = fields.get(entry.path)
        if field is not None:
            later: Declaration = max(entry, field.place, key=lambda place: place.offset)
            hint = f"{shown} is reserved and may not be declared again"
            problems.add(later.offset, later.pointer, "contract.reserved", hint)
    return tuple(seen)
