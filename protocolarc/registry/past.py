"""What the history of a commit had under a name: every revision that was ever there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from protocolarc.gitstore.plumbing import Git, missing
from protocolarc.gitstore.snapshot import show_path
from protocolarc.registry.documents import leaves_document
from protocolarc.registry.names import may_hold, needles
from protocolarc.registry.refs import Point
from protocolarc.registry.snapshots import parse
from protocolarc.registry.walk import registry_history
from protocolarc.values.contract import Contract
from protocolarc.values.snapshot import Held


def past_revisions(git: Git, point: Point, paths: Sequence[bytes], names: Collection[str]) -> dict[str, list[Held]]:
    """Return, newest first, each distinct document that the history of a point had under the names, in any folder.

    Two processes; see ``registry_history``.

    A branch may go on changing a revision until it is merged, and nobody has its drafts: of a revision that the line
    of the first parents had, what that line had of it counts, which takes one process more to know.

    Raises:
        GitError: the history, or an object in it, cannot be read.
    """
    places: dict[str, bytes] = {}
    brought: dict[str, list[str]] = {}
    commits, _ = registry_history(git, paths, str(point.oid), *point.also, full=True)
    for step in commits:
        for change in step.changes:
            if leaves_document(change):
                places.setdefault(change.new_oid, change.path)
                brought.setdefault(change.new_oid, []).append(step.oid)
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
    return _without_drafts(git, point, found, brought)


def _without_drafts(
    git: Git, point: Point, found: dict[str, list[Held]], brought: Mapping[str, Sequence[str]]
) -> dict[str, list[Held]]:
    """Leave out what only merged branches had of a revision that the first parents have."""
    if all(len(held) == len(_by_revision(held)) for held in found.values()):
        return found
    words = ("--first-parent", "--end-of-options", str(point.oid), *point.also, "--")
    line = frozenset(git.run("rev-list", *words).decode("ascii").split())
    drafts: set[str] = set()
    for same in (group for documents in found.values() for group in _by_revision(documents)):
        aside = {held.oid for held in same if line.isdisjoint(brought[held.oid])}
        if len(aside) < len(same):
            drafts |= aside
    return {name: [held for held in documents if held.oid not in drafts] for name, documents in found.items()}


def _by_revision(documents: Sequence[Held]) -> list[list[Held]]:
    groups: dict[object, list[Held]] = {}
    for held in documents:
        groups.setdefault(held.contract.revision.precedence, []).append(held)
    return list(groups.values())
