"""Contracts from the path grammar, most of them well-formed, some wrong in one place."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from protocolarc.parity.draw.pools import COMMON_KEYS, REVISIONS, SCALARS, STRANGE_KEYS, TYPE_CHOICES
from protocolarc.values.jsontype import Value, identity
from protocolarc.values.path import Step, Wildcard, render_path

_KINDS = ("mcp", "a2a", "jsonrpc", "x-own")
_MOST_FIELDS = 5
_MOST_MEMBERS = 12

_STEPS: tuple[Step, ...] = (*COMMON_KEYS * 4, *STRANGE_KEYS, *tuple(Wildcard) * 5)
_SPELLINGS = (
    "\u00fc.a",
    "['a'].b",
    "a['\\u0062']",
    "a['\\ud83d\\ude00']",
    "a[*][*].*",
    "a.*['']",
    "a.*",
    "b.*",
    "c[*]",
)
_paths = st.one_of(
    st.sampled_from([*COMMON_KEYS * 2, *map(render_path, zip(STRANGE_KEYS)), *_SPELLINGS]),
    st.tuples(st.sampled_from(COMMON_KEYS), st.lists(st.sampled_from(_STEPS), min_size=1, max_size=3)).map(
        lambda drawn: render_path((drawn[0], *drawn[1]))
    ),
)
_fields: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries(
        {"name": _paths, "type": st.sampled_from(TYPE_CHOICES)}, optional={"required": st.booleans()}
    ),
    st.fixed_dictionaries(
        {
            "name": _paths,
            "type": st.sampled_from(["any", ["string", "number", "null", "boolean"], ["number", "string"], "string"]),
            "enum": st.lists(st.sampled_from(SCALARS), min_size=1, max_size=_MOST_MEMBERS, unique_by=identity),
        },
        optional={"required": st.booleans()},
    ),
)
_field_lists = st.lists(_fields, min_size=1, max_size=_MOST_FIELDS, unique_by=lambda field: str(field["name"]))


@st.composite
def contracts(draw: st.DrawFn) -> dict[str, Value]:
    """Draw the document of a contract."""
    document: dict[str, Any] = {
        "name": draw(st.sampled_from(["t", "t", "mcp.tool_call", "a/b-c_d"])),
        "revision": draw(st.sampled_from(REVISIONS)),
        "kind": draw(st.sampled_from(_KINDS)),
        "fields": draw(_field_lists),
    }
    strict = draw(st.sampled_from([None, False, True, True]))
    if strict is not None:
        document["strict"] = strict
    return document
