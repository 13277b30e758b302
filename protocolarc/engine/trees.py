"""The trees of two revisions of a contract, and where in them their fields differ."""

from __future__ import annotations

from operator import eq

from protocolarc.values.contract import Contract, FieldSpec
from protocolarc.values.jsontype import identity
from protocolarc.values.path import Step
from protocolarc.values.place import View, data_view
from protocolarc.values.record import NamedTuple
from protocolarc.values.tree import Node, build_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

_KEPT, _SMALL = 1024, 100
"""How many trees are kept, and of how many fields at most."""
_trees: dict[int, Tree] = {}

Changed: TypeAlias = "dict[int, set[Step]]"
"""For each node but passages, at or below which a field changed, by its identity: the steps that lead to one."""


class Tree(NamedTuple):
    """The fields of a contract as a tree, each by its identity as well, and what they say of the data itself."""

    fields: tuple[FieldSpec, ...]
    ids: frozenset[int]
    by_id: dict[int, FieldSpec]
    root: Node
    view: View


def tree_of(contract: Contract) -> Tree:
    """Return the tree of a contract. It is kept for a while: a revision is compared with both its neighbours."""
    fields = contract.fields
    kept = _trees.get(id(fields))
    if kept is None or kept.fields is not fields:
        root = build_tree(fields)
        by_id = {id(field) >> 4: field for field in fields}  # addresses end in zeros, which makes slow keys
        kept = Tree(fields, frozenset(by_id), by_id, root, data_view(root))
        if len(fields) <= _SMALL:
            if len(_trees) >= _KEPT:
                _trees.clear()
            _trees[id(fields)] = kept
    return kept


def changed_below(old: Tree, new: Tree) -> Changed:
    """Find the nodes of both trees at or below which there is a field that is not the same in the other.

    They are known by identity: hold the trees while the answer is used.
    """
    found: Changed = {}
    for tree, fields in zip((old, new), _own_fields(old, new), strict=True):
        for field in fields:
            node: Node | None = tree.root
            while node is not None:
                if node.is_passage:
                    node = node.end
                if (steps := found.get(id(node))) is None:
                    steps = found[id(node)] = set()
                if node.depth == len(field.path):
                    break
                step = field.path[node.depth]
                steps.add(step)
                node = node.child(step)
    return found


def _own_fields(old: Tree, new: Tree) -> tuple[list[FieldSpec], list[FieldSpec]]:
    """Return the fields of each revision that the other does not have, or has otherwise.

    A loader gives what is spelled alike as one object, while it remembers it. What is found must not depend on that.
    """
    gone = [old.by_id[key] for key in old.ids - new.ids]
    come = [new.by_id[key] for key in new.ids - old.ids]
    if gone and come:
        before = {field.name: field for field in gone}
        alike = {field.name for field in come if field.name in before and _are_alike(before[field.name], field)}
        gone, come = ([field for field in own if field.name not in alike] for own in (gone, come))
    return gone, come


def _are_alike(one: FieldSpec, other: FieldSpec) -> bool:
    """Tell whether two fields of one path say the same, to the word."""
    if (one.types, one.required, one.doc) != (other.types, other.required, other.doc):
        return False
    if one.enum is None or other.enum is None:
        return one.enum is other.enum
    return len(one.enum) == len(other.enum) and all(map(eq, map(identity, one.enum), map(identity, other.enum)))
