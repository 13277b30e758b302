"""The public codes: how a task ends that gave no artifact, and the fixed words that the caller reads."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class End(Enum):
    """A terminal state of a task, by its name on the wire."""

    COMPLETED = "TASK_STATE_COMPLETED"
    FAILED = "TASK_STATE_FAILED"
    REJECTED = "TASK_STATE_REJECTED"
    CANCELED = "TASK_STATE_CANCELED"


class Outcome(NamedTuple):
    """How a task ends. The code is stable and for programs, the text fixed and for people and models."""

    end: End
    code: str
    text: str


def _refused(code: str, reason: str) -> Outcome:
    return Outcome(End.REJECTED, code, f"Request refused: {reason}.")


def _failed(code: str, reason: str) -> Outcome:
    return Outcome(End.FAILED, code, f"Request failed, there is no answer: {reason}.")


COMPLETED = Outcome(End.COMPLETED, "completed", "")

NOT_AUTHORISED = _refused("not_authorised", "the caller may not use this agent")
INVALID_ROLE = _refused("invalid_role", "the message is not a user's")
UNSUPPORTED_PART = _refused("unsupported_part", "the agent reads text parts only")
EMPTY_INPUT = _refused("empty_input", "the message holds no text")
INPUT_TOO_LARGE = _refused("input_too_large", "the text is larger than the agent accepts")

RUN_FAILED = _failed("run_failed", "the agent could not do it")
EXECUTION_FAILED = _failed("execution_failed", "an internal fault")
OUTPUT_INVALID = _failed("output_invalid", "the answer cannot be sent as text or JSON")
OUTPUT_TOO_LARGE = _failed("output_too_large", "the answer is larger than may be sent")
OUTPUT_CONTRACT_VIOLATION = _failed("output_contract_violation", "the answer violates its contract")
INTERRUPTED = _failed("interrupted", "the run was interrupted")

CANCELLED = Outcome(End.CANCELED, "cancelled", "Request cancelled, there is no answer.")

OUTCOMES = (
    NOT_AUTHORISED,
    INVALID_ROLE,
    UNSUPPORTED_PART,
    EMPTY_INPUT,
    INPUT_TOO_LARGE,
    RUN_FAILED,
    EXECUTION_FAILED,
    OUTPUT_INVALID,
    OUTPUT_TOO_LARGE,
    OUTPUT_CONTRACT_VIOLATION,
    INTERRUPTED,
    CANCELLED,
)
"""Every way to end without an artifact, in the order of the documentation."""
