"""How deep JSON in a message may be nested: as deep as every answer that it will stand in can hold it."""

from __future__ import annotations

from a2a.types import Artifact, ListTasksResponse, Message
from google.protobuf.message import DecodeError, EncodeError


def fits(*, message: Message | None = None, artifact: Artifact | None = None) -> bool:
    """Tell whether a message or an artifact survives the deepest place that it gets into, a list of tasks.

    Protobuf reads at most a hundred messages inside one another, and copies by writing and reading. JSON of 30 levels
    always fits: an object takes three of its own, an array two.
    """
    try:
        page = ListTasksResponse()
        task = page.tasks.add()
        if message is not None:
            task.history.append(message)
        if artifact is not None:
            task.artifacts.append(artifact)
        ListTasksResponse.FromString(page.SerializeToString())
    except (DecodeError, EncodeError):
        return False
    return True
