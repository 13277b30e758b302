"""``diff`` options, ``describe``, ``rules``, ``demo``, help and completion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protocolarc.cli.app import COMMANDS
from protocolarc.rules.catalogue import catalogue
from tests.support.cli import ROOT, run, spawn
from tests.support.notation import document


def contracts(folder: Path, *documents: dict[str, Any]) -> list[str]:
    paths = []
    for number, item in enumerate(documents):
        path = folder / f"{number}.json"
        path.write_text(json.dumps(item), encoding="ascii")
        paths.append(str(path))
    return paths


def test_the_diff_for_machines(tmp_path: Path) -> None:
    paths = contracts(tmp_path, document("a: any; b: any"), document("a: string; c: any", revision="1.1.0"))
    done = run("diff", *paths, "--format", "json")
    assert done.exit_code == 2
    assert (
        done.stdout
        == (
            json.dumps(
                {
                    "schema": "protocolarc/diff/1",
                    "name": "t",
                    "old": "1.0.0",
                    "new": "1.1.0",
                    "side": "request",
                    "verdict": "breaking",
                    "bump": {"made": "minor", "needed": "major", "smallest": "2.0.0"},
                    "changes": [
                        change("field.type.narrowed", "a", "breaking", "any -> string", receives=True),
                        change("field.removed.required", "b", "breaking", "removed any", sends=True),
                        change("field.added.required", "c", "breaking", "added any", receives=True),
                    ],
                },
                indent=2,
            )
            + "\n"
        ).encode()
    )


def change(kind: str, field: str, impact: str, detail: str, **axes: bool) -> Any:
    broken = {"receives": False, "sends": False, **axes}
    return {"kind": kind, "field": field, "impact": impact, **broken, "detail": detail}


@pytest.mark.parametrize(
    ("old", "new", "bump"),
    [
        ("1.0.0", "1.0.0", ("none", "none", "1.0.0")),
        ("1.2.3", "1.2.4", ("patch", "major", "2.0.0")),
        ("0.2.3", "0.3.0", ("minor", "minor", "0.3.0")),
        ("2.0.0", "1.0.0", (None, "major", "3.0.0")),
        ("2.0.0-rc.1", "2.0.0", ("prerelease", "prerelease", "2.0.0-rc.2")),
        ("1.0.0+a", "1.0.0+b", ("none", "major", "2.0.0")),
        ("1.9.0", "2.0.0-rc.1", ("major", "major", "2.0.0")),
    ],
)
def test_the_bump_that_was_made_and_the_one_that_is_needed(
    tmp_path: Path, old: str, new: str, bump: tuple[str | None, str, str]
) -> None:
    fields = "a: any" if bump[1] == "none" else "a: string"
    paths = contracts(tmp_path, document("a: any", revision=old), document(fields, revision=new))
    report = json.loads(run("diff", *paths, "--format", "json").stdout)
    assert tuple(report["bump"].values()) == bump


@pytest.mark.parametrize(
    ("fields", "old", "new", "bump"),
    [
        ("x: any; a: any opt", "1.0.0", "1.1.0", ("minor", "minor", "1.1.0")),
        ("x: any; a: any opt", "0.1.0", "0.1.1", ("patch", "patch", "0.1.1")),
        ("['x']: any", "1.0.0", "1.0.1", ("patch", "patch", "1.0.1")),
        ("['x']: any", "0.1.0", "0.1.1", ("patch", "patch", "0.1.1")),
    ],
)
def test_lesser_verdicts_need_lesser_bumps(
    tmp_path: Path, fields: str, old: str, new: str, bump: tuple[str, str, str]
) -> None:
    paths = contracts(tmp_path, document("x: any", revision=old), document(fields, revision=new))
    report = json.loads(run("diff", *paths, "--format", "json").stdout)
    assert tuple(report["bump"].values()) == bump


def test_reversed_revisions_are_compared_with_a_notice(tmp_path: Path) -> None:
    paths = contracts(tmp_path, document("a: any", revision="2.0.0"), document("a: any", revision="1.0.0"))
    assert run("diff", *paths) == (
        0,
        b"t: 2.0.0 -> 1.0.0\ncompatibility: COMPATIBLE\n  (no changes)\n",
        "note: the order is reversed, 1.0.0 is lower than 2.0.0\n",
    )


def test_a_possible_rename_is_a_hint(tmp_path: Path) -> None:
    paths = contracts(tmp_path, document("p.a: string; b: any"), document("p.c: string; b: any"))
    done = run("diff", *paths)
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        "note: 1.0.0 does not carry this change, it needs 2.0.0 or higher",
        "hint: p.a is gone and p.c is new with the same shape; a rename?",
    ]


def test_names_that_differ_are_not_compared(tmp_path: Path) -> None:
    paths = contracts(tmp_path, document(""), document("", name="u"))
    assert run("diff", *paths) == (3, b"", "error: t@1.0.0 and u@1.0.0 are different contracts\n")


def test_both_contracts_that_do_not_load_are_told(tmp_path: Path) -> None:
    one, other = contracts(tmp_path, {}, {})
    done = run("diff", one, other)
    assert (done.exit_code, done.stderr.count(one), done.stderr.count(other)) == (3, 4, 4)
    report = json.loads(run("diff", one, other, "--format", "json").stdout)
    error = {"contract": one, "code": "contract.key_missing", "pointer": "", "offset": 0}
    assert (report["verdict"], report["errors"][0], len(report["errors"])) == (None, error, 8)


def test_a_misspelled_rule_is_told_which_was_meant() -> None:
    assert run("rules", "field.enm").stderr == "error: there is no rule 'field.enm', did you mean 'field.enum'?\n"
    assert run("rules", "\x1b[31m").stderr == "error: there is no rule '\\u001b[31m'; see 'protocolarc rules'\n"


def test_describe_without_fields_and_with_a_hostile_title(tmp_path: Path) -> None:
    (path,) = contracts(tmp_path, document("", title="a\x1b[31m'b\\ ", strict=True, side="both"))
    assert run("describe", path).stdout == (
        b"t@1.0.0  a\\u001b[31m'b\\\\\nkind mcp, side both, strict, 0 fields\n  (no fields)\n"
    )


def test_describe_shows_every_member_whole(tmp_path: Path) -> None:
    members = ["x" * 70, *range(12)]
    (path,) = contracts(tmp_path, document(f"a: any opt {json.dumps(members)}"))
    shown = ", ".join([f"'{'x' * 70}'", *map(str, range(12))])
    assert run("describe", path).stdout.splitlines()[-1].decode() == f"  a      any   no        {{{shown}}}"


def test_rules_lists_everything_and_explains_each() -> None:
    listed = run("rules").stdout.decode()
    for item in catalogue():
        assert f"  {item.entry.id} " in listed
        page = run("rules", item.entry.id).stdout.decode()
        assert page.startswith(f"{item.entry.id}: {item.entry.summary}\n  family ")
        assert item.entry.remedy in page
    report = json.loads(run("rules", "--format", "json").stdout)
    assert [rule["id"] for rule in report["rules"]] == [item.entry.id for item in catalogue()]


def test_the_demo_plays_the_main_job_and_leaves_nothing_behind(tmp_path: Path) -> None:
    done = spawn("demo", cwd=tmp_path)
    assert (done.exit_code, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    for line in (b"  breaking    field.type.narrowed        id: string|integer -> string", b"# exit code 2"):
        assert line in done.stdout.splitlines()
    assert (
        b"$ protocolarc validate examples/contracts/mcp_tool_call_1.0.0.json examples/fixtures/mcp_calls.jsonl\n"
        in (done.stdout)
    )


def test_the_demo_shows_what_the_commands_print() -> None:
    examples, _, _ = run("demo").stdout.decode().partition("$ git ")
    pieces = examples.split("$ protocolarc ")[1:]
    assert len(pieces) == 4
    for piece in pieces:
        line, _, rest = piece.partition("\n")
        words = [str(ROOT / word) if word.startswith("examples/") else word for word in line.split()]
        done = run(*words)
        assert rest.startswith(done.stdout.decode() + f"# exit code {done.exit_code}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_shows_an_example_and_its_exit_codes(command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    text = done.stdout.decode()
    assert f"Example:\n    protocolarc {command}" in text
    codes = text.split("Exit codes:\n")[1].splitlines()
    assert [line.split()[0] for line in codes if line][-2:] == ["70", "130"]


def test_help_names_every_command_and_version_prints_the_version() -> None:
    listed = run("--help").stdout.decode()
    assert all(f"\n  {command} " in listed for command in COMMANDS)
    assert run("--version").stdout == b"protocolarc 0.1.0\n"


@pytest.mark.parametrize(
    ("typed", "offered"), [("protocolarc va", "validate"), ("protocolarc validate a b --format js", "jsonl")]
)
def test_shell_completion_works(typed: str, offered: str) -> None:
    environ = {"_PROTOCOLARC_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    assert offered in spawn(environ=environ).stdout.decode().split()
