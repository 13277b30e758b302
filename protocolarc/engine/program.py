"""A contract compiled for validation: its tree of places, each with the checks that apply there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from protocolarc.rules.validation import RULES
from protocolarc.rules.validation.kinds import MissingRule, ValueCheck, ValueRule
from protocolarc.values.contract import Contract
from protocolarc.values.finding import Severity
from protocolarc.values.jsontype import Value
from protocolarc.values.number import Number
from protocolarc.values.path import Instance, Wildcard
from protocolarc.values.tree import Node, build_tree

_CLASSES: frozenset[type] = frozenset({str, int, Number, bool, dict, list, type(None)})


class Hit(NamedTuple):
    """A finding before it is placed and sorted: which rule, on which declared path, at which instance."""

    rule: str
    severity: Severity
    declared: str
    instance: Instance
    message: str


class CompiledPlace:
    """A node of the tree with its rules compiled.

    ``demands`` is true where absence is a finding; ``sure`` holds the classes of values that need no test;
    ``table`` is what ``passes`` needs of each member, in one row.
    """

    __slots__ = (
        "absences",
        "checks",
        "declared",
        "demands",
        "each_item",
        "each_value",
        "is_leaf",
        "members",
        "name",
        "sure",
        "table",
        "tests",
    )

    def __init__(self, node: Node) -> None:
        field = node.field
        self.declared = field is not None
        self.name = "" if field is None else field.name
        self.checks: tuple[tuple[ValueRule, ValueCheck], ...] = ()
        self.absences: tuple[tuple[MissingRule, str], ...] = ()
        if field is not None:
            self.checks = tuple(
                (rule, check) for rule in RULES if isinstance(rule, ValueRule) and (check := rule.compile(field))
            )
            self.absences = tuple(
                (rule, text) for rule in RULES if isinstance(rule, MissingRule) and (text := rule.compile(field))
            )
        self.tests = tuple(check for _, check in self.checks)
        self.sure = frozenset(_CLASSES)
        if field is not None:
            self.sure = self.sure.intersection(*(rule.passing(field) for rule, _ in self.checks))
        self.members = tuple((key, CompiledPlace(child)) for key, child in node.members())
        item, value = node.child(Wildcard.ITEM), node.child(Wildcard.VALUE)
        self.each_item = None if item is None else CompiledPlace(item)
        self.each_value = None if value is None else CompiledPlace(value)
        self.is_leaf = not node.below
        self.table = tuple(
            (key, child.sure, child.tests, None if child.is_leaf else child, child.demands)
            for key, child in self.members
        )
        self.demands: bool = bool(self.absences) if self.declared else any(child.demands for _, child in self.members)


def compile_places(contract: Contract) -> CompiledPlace:
    """Compile the places of a contract; the data object itself counts as declared."""
    root = CompiledPlace(build_tree(contract.fields))
    root.declared = True
    return root


def passes(place: CompiledPlace, value: Value) -> bool:
    """Tell whether a present value and all below it are without a finding. The fast twin of ``trace``."""
    if type(value) not in place.sure:
        for test in place.tests:
            if test(value) is not None:
                return False
    return place.is_leaf or _passes_below(place, value)


def _passes_below(place: CompiledPlace, value: Value) -> bool:
    if type(value) is dict:
        for key, sure, tests, below, demands in place.table:
            if key in value:
                item = value[key]
                if type(item) not in sure:  # as in ``passes``, without a call for each scalar
                    for test in tests:
                        if test(item) is not None:
                            return False
                if below is not None and not _passes_below(below, item):
                    return False
            elif demands:
                return False
        each = place.each_value
        return each is None or all(passes(each, item) for item in value.values())
    if not place.declared and place.demands:
        return False
    each = place.each_item
    return each is None or type(value) is not list or all(passes(each, item) for item in value)


def trace(place: CompiledPlace, value: Value, at: Instance) -> Iterator[Hit]:
    """Yield every finding about a present value and all below it; per declared path in document order."""
    for rule, check in place.checks:
        message = check(value)
        if message is not None:
            yield Hit(rule.entry.id, rule.severity, place.name, at, message)
            if rule.decisive:
                break
    if isinstance(value, dict):
        yield from _trace_members(place, value, at)
        return
    if not place.declared:  # an undeclared container counts as an object; what is none lacks its members
        yield from _trace_members(place, {}, at)
    if place.each_item is not None and isinstance(value, list):
        for index, item in enumerate(value):
            yield from trace(place.each_item, item, (*at, index))


def _trace_members(place: CompiledPlace, members: dict[str, Value], at: Instance) -> Iterator[Hit]:
    for key, member in place.members:
        if key in members:
            if not (member.is_leaf and type(members[key]) in member.sure):
                yield from trace(member, members[key], (*at, key))
        else:
            yield from _trace_missing(member, (*at, key))
    if place.each_value is not None:
        for key, item in members.items():
            yield from trace(place.each_value, item, (*at, key))


def _trace_missing(place: CompiledPlace, at: Instance) -> Iterator[Hit]:
    if place.declared:
        for rule, message in place.absences:
            yield Hit(rule.entry.id, rule.severity, place.name, at, message)
    elif place.demands:
        for key, member in place.members:
            yield from _trace_missing(member, (*at, key))
