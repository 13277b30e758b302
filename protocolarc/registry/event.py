"""The event file of GitHub: what a workflow run is about. Whoever starts the tool may have written it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from protocolarc.gitstore.plumbing import GitError, object_id


class Event(NamedTuple):
    """What an event file says, and where it is. Members are named by the keys that lead to them."""

    path: str
    content: object

    def member(self, *keys: str) -> Any:  # noqa: ANN401  # whatever the event says
        """Return a member; ``None`` where there is none."""
        value = self.content
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def text(self, *keys: str) -> str:
        """Return a member that is text; nothing where there is none.

        Raises:
            GitError: it is something else.
        """
        value = self.member(*keys)
        if value is not None and not isinstance(value, str):
            raise self._useless(f"{'.'.join(keys)} is no text")
        return value or ""

    def commit(self, *keys: str) -> str:
        """Return a member that is the full id of a commit; nothing where there is none.

        Raises:
            GitError: it is something else.
        """
        value = self.member(*keys)
        if value is None or value == "":
            return ""
        if not isinstance(value, str) or object_id(value) is None:
            raise self._useless(f"{'.'.join(keys)} is no id of a commit")
        return value

    def needed_commit(self, *keys: str) -> str:
        """Return a member that is the full id of a commit.

        Raises:
            GitError: there is none, or it is something else.
        """
        if not (value := self.commit(*keys)):
            raise self._useless(f"it has no {'.'.join(keys)}")
        return value

    def _useless(self, why: str) -> GitError:
        return GitError(f"{_named(self.path)} cannot be used: {why}")


def read_event(path: str) -> Event:
    """Read the event file at a path. Without a path there is none, and it says nothing.

    Raises:
        GitError: it cannot be read, or is no JSON.
    """
    if not path:
        return Event(path, {})
    try:
        with open(path, "rb") as stream:
            return Event(path, json.load(stream))
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else f"no JSON, {error}"
        raise GitError(f"{_named(path)} cannot be read: {why}") from None


def _named(path: str) -> str:
    return f"the event file that GITHUB_EVENT_PATH {f'names, {path},' if path else 'should name'}"
