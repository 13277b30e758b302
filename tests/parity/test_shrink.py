from __future__ import annotations

import json

from protocolarc.parity.shrink import MAX_TRIALS, elements, shrink
from protocolarc.runtime.wire import Request

CONTRACT = json.dumps({"name": "t", "fields": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}).encode()


def request(data: bytes) -> Request:
    return Request("json", "in.json", CONTRACT, data)


def test_elements_are_members_items_and_lines_with_one_comma() -> None:
    data = b'{"a":[1,"]"],"b":2}\n3'
    assert [data[start:end] for start, end in elements(data)] == [data[:20], b'"a":[1,"]"],', b"1,", b',"]"', b',"b":2']


def test_what_a_failure_does_not_need_is_left_out() -> None:
    small = shrink(request(b'{"x": [1, {"y": "..!.."}, 3], "z": 4}'), lambda case: b"!" in case.input)
    assert small == Request("json", "in.json", b"", b"!")


def test_what_it_needs_stays() -> None:
    def differs(case: Request) -> bool:
        try:
            fields = json.loads(case.contract)["fields"]
        except (ValueError, KeyError):
            return False
        return {"name": "b"} in fields and case.input.count(b"[") > 2

    small = shrink(request(b"[[[[]]]]"), differs)
    assert (small.contract, small.input) == (b'{"fields":[{"name":"b"}]}', b"[[[")


def test_escapes_of_plain_characters_are_undone() -> None:
    small = shrink(request(rb'["\u0061\u005C\u0022\u00e9"]'), lambda case: len(case.input) > 21)
    assert small.input == rb'["a\u005C\u0022\u00e9"]'[:22]


def test_it_ends_however_large_the_case_is() -> None:
    trials = 0

    def differs(_case: Request) -> bool:
        nonlocal trials
        trials += 1
        return False

    shrink(request(b"x" * MAX_TRIALS), differs)
    assert trials <= MAX_TRIALS
