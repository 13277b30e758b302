"""Whose a stored task is: the partition that a store keeps it in, and the mark on the task itself."""

from __future__ import annotations

from a2a.auth.user import User
from a2a.server.context import ServerCallContext
from a2a.server.owner_resolver import resolve_user_scope
from a2a.server.tasks import TaskStore
from a2a.types import Task

OWNER_KEY = "protocolarc.owner"
"""Where a stored task says whose it is, so that a store with one partition for all separates owners, too."""


class _Owner(User):
    """The owner of a task, as a store's default owner resolver reads it."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def user_name(self) -> str:
        return self._name


def owner_context(owner: str) -> ServerCallContext:
    """Return the context under which a store keeps the tasks of an owner: a user of that name, and nothing else."""
    return ServerCallContext(user=_Owner(owner))


def keeps_owners_apart(store: TaskStore) -> bool | None:
    """Tell whether a store of the SDK has a partition for every user; of any other store nobody knows."""
    resolver = getattr(getattr(store, "_impl", store), "owner_resolver", None)
    return None if resolver is None else resolver is resolve_user_scope


def mark(task: Task, owner: str) -> Task:
    """Return a task as it is stored: a copy that says whose it is."""
    copy = Task()
    copy.CopyFrom(task)
    copy.metadata[OWNER_KEY] = owner
    return copy


def marked(task: Task) -> str | None:
    """Return whose a stored task is; of one that no bridge wrote, nothing."""
    return str(task.metadata[OWNER_KEY]) if OWNER_KEY in task.metadata else None


def unmark(task: Task, owner: str) -> Task | None:
    """Return a stored task as its owner sees it, a copy; for another owner nothing."""
    if marked(task) != owner:
        return None
    copy = Task()
    copy.CopyFrom(task)
    del copy.metadata[OWNER_KEY]
    if not copy.metadata.fields:
        copy.ClearField("metadata")
    return copy
