"""What can never be met is an error of the contract, not a riddle for later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from protocolarc.loader.fields import ReadField, needs_of
from protocolarc.loader.problems import Problems
from protocolarc.values.accepted import atoms_of
from protocolarc.values.path import Path, Step, Wildcard
from protocolarc.values.place import View, data_view
from protocolarc.values.remembered import forget
from protocolarc.values.tree import Node, build_tree, common_way

MAX_SPEAKERS = 64
"""Declared paths that may speak about one place (a member and the maps beside it), so that time stays bounded."""

_FEW = 100
"""Long paths that are gone step by step."""


def report_unreachable(fields: Mapping[Path, ReadField], problems: Problems) -> None:
    """Record every field that no document can hold, at its name."""
    if _are_plainly_reachable(fields):
        return
    root = build_tree([item.field for item in fields.values()])
    try:
        for path, code, hint in _visit(root, data_view(root), ()):
            place = fields[path].place
            problems.add(place.offset, place.pointer, code, hint)
    finally:
        forget()


def _are_plainly_reachable(fields: Mapping[Path, ReadField]) -> bool:
    """Tell the common case apart: no maps, and every place above a field admits the container that it needs.

    A place that no field declares admits whichever one it is, as long as it is one. Many long paths are left to the
    tree, which need not go them step by step.
    """
    others = [path for path, item in fields.items() if item.needs is None]
    if len(others) > _FEW:
        return False
    implied: dict[Path, str] = {}
    kept = frozenset[tuple[Path, str]]().union(*[item.needs for item in fields.values() if item.needs is not None])
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
    way = common_way([speaker for speaker, _ in view.nodes])
    if len(way) > 1:  # what is between admits the next step, and no field ends there
        yield from _look(node.on_way(len(way)), view.on_way(way), (*path, *way))
        return
    for step, child in node.children():
        below = (*path, step)
        if view.admits(step):
            yield from _look(child, view.below(step), below)
            continue
        for lost in _declared(child):
            yield lost, "contract.unreachable", _needs(view, step)


def _look(node: Node, reached: View, path: Path) -> Iterator[tuple[Path, str, str]]:
    if len(reached.nodes) > MAX_SPEAKERS:
        for lost in _declared(node):
            yield lost, "contract.path", f"more than {MAX_SPEAKERS} declared paths speak about this place"
        return
    if node.field is not None and reached.values.is_empty:
        yield path, "contract.unreachable", "no value satisfies both this field and the '.*' beside it"
    yield from _visit(node, reached, path)


def _needs(view: View, step: Step) -> str:
    needed = "an array" if step is Wildcard.ITEM else "an object"
    return f"its path needs {needed} where the contract admits only {view.types or 'nothing'}"


def _declared(node: Node) -> Iterator[Path]:
    pending = [node]
    while pending:
        node = pending.pop().end
        if node.field is not None:
            yield node.field.path
        pending += (child for _, child in node.children())
