"""The table of change kinds, row by row, and the rules about places."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from protocolarc.engine import places
from protocolarc.engine.diff import NamesDifferError, diff_contracts
from protocolarc.engine.places import TooManyPlacesError
from protocolarc.loader import fields as loader
from protocolarc.rules.catalogue import catalogue
from protocolarc.values.change import Impact
from tests.support.notation import contract


def lines(old: str, new: str, side: str = "request", **more: Any) -> list[str]:
    """Return the changes as ``impact axes kind field: detail``."""
    diff = diff_contracts(contract(old, side=side), contract(new, side=side, **more))
    return [
        f"{change.impact.label[0]}{'r' * change.receives}{'s' * change.sends} "
        f"{change.kind} {change.field}: {change.detail}"
        for change in diff.changes
    ]


KINDS = [
    # old, new, lines for side request (b, f or c for the impact, then the axes that break)
    ("", "a: string", ["br field.added.required a: added string"]),
    ("x: any", "x: any; a: string", ["br field.added.required a: added string"]),
    ("x: any", "x: any; a: integer opt", ["f field.added.optional a: added integer"]),
    ("", "a: any opt", ["f field.added.optional a: added any"]),
    ("", "a: string opt", ["br field.added.in_free a: added string"]),
    ("x: any; a: string", "x: any", ["bs field.removed.required a: removed string"]),
    ("x: any; a: string opt", "x: any", ["f field.removed.optional a: removed string"]),
    ("a: string opt", "", ["fs field.removed.to_free a: removed string"]),
    ("a: any opt", "", ["f field.removed.optional a: removed any"]),
    ("a: string|integer", "a: string", ["br field.type.narrowed a: string|integer -> string"]),
    ("a: string", "a: string|integer", ["fs field.type.widened a: string -> string|integer"]),
    ("a: string", "a: integer", ["brs field.type.changed a: string -> integer"]),
    ("a: number", "a: integer", ["br field.type.narrowed a: number -> integer"]),
    ("a: any", "a: string", ["br field.type.narrowed a: any -> string"]),
    ("a: string|null", "a: string", ["br field.null.dropped a: string|null -> string"]),
    ("a: string", "a: string|null", ["fs field.null.added a: string -> string|null"]),
    ("a: any opt", "a: any", ["br field.required.tightened a: optional -> required"]),
    ("a: any", "a: any opt", ["fs field.required.relaxed a: required -> optional"]),
    ('a: string ["x", "y"]', 'a: string ["x"]', ["br field.enum.restricted a: removed {'y'}"]),
    ('a: string ["x"]', 'a: string ["x", "z"]', ["fs field.enum.expanded a: added {'z'}"]),
    ('a: string ["x", "y"]', 'a: string ["x", "z"]', ["brs field.enum.changed a: removed {'y'}, added {'z'}"]),
    ("a: string", 'a: string ["x", "y"]', ["br field.enum.added a: added {'x', 'y'}"]),
    ('a: string ["x", "y"]', "a: string", ["fs field.enum.removed a: removed {'x', 'y'}"]),
    ("p.x: any", "p: object; p.x: any", ["c field.declared p: declared object"]),
    ("p: object; p.x: any", "p.x: any", ["c field.undeclared p: undeclared object"]),
    ("a: any; b: any", "b: any; a: any", ["c field.order @contract: order changed"]),
    ("a: string|null", "a: null|string", ["c contract.spelling @contract: same meaning"]),
    ("a.b: any", "['a']['b']: any", ["c contract.spelling @contract: same meaning"]),
    ("a: any", "a: any", []),
]


@pytest.mark.parametrize(("old", "new", "expected"), KINDS)
def test_a_row_of_the_table_for_requests(old: str, new: str, expected: list[str]) -> None:
    assert lines(old, new) == expected


PLACES = [
    # an implied container is an object, and required when what is below it is
    ("a.b: object opt; a.b.c: string", "a: object; a.b: object opt; a.b.c: string",
     ["br field.required.tightened a: optional -> required", "br field.type.narrowed a: any -> object"]),
    ("p.x: string", "p: object opt; p.x: string", ["fs field.required.relaxed p: required -> optional"]),
    # free content
    ("", 'a: any opt ["x"]', ["br field.added.in_free a: added any"]),
    ("a: object", "a: object; a.b: any opt; a.b.c: string opt",
     ["br field.added.in_free a.b.c: added string", "f field.added.optional a.b: added any"]),
    ("a: array", "a: array; a[*]: string", ["br field.added.in_free a[*]: added string"]),
    ("a: array; a[*]: string", "a: array", ["fs field.removed.to_free a[*]: removed string"]),
    # a map beside a member
    ("a.b: string opt", "a.*: integer opt",
     ["brs field.type.changed a.b: string -> integer", "f field.added.optional a.*: added integer"]),
    ("p.*: string", "p.*: string; p.k: string", ["br field.required.tightened p.k: optional -> required"]),
    # required means nothing on a path that ends in a wildcard
    ("x: any; a.*: string opt", "x: any; a.*: string", ["c contract.spelling @contract: same meaning"]),
    ("x: string", "x: string; a[*].b: string", ["f field.added.optional a[*].b: added string"]),
    # a parent that did not admit an object
    ("a: string", "a: string|object; a.b: integer",
     ["fs field.type.widened a: string -> string|object", "f field.added.optional a.b: added integer"]),
    # accepted values alike
    ('a: string ["x"]', 'a: string ["x", 1]', ["c contract.spelling @contract: same meaning"]),
    ("a: integer [1]", "a: number [1]", ["c contract.spelling @contract: same meaning"]),
    ("a: null", "a: null [null]", ["c contract.spelling @contract: same meaning"]),
    ("a: boolean", "a: boolean [false, true]", ["c contract.spelling @contract: same meaning"]),
    ("a: integer|number", "a: number", ["c contract.spelling @contract: same meaning"]),
    # a line keeps only the axes on which the values really differ
    ('a: string ["x", "y"]', 'a: string|integer ["x"]',
     ["br field.enum.restricted a: removed {'y'}", "f field.type.widened a: string -> string|integer"]),
    # a required child under a new optional parent is not breaking; only the topmost path has a line
    ("x: any", "x: any; a: object opt; a.b: string", ["f field.added.optional a: added object"]),
    ("x: any", "x: any; a.b.c: string", ["br field.added.required a.b.c: added string"]),
    # a container that a named member demands, while the map beside it keeps the member as it was
    ("c.*.b: number; c.b.b: any", "c.*.b: number; c.b.b: any opt",
     ["fs field.required.relaxed c: required -> optional"]),
    # the same on a long way: the first place after the map is told
    ("b.a.*.b.b.a: any opt", "b.a.*.b.b.a: any opt; b.*.*.b.c.c: object",
     ["br field.type.narrowed b.a.*: any -> object", "f field.added.optional b.*.*.b.c.c: added object"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), PLACES)
def test_a_rule_about_places(old: str, new: str, expected: list[str]) -> None:
    assert lines(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "side", "verdict"),
    [
        ("a: string|integer", "a: string", "request", Impact.BREAKING),
        ("a: string|integer", "a: string", "response", Impact.FORWARD),
        ("a: string|integer", "a: string", "both", Impact.BREAKING),
        ("a: string", "a: string|integer", "request", Impact.FORWARD),
        ("a: string", "a: string|integer", "response", Impact.BREAKING),
        ("a: string", "a: string|integer", "both", Impact.BREAKING),
        ("x: any; a: string", "x: any", "request", Impact.BREAKING),
        ("x: any; a: string opt", "x: any", "both", Impact.FORWARD),
        ("p.x: any", "p: object; p.x: any", "both", Impact.COMPATIBLE),
    ],
)
def test_the_side_decides_which_axis_counts(old: str, new: str, side: str, verdict: Impact) -> None:
    assert diff_contracts(contract(old, side=side), contract(new, side=side)).verdict is verdict
    assert diff_contracts(contract(old), contract(new), side).verdict is verdict


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {"strict": True}, ["f contract.strict.on @contract: open -> strict"]),
        ({"strict": True}, {"strict": False}, ["f contract.strict.off @contract: strict -> open"]),
        ({"side": "request"}, {"side": "both"}, ["b contract.side.changed @contract: request -> both"]),
        ({}, {"kind": "a2a"}, ["f contract.kind.changed @contract: mcp -> a2a"]),
        ({}, {"title": "T"}, ["c contract.doc @contract: title changed"]),
        ({}, {"doc": "d"}, ["c contract.doc @contract: doc changed"]),
        ({}, {"title": "t"}, ["c contract.spelling @contract: same meaning"]),
        ({}, {"strict": False}, ["c contract.spelling @contract: same meaning"]),
        ({}, {"reserved": ["z"]}, ["c contract.metadata @contract: reserved changed"]),
        ({"reserved": ["z", "y"]}, {"reserved": ["y", "z"]}, ["c contract.spelling @contract: same meaning"]),
        ({"x-b": 1}, {"x-a": 1, "$schema": "s", "x-b": 1.0},
         ["c contract.metadata @contract: $schema changed", "c contract.metadata @contract: x-a changed"]),
        ({"x-b": 1}, {"x-b": True}, ["c contract.metadata @contract: x-b changed"]),
        ({"x-\u001b[31m": 1}, {}, ["c contract.metadata @contract: x-\\u001b[31m changed"]),
    ],
)  # fmt: skip
def test_a_row_about_the_contract_as_a_whole(
    before: dict[str, Any], after: dict[str, Any], expected: list[str]
) -> None:
    diff = diff_contracts(contract("a: any", **before), contract("a: any", **after))
    assert [
        f"{change.impact.label[0]} {change.kind} {change.field}: {change.detail}" for change in diff.changes
    ] == expected


def test_a_reserved_path_that_is_declared_again_is_breaking_on_every_side() -> None:
    for side in ("request", "response", "both"):
        diff = diff_contracts(contract("x: any", reserved=["a"], side=side), contract("x: any; a: any opt", side=side))
        assert ("contract.reserved.reused", "a", Impact.BREAKING) in [item[:3] for item in diff.changes]


def test_the_text_of_a_field_is_compared_at_its_path() -> None:
    old, new = (contract("a: any")._replace(fields=(contract("a: any").fields[0]._replace(doc=doc),)) for doc in "xy")
    assert [change[:2] for change in diff_contracts(old, new).changes] == [("field.doc", "a")]


def test_changes_are_ordered_by_impact_then_field_then_kind() -> None:
    expected = [
        "br field.enum.added b: added {'x'}",
        "br field.required.tightened b: optional -> required",
        "br field.type.narrowed c: any -> string",
        "f field.added.optional a: added any",
    ]
    assert lines("c: any; b: string opt", 'a: any opt; b: string ["x"]; c: string')[:4] == expected


def test_contracts_of_different_names_are_not_compared() -> None:
    with pytest.raises(NamesDifferError, match=r"t@1\.0\.0 and u@1\.0\.0 are different contracts"):
        diff_contracts(contract(), contract(name="u"))


def test_maps_that_combine_to_too_many_places_end_in_a_clear_error() -> None:
    depth = 20
    fields = "; ".join("x" + ".*" * at + ".k" + ".*" * (depth - at) + ": any opt" for at in range(depth))
    with pytest.raises(TooManyPlacesError, match=r"t@1\.0\.0 and t@1\.0\.0 speak of more than 20000 places"):
        diff_contracts(contract(fields), contract(fields.replace("any", "string")))


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the loader remember no field of another test, so that it does not forget between two contracts of this."""
    monkeypatch.setattr(loader, "_known", {})


