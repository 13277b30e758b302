"""What an agent is to the bridge: its name, its contracts, and who may use it."""

from __future__ import annotations

import math
from dataclasses import dataclass

RESOLVE_TIMEOUT_SECONDS = 5.0
"""How long the resolver of identities may take, unless the definition says otherwise."""


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """One agent. Its contracts are named as everywhere: a file, or ``NAME``, ``NAME@REVISION``, ``REF:PATH``.

    ``request_contract`` describes the whole body of a JSON-RPC request that sends a message, ``rest_contract`` that
    of a REST request; where only one is given the other binding takes no messages. ``artifact_contract`` describes what
    the runner returns. ``required_scopes`` are those that a principal needs for sending.

    Raises:
        ValueError: name or version is blank, the scopes are one text, or the timeout is no positive number.
    """

    name: str
    version: str
    description: str = ""
    request_contract: str | None = None
    artifact_contract: str | None = None
    rest_contract: str | None = None
    required_scopes: frozenset[str] = frozenset()
    resolve_timeout_seconds: float = RESOLVE_TIMEOUT_SECONDS

    def __post_init__(self) -> None:
        if not self.name.strip() or not self.version.strip():
            raise ValueError("an agent has a name and a version")
        if isinstance(self.required_scopes, str):
            raise ValueError("the scopes of an agent are a set of texts")  # noqa: TRY004  # one kind of error here
        object.__setattr__(self, "required_scopes", frozenset(self.required_scopes))
        check_seconds("resolve_timeout_seconds", self.resolve_timeout_seconds)


def check_seconds(name: str, value: float) -> None:
    """Refuse a time that is no positive finite number.

    Raises:
        ValueError: it is none.
    """
    if not (type(value) in (int, float) and math.isfinite(value) and value > 0):
        raise ValueError(f"{name} is a positive number of seconds")
