"""The job that runs the official kit notices what it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bridge.conformance import EXPECTED, compare, main

REPORT = b"""<testsuites><testsuite>
<testcase classname="a.B" name="test_good" />
<testcase classname="a.B" name="test_bad"><failure message="no" /></testcase>
<testcase classname="a.B" name="test_left_out"><skipped /></testcase>
</testsuite></testsuites>"""
COUNTS = "1 passed, {} failed as listed, 1 skipped by the kit"


@pytest.mark.parametrize(
    ("listed", "lines"),
    [
        ("a.B::test_bad  # for a reason\n", [COUNTS.format(1)]),
        ("", ["new failure: a.B::test_bad", COUNTS.format(0)]),
        (
            "a.B::test_bad  # for a reason\na.B::test_good  # no longer\n",
            ["stale line, it does not fail: a.B::test_good", COUNTS.format(1)],
        ),
        (
            "a.B::test_bad  # for a reason\na.B::test_gone  # no longer\n",
            ["stale line, it does not fail: a.B::test_gone", COUNTS.format(1)],
        ),
    ],
    ids=["as listed", "new failure", "it passes now", "it is gone"],
)
def test_a_new_failure_and_a_stale_line_are_both_said(listed: str, lines: list[str]) -> None:
    assert compare(REPORT, listed) == lines


def test_every_expected_failure_has_a_reason() -> None:
    for line in EXPECTED.read_text(encoding="ascii").splitlines():
        name, _, reason = line.partition("  # ")
        assert "::" in name
        assert reason


@pytest.mark.parametrize("named", [True, False])
def test_without_the_kit_it_says_so(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("A2A_TCK", raising=False)
    assert main([str(tmp_path)] if named else []) == 0
    assert "nothing was run" in capsys.readouterr().out