@pytest.mark.usefixtures("nothing_known")
def test_maps_that_both_revisions_have_cost_nothing() -> None:
    depth = 20
    fields = "; ".join("x" + ".*" * at + ".k" + ".*" * (depth - at) + ": any opt" for at in range(depth))
    assert lines(fields, f"{fields}; y: any opt") == ["f field.added.optional y: added any"]


@pytest.mark.usefixtures("nothing_known")
def test_what_a_map_says_costs_nothing_where_another_map_came_and_went(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MAX_DERIVED", 50)
    entries = "; ".join(f"q.*.j.x{at}: any opt" for at in range(30)) + "; q.k.z: any opt; q.l.z: any opt"
    old = f"{entries}; q.k.*.w: any opt; q.l.*.w: any opt"
    assert lines(old, f"{entries}; q.*.*.w: any opt") == ["f field.added.optional q.*.*.w: added any"]


@pytest.mark.usefixtures("nothing_known")
def test_a_map_is_looked_through_once_for_all_members_beside_it() -> None:
    def calls(count: int) -> int:
        members = "; ".join(f"m.k{at}.q: string opt; m.*.x{at}: string opt" for at in range(count))
        old, new = contract(f"{members}; m.zz.q: any"), contract(f"{members}; m.zz.q: string")
        seen: list[str] = []
        sys.setprofile(lambda _frame, event, _: seen.append(event))
        try:
            told = diff_contracts(old, new).changes
        finally:
            sys.setprofile(None)
        assert len(told) == 1
        return len(seen)

    assert calls(240) < 3 * calls(120), "twice as many members and entries of the map cost about twice as much"


@pytest.mark.usefixtures("nothing_known")
def test_more_members_that_are_the_same_than_any_document_spells_end_in_a_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(places, "MAX_PASSED", 50)
    members = "; ".join(f"a{at}: any opt" for at in range(51))
    with pytest.raises(TooManyPlacesError, match="more than 50 places"):
        diff_contracts(contract(f"{members}; y: any; z: any"), contract(f"{members}; y: string; z: string"))


def test_every_change_kind_of_the_catalogue_is_reached_by_this_table() -> None:
    reached = {line.split()[1] for _, _, expected in (*KINDS, *PLACES) for line in expected}
    elsewhere = {"contract.strict.on", "contract.strict.off", "contract.side.changed", "contract.kind.changed"}
    elsewhere |= {"contract.doc", "contract.metadata", "contract.reserved.reused", "contract.removed", "field.doc"}
    assert {item.entry.id for item in catalogue() if item.family == "change"} == reached | elsewhere
