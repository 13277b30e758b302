"""``matrix`` and ``report``: every envelope against every revision of its contract, in one pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli import run
from tests.support.notation import document


def envelope(data: str, contract: str = "t", revision: str | None = None) -> bytes:
    declared = "" if revision is None else f',"revision":{json.dumps(revision)}'
    return f'{{"contract":"{contract}"{declared},"data":{data}}}\n'.encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two contracts, one of them in two revisions (the higher one first on disk), and two logs."""
    contracts = tmp_path / "contracts"
    contracts.mkdir()
    for name, text in {
        "a.json": document("a: string", revision="10.0.0"),
        "b.json": document("a: any", revision="9.0.0"),
        "u.json": document("", name="u"),
    }.items():
        (contracts / name).write_text(json.dumps(text), encoding="ascii")
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "one.jsonl").write_bytes(
        envelope('{"a":"x"}')
        + envelope('{"a":1}', revision="9.0.0")
        + envelope("{}", "u")
        + b"{\n"
        + envelope("{}", "no\x7f")
    )
    (logs / "two.json").write_bytes(b"[" + envelope('{"a":"x"}', revision="x") + b"]")
    return tmp_path


def words(folder: Path, command: str, *more: str) -> list[str]:
    return [command, "--contracts", str(folder / "contracts"), "--envelopes", str(folder / "logs"), *more]


HINT = "hint: json.syntax: Write the document with a JSON library.\n"
MATRIX = b"""\
t
  file       declared  9.0.0  10.0.0
  one.jsonl  -           1/1     1/1
  one.jsonl  9.0.0       1/1     0/1
  two.json   x           1/1     1/1

u
  file       declared  1.0.0
  one.jsonl  -           1/1

no such contract: 1
  one.jsonl:5

malformed: 1
  [ERROR] one.jsonl:4 json.syntax at byte 1
"""


def test_a_block_per_contract_a_column_per_revision_a_row_per_file_and_declared_revision(folder: Path) -> None:
    assert run(*words(folder, "matrix")) == (3, MATRIX, HINT)


def test_a_row_per_envelope(folder: Path) -> None:
    assert run(*words(folder, "matrix", "--each")) == (
        3,
        b"t@9.0.0  t@10.0.0  u@1.0.0  envelope\n"
        b"pass     pass      -        one.jsonl:1\n"
        b"pass     fail      -        one.jsonl:2\n"
        b"-        -         pass     one.jsonl:3\n"
        b"[ERROR] one.jsonl:4 json.syntax at byte 1\n"
        b"-        -         -        one.jsonl:5\n"
        b"pass     pass      -        two.json[0]\n"
        b"\n"
        b"no such contract: 1\n"
        b"  one.jsonl:5\n"
        b"\n"
        b"malformed: 1\n"
        b"  [ERROR] one.jsonl:4 json.syntax at byte 1\n",
        HINT,
    )


def test_the_matrix_for_machines(folder: Path) -> None:
    report = json.loads(run(*words(folder, "matrix", "--format", "json")).stdout)
    assert list(report) == ["schema", "contracts", "errors", "untargeted", "malformed", "ok"]
    assert report["contracts"][0] == {
        "name": "t",
        "revisions": ["9.0.0", "10.0.0"],
        "rows": [
            {"file": "one.jsonl", "declared": None, "passed": [1, 1], "total": 1},
            {"file": "one.jsonl", "declared": "9.0.0", "passed": [1, 0], "total": 1},
            {"file": "two.json", "declared": "x", "passed": [1, 1], "total": 1},
        ],
    }
    assert report["untargeted"] == {"count": 1, "first": ["one.jsonl:5"]}
    error = {"code": "json.syntax", "offset": 1}
    assert report["malformed"] == {"count": 1, "first": [{"envelope": "one.jsonl:4", "error": error}]}


def test_the_rows_for_machines(folder: Path) -> None:
    report = json.loads(run(*words(folder, "matrix", "--each", "--format", "json")).stdout)
    assert report["columns"][1] == {"name": "t", "revision": "10.0.0"}
    row = {"envelope": "one.jsonl:2", "contract": "t", "declared": "9.0.0", "cells": ["pass", "fail", "-"]}
    assert report["rows"][1] == row
    assert len(report["rows"]) == 5


