"""Looking up revisions by name and precedence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from protocolarc.values.record import NamedTuple
from protocolarc.values.revision import Revision, computed_revision
from protocolarc.values.snapshot import Held, Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Revisions: TypeAlias = "list[Held]"
"""The revisions of one contract, ascending."""
Index: TypeAlias = Mapping[str, Revisions]


def index_by_name(snapshot: Snapshot) -> Index:
    """Group the contracts of a snapshot by name: names in order, revisions ascending."""
    found: dict[str, Revisions] = {}
    for held in snapshot.contracts:
        found.setdefault(held.contract.name, []).append(held)
    return {name: in_order(found[name]) for name in sorted(found)}


def in_order(revisions: Iterable[Held]) -> Revisions:
    """Sort revisions, ascending; those of equal precedence by their text, then path."""
    return sorted(
        revisions, key=lambda held: (held.contract.revision.precedence, held.contract.revision.text, held.path)
    )


def of_precedence(revisions: Iterable[Held], held: Held) -> Revisions:
    """Return those that are the same revision, build metadata aside."""
    wanted = held.contract.revision.precedence
    return [other for other in revisions if other.contract.revision.precedence == wanted]


def highest(revisions: Revisions) -> Held:
    """Return the highest of at least one revision."""
    return revisions[-1]


def predecessor(held: Held, revisions: Sequence[Held], published: Sequence[Held]) -> Held | None:
    """Return the highest stable revision below one; what is published speaks first for a number that both have."""
    mine = held.contract.revision.precedence
    found: Held | None = None
    for other in (*revisions, *published):
        revision = other.contract.revision
        if revision.prerelease or revision.precedence >= mine:
            continue
        if found is None or revision.precedence >= found.contract.revision.precedence:
            found = other
    return found


def renumbered(held: Held, text: str) -> Held:
    """Return what a file would hold under another number."""
    document = {**held.contract.document, "revision": text}
    return held._replace(contract=held.contract._replace(revision=computed_revision(text), document=document), oid="")


def comes_back(held: Held, old: Held) -> bool:
    """Tell whether a file holds what an earlier revision was, but for the number."""
    return renumbered(held, old.contract.revision.text).same_content(old)


class Around(NamedTuple):
    """The other revisions of a name: those of its head, published ones, and those of the history."""

    revisions: Revisions
    published: Revisions
    history: Sequence[Held]
    transitive: bool

    @property
    def others(self) -> Sequence[Held]:
        """All of them."""
        return (*self.history, *self.published, *self.revisions)

    def before(self, held: Held, revisions: Revisions) -> Held | None:
        """Return what a revision follows, here or as published.

        In one file a pre-release takes the place of the stable revision before it, which is in the history then. A
        name that is published nowhere begins anew, but for the chain.
        """
        found = predecessor(held, revisions, self.published)
        if found is None and self.published and self.transitive:
            found = predecessor(held, [], self.history[::-1])
        return found

    def beside(self, held: Held) -> Revisions:
        """Return what the other files of the head hold."""
        return [other for other in self.revisions if other.path != held.path]

    def above(self, held: Held, floor: Revision) -> Revisions:
        """Return what has, or had, a number above another one, unless it would come back as it was.

        A stable revision passes pre-releases over.
        """

        def counts(other: Held) -> bool:
            revision = other.contract.revision
            is_stable = not revision.prerelease
            return revision.precedence > floor.precedence and (is_stable or bool(held.contract.revision.prerelease))

        past = (old for old in filter(counts, self.history) if not comes_back(held, old))
        known = [*past, *filter(counts, self.beside(held)), *filter(counts, self.published)]
        higher = {other.contract.revision.precedence: other for other in known}
        return [higher[number] for number in sorted(higher)]

    def top(self, held: Held) -> Held | None:
        """Return the highest published revision where no other file reaches it: then this one must not be lower."""
        if not self.published:
            return None
        top, beside = highest(self.published), self.beside(held)
        is_reached = beside and highest(beside).contract.revision.precedence >= top.contract.revision.precedence
        return None if is_reached else top
