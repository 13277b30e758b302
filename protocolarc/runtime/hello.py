"""Who is there: a runtime serves this package only when it is of the same version and profile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from protocolarc.runtime.client import TIMEOUT_SECONDS, Client
from protocolarc.runtime.errors import RuntimeBrokenError, RuntimeMissingError

PROFILE = 1
"""The JSON profile that both implementations follow."""


def connect(command: Sequence[str], version: str, *, timeout: float = TIMEOUT_SECONDS) -> Client:
    """Start ``serve`` and check that it is of this version and profile.

    Raises:
        RuntimeMissingError: it is another version, another profile, or no runtime at all.
    """
    client = Client(command, timeout=timeout)
    try:
        _check(_read(client), version)
    except RuntimeBrokenError as error:
        raise RuntimeMissingError(f"{command[-1]} is not the .NET runtime of ProtocolArc: {error}") from None
    except RuntimeMissingError as error:
        client.close()
        raise RuntimeMissingError(f"{command[-1]} {error}") from None
    return client


def _read(client: Client) -> dict[str, Any]:
    answer = client.hello()
    try:
        told = json.loads(answer.report)
    except ValueError:
        told = None
    if answer.exit_code or not isinstance(told, dict):
        raise RuntimeMissingError("does not say who it is")
    return told


def _check(told: dict[str, Any], version: str) -> None:
    for key, wanted in (("version", version), ("profile", PROFILE)):
        if told.get(key) != wanted:
            raise RuntimeMissingError(f"has {key} {told.get(key)!r}, not {wanted!r}: build it from this checkout")
