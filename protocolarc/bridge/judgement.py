"""What the gate found in a message that it let pass, and how the rest of the bridge learns of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from protocolarc.bridge.contracts import Pinned
from protocolarc.values.finding import Finding

if TYPE_CHECKING:
    from a2a.server.context import ServerCallContext

JUDGEMENT_KEY = "protocolarc.judgement"
"""Where the ASGI scope, then the state of the call context, hold it."""


class Judgement(NamedTuple):
    """The contract that a message keeps, if there is one to keep, and what was found: warnings at most."""

    contract: Pinned | None
    findings: tuple[Finding, ...] = ()


def judgement_of(context: ServerCallContext) -> Judgement | None:
    """Return what the gate found in the message of a call; of one that came past it, nothing."""
    found = context.state.get(JUDGEMENT_KEY)
    return found if isinstance(found, Judgement) else None
