"""Reading what commits left at their paths: each document once, for as long as it is likely to come back."""

from __future__ import annotations

from collections.abc import Iterable

from protocolarc.gitstore.entries import GITLINK, SYMLINK, RawChange
from protocolarc.gitstore.history import Commit
from protocolarc.gitstore.plumbing import Git, missing
from protocolarc.registry.names import may_hold, needles
from protocolarc.registry.snapshots import parse
from protocolarc.values.contract import Contract

_REMEMBERED = 4096
"""Documents that are kept after the trees that held them are gone."""


class Reader:
    """Parses documents by object id. What is no contract, over the size limit, or not the wanted one is ``None``.

    The last ones are remembered, so that memory stays bounded: a revert or a cherry-pick brings an object back soon.
    """

    def __init__(self, git: Git, only: str | None = None) -> None:
        self._git = git
        self._needles = None if only is None else needles((only,))
        self._known: dict[str, Contract | None] = {}

    def look_ahead(self, commits: Iterable[Commit]) -> None:
        """Read what some commits left at their paths, all at once.

        Raises:
            GitError: an object cannot be read.
        """
        if len(self._known) > _REMEMBERED:
            self._known = dict(list(self._known.items())[-_REMEMBERED // 2 :])
        wanted = {change.new_oid: None for commit in commits for change in commit.changes if leaves_document(change)}
        oids = [oid for oid in wanted if oid not in self._known]
        for oid, answer in zip(oids, self._git.read_all(oids), strict=True):
            if answer is None:
                raise missing(self._git, oid)
            data = answer.data
            if data is not None and self._needles is not None and not may_hold(data, self._needles):
                data = None
            found = None if data is None else parse(data)
            self._known[oid] = found if isinstance(found, Contract) else None

    def after(self, change: RawChange) -> Contract | None:
        """Return the contract that a change left at its path, or ``None``, once it was looked at ahead."""
        return self._known[change.new_oid] if leaves_document(change) else None


def leaves_document(change: RawChange) -> bool:
    """Tell whether a change leaves a file that may be a contract: not nothing, a link or a submodule."""
    return change.path.endswith(b".json") and change.new_mode not in (SYMLINK, GITLINK, "000000")
