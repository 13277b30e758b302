"""Sets of accepted values against the validator's own rules, over every combination of types and enums."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from protocolarc.rules.validation import field_enum, field_type
from protocolarc.values.accepted import accepted, atoms_of, types_of
from protocolarc.values.contract import FieldSpec
from protocolarc.values.jsontype import TYPES, Scalar, Value
from protocolarc.values.number import Number

VALUES: tuple[Value, ...] = ("x", "fresh", 1, Number("1.0"), 7, Number("0.5"), Number("2.5"), True, False, None, {}, [])
ENUMS: tuple[tuple[Scalar, ...] | None, ...] = (
    None, ("x",), ("x", 1), (1, Number("0.5")), (True,), (True, False), (None,), (True, False, None, "x"),
)  # fmt: skip
LISTS = [types for count in (1, 2, 3) for types in combinations(TYPES, count)]


@cache
def admitted(types: tuple[str, ...], enum: tuple[Scalar, ...] | None) -> frozenset[int]:
    """Return which of the values pass the rules."""
    field = FieldSpec("a", ("a",), types, enum=enum)
    checks = [check for rule in (field_type, field_enum) if (check := rule.compile_check(field)) is not None]
    return frozenset(number for number, value in enumerate(VALUES) if all(check(value) is None for check in checks))


@pytest.mark.parametrize("enum", ENUMS)
def test_inclusion_is_that_of_the_values_that_pass(enum: tuple[Scalar, ...] | None) -> None:
    sets = {(types, other): accepted(atoms_of(types), other) for types in LISTS for other in ENUMS}
    for left in LISTS:
        for (right, other), values in sets.items():
            contains = values.contains(sets[left, enum])
            assert contains == (admitted(left, enum) <= admitted(right, other)), (left, enum, right, other)


@pytest.mark.parametrize("types", LISTS)
def test_types_are_named_by_the_fewest_that_mean_the_same(types: tuple[str, ...]) -> None:
    named = types_of(atoms_of(types)).split("|")
    assert atoms_of(named) == atoms_of(types)
    assert len(named) <= len(types)
