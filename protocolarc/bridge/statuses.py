"""The status of a task, and the message of one that ends without an answer."""

from __future__ import annotations

import uuid

from a2a.types import Message, Part, Role, Task, TaskState, TaskStatus

from protocolarc.bridge import codes
from protocolarc.bridge.codes import Outcome

METADATA_KEY = "protocolarc"
"""Where the metadata of a status message holds the code."""

_UNSAID = {TaskState.TASK_STATE_FAILED: codes.EXECUTION_FAILED, TaskState.TASK_STATE_CANCELED: codes.CANCELLED}
"""What the SDK means by an end that it writes itself, when it can have none from the run."""


def status(state: TaskState) -> TaskStatus:
    """Return a status that begins now."""
    made = TaskStatus(state=state)
    made.timestamp.GetCurrentTime()
    return made


def end_status(outcome: Outcome, task_id: str, context_id: str, detail: str = "") -> TaskStatus:
    """Return the last status of a task: its state, and for one without an answer the code and the fixed text."""
    made = status(TaskState.Value(outcome.end.value))
    if outcome.text:
        made.message.CopyFrom(_message(outcome, task_id, context_id, detail))
    return made


def explain_end(task: Task) -> None:
    """Give an end that the SDK has written the code and the text of its kind; any other status has what it needs."""
    outcome = _UNSAID.get(task.status.state)
    if outcome is not None and not task.status.HasField("message"):
        task.status.message.CopyFrom(_message(outcome, task.id, task.context_id))


def _message(outcome: Outcome, task_id: str, context_id: str, detail: str = "") -> Message:
    message = Message(
        message_id=str(uuid.uuid4()),
        task_id=task_id,
        context_id=context_id,
        role=Role.ROLE_AGENT,
        parts=[Part(text=outcome.text)],
    )
    message.metadata[METADATA_KEY] = {"code": outcome.code} | ({"detail": detail} if detail else {})
    return message
