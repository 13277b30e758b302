"""The samples that users know, byte for byte, out of the files under ``examples/``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli import ROOT, run

CONTRACTS = ROOT / "examples" / "contracts"
FIXTURES = ROOT / "examples" / "fixtures"


def example(path: str) -> str:
    return str(CONTRACTS.parent / path)


def test_describe_shows_the_field_table() -> None:
    assert run("describe", example("contracts/mcp_tool_call_1.0.0.json")) == (
        0,
        b"mcp.tool_call@1.0.0  MCP Tool Call\n"
        b"kind mcp, side request, open, 5 fields\n"
        b"  field             type            required  enum\n"
        b"  jsonrpc           string          yes       {'2.0'}\n"
        b"  id                string|integer  yes       -\n"
        b"  method            string          yes       {'tools/call'}\n"
        b"  params.name       string          yes       -\n"
        b"  params.arguments  object          no        -\n",
        "",
    )


def test_diff_shows_what_breaks() -> None:
    words = [example(f"contracts/mcp_tool_call_{revision}.json") for revision in ("1.0.0", "2.0.0")]
    assert run("diff", *words) == (
        2,
        b"mcp.tool_call: 1.0.0 -> 2.0.0\n"
        b"compatibility: BREAKING\n"
        b"  breaking    field.type.narrowed        id: string|integer -> string\n"
        b"  breaking    field.required.tightened   params.arguments: optional -> required\n"
        b"  forward     field.added.optional       params.timeout_ms: added integer\n",
        "",
    )


def test_validate_shows_a_pass_and_a_fail() -> None:
    done = run("validate", example("contracts/mcp_tool_call_1.0.0.json"), example("fixtures/mcp_calls.jsonl"))
    lines = done.stdout.splitlines(keepends=True)
    assert done.exit_code == 1
    assert lines[0] == b"[PASS] mcp.tool_call@1.0.0 <- mcp_calls.jsonl:1\n"
    assert lines[2:4] == [
        b"[FAIL] mcp.tool_call@1.0.0 <- mcp_calls.jsonl:3\n",
        b"    ERROR   field.enum             method: value 'tools/list' not in {'tools/call'}\n",
    ]


def test_one_bad_line_hides_no_other() -> None:
    done = run("validate", example("contracts/mcp_tool_call_1.0.0.json"), example("fixtures/broken.jsonl"))
    assert done.exit_code == 3
    assert done.stdout.splitlines()[4:] == [
        b"[ERROR] broken.jsonl:5 json.syntax at byte 12",
        b"[PASS] mcp.tool_call@1.0.0 <- broken.jsonl:6",
    ]


def test_a_strict_contract_warns_about_an_undeclared_key() -> None:
    done = run("validate", example("contracts/a2a_task_send_1.0.0.json"), example("fixtures/a2a_tasks.json"))
    assert done == (
        0,
        b"[PASS] a2a.task_send@1.0.0 <- a2a_tasks.json[0]\n"
        b"[PASS] a2a.task_send@1.0.0 <- a2a_tasks.json[1]\n"
        b"[PASS] a2a.task_send@1.0.0 <- a2a_tasks.json[2]\n"
        b"    WARNING field.unknown          traceparent: undeclared top-level key\n",
        "",
    )


def test_1_1_0_is_forward_from_1_0_0() -> None:
    words = [example(f"contracts/mcp_tool_call_{revision}.json") for revision in ("1.0.0", "1.1.0")]
    done = run("diff", *words)
    assert (done.exit_code, done.stdout.splitlines()[1]) == (0, b"compatibility: FORWARD")


@pytest.mark.parametrize("path", sorted(CONTRACTS.glob("*.json")), ids=lambda path: path.stem)
def test_an_example_contract_is_named_after_what_it_says(path: Path) -> None:
    done = run("describe", str(path))
    name, _, revision = done.stdout.split()[0].decode().partition("@")
    assert path.name == f"{name.replace('.', '_')}_{revision}.json"
