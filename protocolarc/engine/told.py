"""What was told of the fields behind undeclared places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocolarc.values.tree import Node


class Told:
    """Which nodes have a field behind them that was told of an axis.

    Behind a node is its own field or, where none is declared, what is behind the nodes below. Each node is gone
    through once and marked once for an axis, however many places it speaks of.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._above: dict[int, Node | None] = {}
        self._declared: dict[str, list[Node]] = {}
        self._marked: set[tuple[int, str]] = set()
        for node in nodes:
            self._learn(node.end)

    def _learn(self, top: Node) -> None:
        above = self._above
        if id(top) in above:
            return
        pending, above[id(top)] = [top], None
        while pending:
            node = pending.pop()
            if node.field is not None:
                self._declared.setdefault(node.field.name, []).append(node)
                continue
            for child in _below(node):
                if id(child) not in above:
                    pending.append(child)
                above[id(child)] = node

    def add(self, name: str, axis: str) -> None:
        """Mark all nodes that the field of a name is behind."""
        for declared in self._declared.get(name, ()):
            node: Node | None = declared
            while node is not None and (id(node), axis) not in self._marked:
                self._marked.add((id(node), axis))
                node = self._above[id(node)]

    def add_all(self, nodes: Iterable[Node], axis: str) -> None:
        """Mark all nodes that a field behind one of these is behind."""
        pending = [node.end for node in nodes]
        while pending:
            node = pending.pop()
            if node.field is not None:
                self.add(node.field.name, axis)
            else:
                pending += _below(node)

    def is_behind(self, nodes: Iterable[Node], axis: str) -> bool:
        """Tell whether a field behind one of these was told of an axis."""
        return any((id(node.end), axis) in self._marked for node in nodes)


def _below(node: Node) -> Iterator[Node]:
    return (child.end for _, child in node.children())