@pytest.mark.parametrize(
    ("log", "code"),
    [
        (b"", 0),
        (envelope('{"a":"x"}'), 0),
        (envelope('{"a":1}'), 1),
        (envelope("{}", "no"), 1),
        (b"{", 3),
    ],
)
def test_the_exit_code_is_that_of_the_worst_cell(folder: Path, log: bytes, code: int) -> None:
    (folder / "log.jsonl").write_bytes(log)
    for command in ("matrix", "report"):
        done = run(command, "--contracts", str(folder / "contracts"), "--envelopes", str(folder / "log.jsonl"))
        assert done.exit_code == code


def test_options_take_several_values_or_are_repeated(folder: Path) -> None:
    a, b, u = (str(folder / "contracts" / name) for name in ("a.json", "b.json", "u.json"))
    one, two = str(folder / "logs" / "one.jsonl"), str(folder / "logs" / "two.json")
    for spelled in (
        ["--contracts", a, b, u, "--envelopes", one, two],
        ["--contracts", a, "--envelopes", one, "--contracts", b, u, "--envelopes", two],
        ["--envelopes", one, two, f"--contracts={a}", "--contracts", b, "--contracts", u],
        [f"--contracts={a}", b, u, f"--envelopes={one}", two],
    ):
        assert run("matrix", *spelled).stdout == MATRIX


def test_standard_input_may_be_among_the_envelopes(folder: Path) -> None:
    done = run(
        "matrix",
        "--contracts",
        str(folder / "contracts" / "a.json"),
        "--envelopes",
        "-",
        "--format",
        "text",
        stdin=envelope('{"a":"x"}'),
    )
    assert done == (0, b"t\n  file  declared  10.0.0\n  -     -            1/1\n", "")


def test_a_contract_that_does_not_load_hides_no_other(folder: Path) -> None:
    (folder / "contracts" / "bad.json").write_bytes(b"{}")
    done = run(*words(folder, "matrix"))
    assert (done.exit_code, done.stdout) == (3, MATRIX)
    assert done.stderr.count("[ERROR] bad.json contract.key_missing at byte 0") == 4


def test_a_revision_that_is_there_twice_is_an_error_and_the_first_is_used(folder: Path) -> None:
    (folder / "contracts" / "c.json").write_bytes((folder / "contracts" / "a.json").read_bytes())
    done = run(*words(folder, "matrix"))
    assert (done.exit_code, done.stdout) == (3, MATRIX)
    assert done.stderr == "error: t@10.0.0 is in a.json and again in c.json; the first one is used\n" + HINT


def test_no_contract_at_all_is_an_error(tmp_path: Path) -> None:
    done = run("matrix", "--contracts", str(tmp_path), "--envelopes", "-")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert done.stderr.splitlines()[-1] == "error: there is no contract to check against"


def test_rows_and_lists_are_bounded_whatever_the_input_says(folder: Path) -> None:
    lines = b"".join(envelope('{"a":"x"}', revision=f"1.0.{number}") for number in range(150))
    lines += envelope("{}", "no") * 150 + b"{\n" * 150
    (folder / "logs" / "one.jsonl").write_bytes(lines)
    report = json.loads(run(*words(folder, "matrix", "--format", "json")).stdout)
    rows = report["contracts"][0]["rows"]
    assert [row["declared"] for row in rows[:2]] == ["1.0.0", "1.0.1"]
    assert rows[100] == {"file": "one.jsonl", "declared": "...", "passed": [50, 50], "total": 50}
    assert [(report[key]["count"], len(report[key]["first"])) for key in ("untargeted", "malformed")] == [
        (150, 100)
    ] * 2
    assert b"  ... and 50 more\n" in run(*words(folder, "matrix")).stdout


REPORT = b"""\
# ProtocolArc report: not ok

|  | count |
| --- | --- |
| contracts | 2 |
| revisions | 3 |
| documents | 6 |
| failed cells | 1 |
| no such contract | 1 |
| malformed | 1 |

## `t`

| file | declared | 9.0.0 | 10.0.0 |
| --- | --- | --- | --- |
| `one.jsonl` | `-` | 1/1 | 1/1 |
| `one.jsonl` | `9.0.0` | 1/1 | 0/1 |
| `two.json` | `x` | 1/1 | 1/1 |

| step | verdict | bump made | bump needed | carried |
| --- | --- | --- | --- | --- |
| 9.0.0 -> 10.0.0 | breaking | major | major | yes |

## `u`

| file | declared | 1.0.0 |
| --- | --- | --- |
| `one.jsonl` | `-` | 1/1 |

## No such contract: 1

- `one.jsonl:5`

## Malformed: 1

- `[ERROR] one.jsonl:4 json.syntax at byte 1`
"""


