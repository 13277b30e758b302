from __future__ import annotations

import json
from typing import Any

import pytest

from protocolarc.parity.compare import Difference, compare_answers, compare_reports, to_lines
from protocolarc.parity.show import show_difference
from protocolarc.runtime.wire import Answer


def finding(message: str = "m", **more: str) -> dict[str, str]:
    return {"rule": "field.type", "field": "a", "severity": "error", "message": message, **more}


def report(*results: dict[str, Any], name: str = "t") -> bytes:
    told = {"schema": "s", "contract": name, "results": list(results), "ok": False}
    return json.dumps(told, indent=2).encode() + b"\n"


def result(label: str, *findings: dict[str, str]) -> dict[str, Any]:
    return {"envelope": label, "ok": False, "findings": list(findings)}


LINES = report(result("x"))


def compare(left: bytes, right: bytes) -> Difference | None:
    return compare_answers(Answer(1, left), Answer(1, right))


def test_equal_answers_have_no_difference() -> None:
    assert compare(report(result("x", finding())), report(result("x", finding()))) is None


def test_the_first_finding_that_differs_is_named() -> None:
    left = report(result("x", finding()), result("y", finding(), finding("one"), finding("later")))
    right = report(result("x", finding()), result("y", finding(), finding("two", field="b")))
    assert compare(left, right) == Difference(
        "y, finding 2",
        (
            ("rule", "field.type", "field.type"),
            ("field", "a", "b"),
            ("severity", "error", "error"),
            ("message", "one", "two"),
        ),
    )


def test_a_finding_that_one_side_lacks_is_shown_against_nothing() -> None:
    difference = compare(report(result("x", finding())), report(result("x")))
    assert difference is not None
    assert [row[2] for row in difference.rows] == ["-"] * 4


def test_an_error_against_a_result_is_shown_by_code_and_offset() -> None:
    fault = {"envelope": "x", "ok": False, "error": {"code": "json.syntax", "offset": 3}}
    assert compare(report(fault), report(result("x"))) == Difference(
        "x", (("code", "json.syntax", "-"), ("offset", "3", "-"))
    )


def test_results_out_of_order_are_shown_by_their_labels() -> None:
    assert compare(report(result("x")), report(result("y"))) == Difference("x", (("envelope", "x", "y"),))


@pytest.mark.parametrize(
    ("left", "right", "rows"),
    [
        (
            report(result("x")),
            report(result("x")).replace(b'"ok": f', b'"ok":  f'),
            ('      "ok": false,\n', '      "ok":  false,\n'),
        ),
        (report(name="t"), report(name="u"), ('  "contract": "t",\n', '  "contract": "u",\n')),
        (report(), b"", ("{\n", "-")),
        (report(), report() + b"more", ("-", "more")),
        (b"\xff\n", b"\n", ("\udcff\n", "\n")),
    ],
)
def test_a_difference_that_is_in_no_value_is_shown_as_its_line(
    left: bytes, right: bytes, rows: tuple[str, str]
) -> None:
    assert compare(left, right) == Difference("the text of the report", (("line", *rows),))


def test_exit_codes_are_compared_when_reports_agree() -> None:
    assert compare_answers(Answer(0, b"{}"), Answer(70, b"{}")) == Difference("exit code", (("exit", "0", "70"),))


def test_reports_are_read_no_further_than_the_first_difference() -> None:
    def endless() -> Any:
        yield b"{\n"
        raise AssertionError("read on")

    assert compare_reports([b"[\n", b"    },\n"], [b"{\n", b"    },\n"]) is not None
    with pytest.raises(AssertionError, match="read on"):
        compare_reports(endless(), [b"{\n"])


def test_pieces_become_lines() -> None:
    assert list(to_lines(["a", "b\nc\n", "", "d"])) == [b"ab\n", b"c\n", b"d"]


def test_a_difference_is_shown_side_by_side_in_ascii() -> None:
    difference = Difference("\u00fc.jsonl:1, finding 2", (("field", "a", "a"), ("message", "one", "\x1b[31m")))
    assert show_difference(difference).splitlines() == [
        "[DIFF] \\u00fc.jsonl:1, finding 2",
        "               python  dotnet",
        "      field    a       a",
        "   *  message  one     \\u001b[31m",
    ]
