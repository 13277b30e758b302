"""What the history of a commit had under a name: every revision that was ever there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protocolarc.gitstore.entries import GITLINK, SYMLINK
from protocolarc.gitstore.history import history
from protocolarc.gitstore.plumbing import Git, missing
from protocolarc.gitstore.snapshot import show_path
from protocolarc.registry.names import may_hold, needles
from protocolarc.registry.refs import Point
from protocolarc.registry.snapshots import parse
from protocolarc.values.contract import Contract
from protocolarc.values.snapshot import Held


def past_revisions(git: Git, point: Point, paths: Sequence[bytes], names: Collection[str]) -> dict[str, list[Held]]:
    """Return, newest first, each distinct document that the history of a point had under the names. Two processes.

    Raises:
        GitError: the history, or an object in it, cannot be read.
    """
    places: dict[str, bytes] = {}
    for step in history(git, paths, str(point.oid), *point.also, full=True):
        for change in step.changes:
            wanted = change.path.endswith(b".json") and change.new_mode not in (SYMLINK, GITLINK)
            if wanted and change.new_oid.strip("0"):
                places.setdefault(change.new_oid, change.path)
    wanted_bytes = needles(names)
    found: dict[str, list[Held]] = {name: [] for name in names}
    for (oid, path), answer in zip(places.items(), git.read_all(places), strict=True):
        if answer is None:
            raise missing(git, oid)
        data = answer.data
        if data is None or not may_hold(data, wanted_bytes):
            continue
        contract = parse(data)
        if isinstance(contract, Contract) and contract.name in found:
            found[contract.name].append(Held(contract, show_path(path), oid))
    return found