def test_the_report_in_markdown(folder: Path) -> None:
    assert run(*words(folder, "report")) == (3, REPORT, HINT)
    target = folder / "report.md"
    assert run(*words(folder, "report", "--out", str(target))) == (3, b"", HINT)
    assert target.read_bytes() == REPORT


def test_the_report_as_text_and_json(folder: Path) -> None:
    text = run(*words(folder, "report", "--format", "text")).stdout
    assert MATRIX in text
    assert text.endswith(
        b"t revisions\n"
        b"  step             verdict   bump made  bump needed  carried\n"
        b"  9.0.0 -> 10.0.0  breaking  major      major        yes\n"
    )
    report = json.loads(run(*words(folder, "report", "--format", "json")).stdout)
    assert list(report) == ["schema", "summary", "matrix", "chains"]
    assert report["chains"][0]["steps"][0] == {
        "old": "9.0.0", "new": "10.0.0", "verdict": "breaking", "made": "major", "needed": "major", "carried": True,
    }  # fmt: skip


def test_a_step_that_is_too_small_says_what_it_needs(tmp_path: Path) -> None:
    for revision, fields in (("1.0.0", "a: any"), ("1.1.0", "a: string")):
        (tmp_path / f"{revision}.json").write_text(json.dumps(document(fields, revision=revision)), encoding="ascii")
    (tmp_path / "log.jsonl").write_bytes(b"")
    done = run("report", "--contracts", str(tmp_path), "--envelopes", str(tmp_path / "log.jsonl"), "--format", "text")
    assert b"1.0.0 -> 1.1.0  breaking  minor      major        no, needs 2.0.0\n" in done.stdout


def test_nobody_is_mentioned_and_nothing_is_linked_by_a_report(folder: Path) -> None:
    lines = [envelope("{}", revision=text) for text in ("@someone", "https://example.org", "``x`")]
    (folder / "logs" / "one.jsonl").write_bytes(b"".join(lines))
    text = run(*words(folder, "report")).stdout
    for cell in (b"| `@someone` |", b"| `https://example.org` |", b"| ``` ``x` ``` |"):
        assert cell in text


def test_a_declared_revision_that_is_too_long_for_one_has_no_row_of_its_own(folder: Path) -> None:
    lines = [envelope('{"a":"x"}', revision=letter * 1_000_000) for letter in "abc"]
    (folder / "logs" / "one.jsonl").write_bytes(b"".join(lines))
    report = json.loads(run(*words(folder, "matrix", "--format", "json")).stdout)
    assert report["contracts"][0]["rows"][0] == {"file": "one.jsonl", "declared": "...", "passed": [3, 3], "total": 3}


def test_contracts_that_are_too_much_to_compare_do_not_hide_the_rest(folder: Path) -> None:
    fields = "; ".join("x" + ".*" * at + ".k" + ".*" * (20 - at) + ": any opt" for at in range(20))
    for revision, declared in (("1.0.0", fields), ("1.1.0", fields.replace("any", "string"))):
        text = json.dumps(document(declared, name="deep", revision=revision))
        (folder / "contracts" / f"{revision}.json").write_text(text, encoding="ascii")
    report = json.loads(run(*words(folder, "report", "--format", "json")).stdout)
    assert report["chains"][0]["steps"] == [
        {"old": "1.0.0", "new": "1.1.0", "verdict": None, "made": None, "needed": None, "carried": None}
    ]
    assert report["chains"][1]["steps"][0]["verdict"] == "breaking"
    assert b"1.0.0 -> 1.1.0  not compared" in run(*words(folder, "report", "--format", "text")).stdout


def test_the_problems_of_contracts_are_in_the_report_for_machines(folder: Path) -> None:
    (folder / "contracts" / "bad.json").write_bytes(b"[]")
    report = json.loads(run(*words(folder, "matrix", "--format", "json")).stdout)
    assert report["errors"] == [{"contract": "bad.json", "code": "contract.not_object", "pointer": "", "offset": 0}]
    assert report["ok"] is False


def test_markup_in_names_is_not_markup_in_the_report(folder: Path) -> None:
    (folder / "logs" / "one.jsonl").rename(folder / "logs" / "a|b<script>*.jsonl")
    text = run(*words(folder, "report")).stdout
    assert b"| `a\\|b<script>*.jsonl` | `-` |" in text
