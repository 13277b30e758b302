"""What can never be met is an error of the contract, not a riddle for later."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.loader.fields import Declaration, ReadField
from protocolarc.loader.problems import Problems
from protocolarc.values.accepted import atoms_of
from protocolarc.values.contract import FieldSpec
from protocolarc.values.path import Path, Step, Wildcard
from protocolarc.values.place import View, data_view
from protocolarc.values.tree import Node, build_tree

MAX_SPEAKERS = 64
"""Declared paths that may speak about one place (a member and the maps beside it), so that time stays bounded."""


def report_unreachable(fields: list[ReadField], problems: Problems) -> None:
    """Record every field that no document can hold, at its name."""
    if _are_plainly_reachable([item.field for item in fields]):
        return
    places = {item.field.path: item.place for item in fields}
    root = build_tree([item.field for item in fields])
    for path, code, hint in _visit(root, data_view(root), ()):
        place: Declaration = places[path]
        problems.add(place.offset, place.pointer, code, hint)


def _are_plainly_reachable(fields: list[FieldSpec]) -> bool:
    """Tell the common case apart: no maps, and every place above a field admits the container that it needs.

    A place that no field declares admits whichever one it is, as long as it is one.
    """
    declared = {field.path: field for field in fields}
    implied: dict[Path, str] = {}
    for path in declared:
        for end, step in enumerate(path):
            if step is Wildcard.VALUE:
                return False
            needed = "array" if step is Wildcard.ITEM else "object"
            above = declared.get(path[:end])
            if above is None:
                if implied.setdefault(path[:end], needed) != needed:
                    return False
            elif needed not in atoms_of(above.types):
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
