from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.support.cli import ROOT, Done, run, spawn
from tests.support.runtimes import fake_executable

CONTRACT = str(ROOT / "examples" / "contracts" / "mcp_tool_call_1.0.0.json")
FIXTURES = str(ROOT / "examples" / "fixtures")
WAYS = [
    *(
        [f"--format={name}", *more]
        for name, more in itertools.product(("text", "json", "jsonl"), ([], ["--only-failing"]))
    ),
    ["--summary"],
    ["--color=always"],
    ["--raw"],
]


@pytest.fixture
def fake(tmp_path: Path) -> str:
    return str(fake_executable(tmp_path))


def both(runtime: str, *words: str) -> tuple[Done, Done]:
    return run("validate", *words), run("validate", *words, "--engine", "dotnet", "--runtime", runtime)


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_both_engines_write_the_same_bytes(fake: str, way: list[str]) -> None:
    python, dotnet = both(fake, CONTRACT, FIXTURES, *way)
    assert dotnet[:2] == python[:2]  # what is said on standard error is for people, and each says it its way


def test_an_output_file_holds_the_same(fake: str, tmp_path: Path) -> None:
    files = [tmp_path / "python.txt", tmp_path / "dotnet.txt"]
    run("validate", CONTRACT, FIXTURES, "-o", str(files[0]))
    done = run("validate", CONTRACT, FIXTURES, "-o", str(files[1]), "--engine=dotnet", "--runtime", fake)
    assert done.exit_code == 3
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_contract_that_does_not_load_is_the_same(fake: str) -> None:
    python, dotnet = both(fake, FIXTURES, FIXTURES, "--format", "json")
    assert dotnet == python
    assert python.exit_code == 3


def test_standard_input_reaches_the_runtime(fake: str) -> None:
    lines = Path(FIXTURES, "mcp_calls.jsonl").read_bytes()
    python = spawn("validate", CONTRACT, "-", stdin=lines)
    dotnet = spawn("validate", CONTRACT, "-", "--engine=dotnet", "--runtime", fake, stdin=lines)
    assert dotnet == python


@pytest.mark.parametrize("way", [[], ["--summary"]], ids=["copied", "read"])
def test_a_runtime_that_fails_is_a_fault_and_leaves_an_earlier_file(tmp_path: Path, way: list[str]) -> None:
    output = tmp_path / "out.txt"
    output.write_text("earlier", encoding="ascii")
    runtime = str(fake_executable(tmp_path, "falls"))
    done = run("validate", CONTRACT, FIXTURES, "-o", str(output), "--engine=dotnet", "--runtime", runtime, *way)
    assert done.exit_code == 70
    assert "the runtime failed with exit code 134" in done.stderr
    assert output.read_text(encoding="ascii") == "earlier"


def test_no_runtime_is_an_input_error() -> None:
    done = run("validate", CONTRACT, FIXTURES, "--engine=dotnet", "--runtime", "/nowhere")
    assert done == (3, b"", "error: there is no runtime /nowhere\n")
