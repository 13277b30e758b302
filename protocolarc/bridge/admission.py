"""Which messages reach the runner: a user's text, not blank, not too large (A2A parts hold more than text)."""

from __future__ import annotations

from a2a.types import Message, Role

from protocolarc.bridge import codes
from protocolarc.bridge.codes import Outcome
from protocolarc.bridge.definition import AgentDefinition
from protocolarc.bridge.identity import Principal

SEPARATOR = "\n"
"""What stands between the parts of one message, as in the SDK's own ``get_user_input``."""


def admit_caller(principal: Principal | None, definition: AgentDefinition) -> Outcome | None:
    """Return why a caller may not send to this agent, or nothing."""
    if principal is None or principal.expired() or not definition.required_scopes <= principal.scopes:
        return codes.NOT_AUTHORISED
    return None


def read_text(message: Message | None, max_bytes: int) -> str | Outcome:
    """Return the text of a message, its parts joined, or why it is refused. The limit is in bytes of UTF-8."""
    if message is None or not message.parts:
        return codes.EMPTY_INPUT
    if message.role != Role.ROLE_USER:
        return codes.INVALID_ROLE
    if any(part.WhichOneof("content") != "text" for part in message.parts):
        return codes.UNSUPPORTED_PART
    text = SEPARATOR.join(part.text for part in message.parts)
    if len(text) > max_bytes or len(text.encode("utf-8")) > max_bytes:
        return codes.INPUT_TOO_LARGE
    return text if text.strip() else codes.EMPTY_INPUT
