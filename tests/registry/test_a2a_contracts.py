"""The contracts of A2A messages say what the protocol's own protobuf definition says, as the official SDK has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from a2a.types import a2a_pb2
from google.api.field_behavior_pb2 import REQUIRED, field_behavior
from google.protobuf.descriptor import FieldDescriptor

from protocolarc import load_contract
from tests.support.cli import ROOT

OBJECTS = [
    ("message", "Message"),
    ("task", "Task"),
    ("artifact", "Artifact"),
    ("agent_card", "AgentCard"),
    ("send_message.request", "SendMessageRequest"),
    ("send_message.response", "SendMessageResponse"),
    ("stream.response", "StreamResponse"),
    ("get_task.request", "GetTaskRequest"),
    ("cancel_task.request", "CancelTaskRequest"),
]
METHODS = {
    "send_message.request": ("SendMessage", "SendStreamingMessage"),
    "get_task.request": ("GetTask",),
    "cancel_task.request": ("CancelTask",),
}
SCALARS = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BYTES: "string",  # base64
    FieldDescriptor.TYPE_ENUM: "string",
    FieldDescriptor.TYPE_INT32: "integer",
    FieldDescriptor.TYPE_BOOL: "boolean",
}
KNOWN_JSON = {"Struct": "object", "Value": "any", "Timestamp": "string"}
LEFT_OPEN = {"SecurityScheme"}
"""Messages that the contracts take as they are."""


class Said(NamedTuple):
    """What is said of one field."""

    type: str
    required: bool
    enum: tuple[Any, ...] | None = None


def fields(message: Any, prefix: str = "") -> Iterator[tuple[str, Said]]:
    """Yield each field of a protobuf message by the path that it has in JSON."""
    for field in message.fields:
        path = f"{prefix}{field.json_name}"
        required = REQUIRED in field.GetOptions().Extensions[field_behavior]
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            yield path, Said("object", required)
            yield from value(kind.fields_by_name["value"], f"{path}.*", required=True)
        elif field.is_repeated:
            yield path, Said("array", required)
            items = list(value(field, f"{path}[*]", required=True))
            yield from items if kind is None else items[1:]  # an item that has fields is not declared itself
        else:
            yield from value(field, path, required=required)


def value(field: Any, path: str, *, required: bool) -> Iterator[tuple[str, Said]]:
    """Yield the field at a path, and what is below it."""
    kind = field.message_type
    if kind is None:
        names = tuple(item.name for item in field.enum_type.values if item.number) if field.enum_type else None
        yield path, Said(SCALARS[field.type], required, names)
    elif kind.name in KNOWN_JSON:
        yield path, Said(KNOWN_JSON[kind.name], required)
    else:
        yield path, Said("object", required)
        if kind.name not in LEFT_OPEN:
            yield from fields(kind, f"{path}.")


@pytest.mark.parametrize(("stem", "name"), OBJECTS, ids=[row[0] for row in OBJECTS])
def test_a_contract_says_what_the_protocol_says(stem: str, name: str) -> None:
    contract = load_contract((ROOT / "registry" / "a2a" / f"{stem}.json").read_bytes())
    envelope, prefix = {}, ""
    if stem.endswith((".request", ".response")):
        prefix = "params." if stem.endswith("request") else "result."
        envelope = {
            "jsonrpc": Said("string", required=True, enum=("2.0",)),
            "id": Said("string|integer", required=True),
        }
        if stem in METHODS:
            envelope["method"] = Said("string", required=True, enum=METHODS[stem])
        else:
            envelope["result"] = Said("object", required=True)
    said = {field.name: Said(field.type_text, field.required, field.enum) for field in contract.fields}
    assert said == {**envelope, **dict(fields(getattr(a2a_pb2, name).DESCRIPTOR, prefix))}
