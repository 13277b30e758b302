"""The fields of a contract document: each read on its own, so that one problem does not hide the next."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.loader.problems import KeyTable, Problems
from protocolarc.loader.profile import Located, plain, unplaced
from protocolarc.values.accepted import atom_of, atoms_of
from protocolarc.values.contract import FieldSpec
from protocolarc.values.jsontype import TYPES, Scalar, Value, identity, json_type
from protocolarc.values.literal import quote, show
from protocolarc.values.path import Path, PathError, Wildcard, parse_path, render_path
from protocolarc.values.record import NamedTuple

_KEYS = KeyTable(
    required={"name": "string", "type": "string|array"},
    optional={"required": "boolean", "enum": "array", "doc": "string"},
)


class Declaration(NamedTuple):
    """A path of the document with the place where it is written: a byte and a JSON pointer."""

    path: Path
    offset: int
    pointer: str


class ReadField(NamedTuple):
    """A field that could be read, with the place of its name, and what its path needs where that is known already."""

    field: FieldSpec
    place: Declaration
    needs: frozenset[tuple[Path, str]] | None


_SHORT = 8
"""Steps of the longest path whose needs are kept with its field. They take memory by the square of the steps."""
_MAX_KNOWN, _MAX_KNOWN_LENGTH = 4096, 500
"""How many fields are remembered, and how long the spelling of one may be."""
_known: dict[str, tuple[ReadField, Value]] = {}


def read_fields(items: list[Located], problems: Problems) -> dict[Path, ReadField]:
    """Read the ``fields`` array; a field whose name is no path, or is taken, is recorded and left out."""
    fields: dict[Path, ReadField] = {}
    taken: dict[Path, str] = {}
    for index, item in enumerate(items):
        pointer = f"/fields/{index}"
        read = _read_field(item, pointer, problems)
        if read is None:
            continue
        path, offset, place = read.place
        if path in taken:
            hint = f"{read.field.name} is declared already, at {taken[path]}"
            problems.add(offset, place, "contract.duplicate_field", hint)
            continue
        taken[path] = pointer
        fields[path] = read
    return fields


def read_known_fields(items: list[Value]) -> dict[Path, ReadField] | None:
    """Read fields whose places do not matter; ``None`` when anything is wrong with one of them.

    Fields that are spelled alike share one ``FieldSpec``, and their documents the object that it was read from: most of
    two revisions is the same.
    """
    fields: dict[Path, ReadField] = {}
    for index, item in enumerate(items):
        key = repr(item)
        known = _known.get(key)
        if known is None:
            problems = Problems()
            read = _read_field(unplaced(item), "", problems)
            if read is None or problems:
                return None
            if len(key) <= _MAX_KNOWN_LENGTH:
                if len(_known) >= _MAX_KNOWN:
                    _known.clear()
                _known[key] = read, item
        else:
            read, items[index] = known
        fields[read.field.path] = read
    return fields if len(fields) == len(items) else None


def _read_field(item: Located, pointer: str, problems: Problems) -> ReadField | None:
    if not isinstance(item.content, dict):
        problems.add(item.offset, pointer, "contract.key_type", "a field is an object with a name and a type")
        return None
    keys = problems.read_keys(item, pointer, _KEYS)
    types = _read_types(keys["type"], f"{pointer}/type", problems) if "type" in keys else ()
    enum = _read_enum(keys["enum"], f"{pointer}/enum", types, problems) if "enum" in keys else None
    place = read_path(keys["name"], f"{pointer}/name", problems) if "name" in keys else None
    if place is None:
        return None
    required = "required" not in keys or keys["required"].content is True
    doc = keys["doc"].content if "doc" in keys else None
    name = render_path(place.path)
    spec = FieldSpec(name, place.path, types or ("any",), required, enum, doc)  # type: ignore[arg-type]  # as read
    return ReadField(spec, place, frozenset(needs_of(place.path)) if len(place.path) <= _SHORT else None)


def needs_of(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield each place above a path with what the path needs there: a ``map``, an ``array`` or an ``object``."""
    for end, step in enumerate(path):
        yield path[:end], "map" if step is Wildcard.VALUE else "array" if step is Wildcard.ITEM else "object"


def read_path(item: Located, pointer: str, problems: Problems) -> Declaration | None:
    """Read one path; what is none is recorded."""
    try:
        return Declaration(parse_path(item.content), item.offset, pointer)  # type: ignore[arg-type]  # a string
    except PathError as error:
        problems.add(item.offset, pointer, "contract.path", str(error))
        return None


def _read_types(item: Located, pointer: str, problems: Problems) -> tuple[str, ...]:
    """Return the well-formed type names; empty when there is none."""
    if not isinstance(item.content, list):
        named = [(item, pointer)]
    else:
        named = [(entry, f"{pointer}/{index}") for index, entry in enumerate(item.content)]
        if not named:
            problems.add(item.offset, pointer, "contract.type", "a list of types needs at least one")
    types: list[str] = []
    for entry, place in named:
        name = entry.content
        if not isinstance(name, str) or name not in TYPES:
            problems.add(entry.offset, place, "contract.type", f"a type is one of {' '.join(TYPES)}")
        elif name in types:
            problems.add(entry.offset, place, "contract.type", f"'{name}' is listed already")
        else:
            types.append(name)
    return tuple(types)


def _read_enum(item: Located, pointer: str, types: tuple[str, ...], problems: Problems) -> tuple[Scalar, ...] | None:
    entries: list[Located] = item.content  # type: ignore[assignment]  # the key table asked for an array
    members: dict[tuple[str, object], Scalar] = {}
    for index, entry in enumerate(entries):
        member = plain(entry)
        place = f"{pointer}/{index}"
        if isinstance(member, (dict, list)):
            hint = f"members are scalars, not {json_type(member)}"
            problems.add(entry.offset, place, "contract.enum", hint)
        elif identity(member) in members:
            problems.add(entry.offset, place, "contract.enum", f"{show(member)} is a member already")
        else:
            members[identity(member)] = member
    if not entries:
        problems.add(item.offset, pointer, "contract.enum", "an enum needs at least one member")
    elif members and types and not any(atom_of(member) in atoms_of(types) for member in members.values()):
        hint = f"no member is of type {quote('|'.join(types))}, so no value could pass"
        problems.add(item.offset, pointer, "contract.enum", hint)
        return None  # said once; to the checks that follow the field is as good as its types
    return tuple(members.values()) or None
