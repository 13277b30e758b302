"""Envelopes: the documents of an input, one at a time, each an envelope or the fault in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocolarc.loader.decode import decode
from protocolarc.loader.located import parse_located
from protocolarc.loader.profile import JsonError, Located, plain
from protocolarc.values.envelope import Document, Envelope, Fault
from protocolarc.values.jsontype import Value


def read_lines(source: str, lines: Iterable[bytes | None], *, raw: bool = False) -> Iterator[Document]:
    """Read one document per line; ``None`` stands for a line over the size limit.

    Lines of blanks alone are counted and skipped.
    """
    for number, line in enumerate(lines, 1):
        if line is None:
            yield Document(source, f":{number}", Fault("input.size", 0))
            continue
        if line.endswith(b"\r"):
            line = line[:-1]  # noqa: PLW2901  # one carriage return belongs to the line end
        if line and not (line.isspace() and not line.strip(b" \t\r")):
            yield Document(source, f":{number}", read_envelope(line, raw=raw))


def read_document(source: str, data: bytes, *, raw: bool = False) -> Iterator[Document]:
    """Read a file that holds one envelope or an array of them; what is malformed is one fault."""
    try:
        content = decode(data)
    except JsonError as error:
        yield Document(source, "", Fault(error.code, error.offset))
        return
    if not isinstance(content, list):
        yield Document(source, "", _envelope(content, raw=raw) or _fault_of(content, data))
        return
    located: list[Located] = []
    for index, item in enumerate(content):
        envelope = _envelope(item, raw=raw)
        if envelope is None and not located:  # parsed again, once, when the first item turns out to be wrong
            located.extend(parse_located(data).content)  # type: ignore[arg-type]  # an array, as above
        yield Document(source, f"[{index}]", envelope or _fault(located[index]))


def read_envelope(data: bytes, *, raw: bool = False) -> Envelope | Fault:
    """Read the bytes of one envelope, or of one bare body when ``raw``."""
    try:
        content = decode(data)
    except JsonError as error:
        return Fault(error.code, error.offset)
    return _envelope(content, raw=raw) or _fault_of(content, data)


def _envelope(content: Value, *, raw: bool) -> Envelope | None:
    """Return the envelope that a value is, or ``None`` where its shape is wrong."""
    if not isinstance(content, dict):
        return None
    if raw:
        return Envelope(content)
    contract, data, revision = content.get("contract"), content.get("data"), content.get("revision")
    if type(contract) is str and type(data) is dict and (type(revision) is str or "revision" not in content):
        return Envelope(data, contract, revision)  # type: ignore[arg-type]  # a string, or absent
    return None


def _fault_of(content: Value, data: bytes) -> Fault:
    """Name what is wrong with the shape of a whole document; only the place of a member has to be looked up."""
    start = len(data) - len(data.lstrip(b" \t\n\r"))
    if not isinstance(content, dict):
        return Fault("envelope.not_object", start)
    if "contract" not in content or "data" not in content:
        return Fault("envelope.key_missing", start)
    return _fault(parse_located(data))


def _fault(envelope: Located) -> Fault:
    """Name the first thing that is wrong with the shape of an envelope, at its first byte."""
    members = envelope.content
    if not isinstance(members, dict):
        return Fault("envelope.not_object", envelope.offset)
    if "contract" not in members or "data" not in members:
        return Fault("envelope.key_missing", envelope.offset)
    for key, wanted in (("contract", str), ("revision", str), ("data", dict)):
        if key in members and not isinstance(plain(members[key]), wanted):
            return Fault("envelope.key_type", members[key].offset)
    raise AssertionError("the shape was found wrong, then right")
