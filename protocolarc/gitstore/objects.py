"""Reading objects: one process answers every question, and may be asked many at once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from protocolarc.gitstore.errors import FSCK, REFETCH, GitError, failure
from protocolarc.gitstore.process import Process
from protocolarc.gitstore.streams import SHORT, take
from protocolarc.values.record import NamedTuple

MAX_BLOB_BYTES = 16 * 1024 * 1024 + 2
"""Largest blob that is read: the limit of a contract document, with its line ending."""

_AHEAD = 50
"""Object ids that are asked for at once."""

_NAME = r"(?!-)[^\0\n\ud800-\udc7f\udd00-\udfff]+"
"""One line that is no option, of characters that a command line can hold."""


def is_name(text: str) -> bool:
    """Tell whether git can be asked for an object by a text, which need not name one."""
    if text.isascii():
        return text != "" and text[0] != "-" and "\0" not in text and "\n" not in text
    return re.fullmatch(_NAME, text) is not None


class Answer(NamedTuple):
    """What ``cat-file`` knows about one object; ``data`` is absent when it is larger than was asked for."""

    oid: str
    kind: str
    size: int
    data: bytes | None


class ObjectReader:
    """Asks ``git cat-file --batch``, which is started for the first question."""

    def __init__(self, start: Callable[[], Process]) -> None:
        self._start = start
        self._batch: Process | None = None
        self._due: list[str] = []  # what was asked for and not read yet, the next one last

    def close(self) -> None:
        """End the process."""
        batch, self._batch, self._due = self._batch, None, []
        if batch is not None:
            batch.close()

    def read(self, name: str, limit: int = MAX_BLOB_BYTES) -> Answer | None:
        """Return an object by its id or by an expression such as ``HEAD^{commit}``; ``None`` when there is none.

        All calls share one process.

        Raises:
            GitError: the name is none, or the object store is damaged.
        """
        self._request((name,))
        return self._answer(limit)

    def read_all(self, names: Iterable[str], limit: int = MAX_BLOB_BYTES) -> Iterator[Answer | None]:
        """Yield what ``read`` returns for each of many names, in order. Read nothing else before the last one.

        Raises:
            GitError: as there.
        """
        pending = iter(names)
        while group := tuple(islice(pending, _AHEAD)):
            self._request(group)
            for _ in group:
                yield self._answer(limit)

    def _request(self, names: Sequence[str]) -> None:
        """Ask for objects. So few that a pipe takes the whole question, however long the answers are."""
        while self._due:  # whoever asked before has seen enough
            self._answer(limit=0)
        for name in names:
            if not is_name(name):
                raise GitError(f"'{name}' is no name that git knows")
        if self._batch is None:
            self._batch = self._start()
        self._due = [*reversed(names)]
        self._batch.write(os.fsencode("".join(f"{name}\n" for name in names)))

    def _answer(self, limit: int) -> Answer | None:
        batch, name = self._batch, self._due.pop()
        assert batch is not None  # noqa: S101  # for the type checker
        head = batch.stdout.readline()
        words = head.decode("ascii", "replace").rstrip("\n").rsplit(" ", 2)
        if not head:
            raise self._broken(batch, name)
        if words[-1] in ("missing", "ambiguous"):
            return None
        oid, kind, length = words
        data = take(batch.stdout, int(length), limit)
        if data is SHORT:
            raise self._broken(batch, name)
        return Answer(oid, kind, int(length), data)

    def _broken(self, batch: Process, name: str) -> GitError:
        """Say why the reader of objects ended in the middle of an answer."""
        self.close()
        said = failure("cat-file", batch.reasons())
        hint = said.hint if said.hint == REFETCH else "" if "@{" in name else FSCK  # a reflog or an upstream
        return GitError(f"object {name} cannot be read: {said.reason}", hint)
