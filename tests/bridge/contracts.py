"""Contracts for the tests, written where a bridge looks them up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from protocolarc.bridge import AgentDefinition
from tests.bridge.scene import DEFINITION

MESSAGE: list[dict[str, Any]] = [
    {"name": "message.messageId", "type": "string"},
    {"name": "message.role", "type": "string", "enum": ["ROLE_USER"]},
    {"name": "message.parts", "type": "array"},
    {"name": "message.parts[*].text", "type": "string", "required": False},
    {"name": "message.parts[*].data.count", "type": "integer", "required": False},
    {"name": "message.metadata.count", "type": "integer", "required": False},
    {"name": "message.metadata.unit", "type": ["string", "null"], "required": False, "enum": ["m", "km", None]},
]


def contract(name: str, fields: list[dict[str, Any]], *, revision: str = "1.0.0", strict: bool = True) -> bytes:
    """Return a contract document."""
    document = {"name": name, "revision": revision, "kind": "a2a", "strict": strict, "fields": fields}
    return json.dumps(document).encode()


def rpc_contract() -> bytes:
    """Return the contract of a JSON-RPC body that sends a message."""
    fields = [{**field, "name": f"params.{field['name']}"} for field in MESSAGE]
    head: list[dict[str, Any]] = [
        {"name": "jsonrpc", "type": "string", "enum": ["2.0"]},
        {"name": "id", "type": ["string", "integer"]},
        {"name": "method", "type": "string", "enum": ["SendMessage", "SendStreamingMessage"]},
    ]
    return contract("test.send.rpc", [*head, *fields])


def rest_contract() -> bytes:
    """Return the contract of a REST body that sends a message."""
    return contract("test.send.rest", MESSAGE)


def answer_contract(revision: str = "1.0.0") -> bytes:
    """Return the contract of an answer."""
    fields: list[dict[str, Any]] = [
        {"name": "total", "type": "integer"},
        {"name": "unit", "type": "string", "enum": ["m", "km"], "required": False},
    ]
    return contract("test.answer", fields, revision=revision)


def judged(folder: Path, *, answers: bool = False) -> AgentDefinition:
    """Return a definition whose contracts are files of a folder."""
    files = {"rpc.json": rpc_contract(), "rest.json": rest_contract(), "answer.json": answer_contract()}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return replace(
        DEFINITION,
        request_contract=str(folder / "rpc.json"),
        rest_contract=str(folder / "rest.json"),
        artifact_contract=str(folder / "answer.json") if answers else None,
    )
