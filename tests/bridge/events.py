"""What a client can see of a task, in the few words that tests compare."""

from __future__ import annotations

from collections.abc import Iterable

from a2a.types import Artifact, StreamResponse, Task, TaskState, TaskStatus
from google.protobuf.json_format import MessageToDict

TERMINAL = ("COMPLETED", "FAILED", "CANCELED", "REJECTED")


def state(status: TaskStatus) -> str:
    """Return the short name of a state."""
    return str(TaskState.Name(status.state).removeprefix("TASK_STATE_"))


def story(events: Iterable[StreamResponse]) -> list[str]:
    """Return the states and artifacts in the order they came."""
    lines = []
    for event in events:
        match event.WhichOneof("payload"):
            case "task":
                lines.append(state(event.task.status))
            case "status_update":
                lines.append(state(event.status_update.status))
            case other:
                lines.append(str(other))
    return lines


def artifacts(events: Iterable[StreamResponse]) -> list[Artifact]:
    """Return what was sent as artifacts."""
    return [event.artifact_update.artifact for event in events if event.HasField("artifact_update")]


def code(task: Task) -> str:
    """Return the public code of a task that did not complete."""
    return str(MessageToDict(task.status.message.metadata).get("protocolarc", {}).get("code", ""))
