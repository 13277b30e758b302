"""What can never be met is an error of the contract, not a riddle for later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from protocolarc.loader.fields import ReadField, needs_of
from protocolarc.loader.problems import Problems
from protocolarc.values.accepted import atoms_of
from protocolarc.values.path import Path, Step, Wildcard
from protocolarc.values.place import View, data_view
from protocolarc.values.tree import Node, build_tree

MAX_SPEAKERS = 64
"""Declared paths that may speak about one place (a member and the maps beside it), so that time stays bounded."""


def report_unreachable(fields: Mapping[Path, ReadField], problems: Problems) -> None:
    """Record every field that no document can hold, at its name."""
    if _are_plainly_reachable(fields):
        return
    root = build_tree([item.field for item in fields.values()])
    for path, code, hint in _visit(root, data_view(root), ()):
        place = fields[path].place
        problems.add(place.offset, place.pointer, code, hint)


def _are_plainly_reachable(fields: Mapping[Path, ReadField]) -> bool:
    """Tell the common case apart: no maps, and every place above a field admits the container that it needs.

    A place that no field declares admits whichever one it is, as long as it is one.
    """
    implied: dict[Path, str] = {}
    kept = frozenset[tuple[Path, str]]().union(*[item.needs for item in fields.values() if item.needs is not None])
    others = [path for path, item in fields.items() if item.needs is None]
    for path, container in chain(kept, *map(needs_of, others)):
        above = fields.get(path)
        if container == "map":
            return False
        if above is None:
            if implied.setdefault(path, container) != container:
                return False
        elif container not in atoms_of(above.field.types):
            return False
    return True


def _visit(node: Node, view: View, path: Path) -> Iterator[tuple[Path, str, str]]:
    for step, child in node.children():
        below = (*path, step)
        if not view.admits(step):
            for lost in _declared(child, below):
                yield lost, "contract.unreachable", _needs(view, step)
            continue
        reached = view.below(step)
        if len(reached.nodes) > MAX_SPEAKERS:
            for lost in _declared(child, below):
                yield lost, "contract.path", f"more than {MAX_SPEAKERS} declared paths speak about this place"
            continue
        if child.field is not None and reached.values.is_empty:
            yield below, "contract.unreachable", "no value satisfies both this field and the '.*' beside it"
        yield from _visit(child, reached, below)


def _needs(view: View, step: Step) -> str:
    needed = "an array" if step is Wildcard.ITEM else "an object"
    return f"its path needs {needed} where the contract admits only {view.types or 'nothing'}"


def _declared(node: Node, path: Path) -> Iterator[Path]:
    if node.field is not None:
        yield path
    for step, child in node.children():
        yield from _declared(child, (*path, step))
