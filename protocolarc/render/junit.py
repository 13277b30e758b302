"""JUnit XML: a test case per contract and revision that a check speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from protocolarc.render.check import counted
from protocolarc.render.statements import change_line, everything, label, subject, weight
from protocolarc.values.judgement import CheckResult, Judgement
from protocolarc.values.label import one_line

_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def render_check(result: CheckResult) -> str:
    """Return one suite. A case fails by its worst judgement and tells all; without any, one case passes."""
    cases: dict[str, list[Judgement]] = {}
    for item in everything(result):
        cases.setdefault(label(item), []).append(item)
    failures = sum(any(map(weight, items)) for items in cases.values())
    count = max(len(cases), 1)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites tests="{count}" failures="{failures}">',
        f'<testsuite name="protocolarc" tests="{count}" failures="{failures}" errors="0" skipped="0">',
        *(_case(name, cases[name]) for name in sorted(cases)),
        *([] if cases else [f'<testcase classname="protocolarc" name="{counted(result.contracts, "contract")}"/>']),
    ]
    if result.notes:
        lines.append(f"<system-out>{_text(chr(10).join(map(one_line, result.notes)))}</system-out>")
    return "\n".join([*lines, "</testsuite>", "</testsuites>"]) + "\n"


def _case(name: str, items: Sequence[Judgement]) -> str:
    head = f"<testcase classname={_attribute(subject(items[0]))} name={_attribute(name)}>"
    told = _text("\n".join(line for item in items for line in _lines(item)))
    worst = max(items, key=weight)
    if weight(worst):
        message = _attribute(worst.message)
        return f"{head}<failure type={_attribute(worst.code)} message={message}>{told}</failure></testcase>"
    return f"{head}<system-out>{told}</system-out></testcase>"


def _lines(item: Judgement) -> list[str]:
    changes = () if item.diff is None else item.diff.changes
    return [f"{item.code}: {one_line(item.message)}", *(f"  {change_line(change)}" for change in changes)]


def _text(text: str) -> str:
    return "".join(_TEXT.get(character, character) for character in text)


def _attribute(text: str) -> str:
    return quoteattr(one_line(text))
