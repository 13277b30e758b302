"""What is loaded, what is said when an SDK is missing, and that the rest does without."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.cli import ROOT, run

SDKS = ("a2a", "google", "starlette", "pydantic", "httpx", "sqlalchemy")


def base_install(folder: Path) -> Path:
    """Make a folder of what the base install brings, and nothing else; ``python -S`` sees no other packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting, seen = list(project["dependencies"]), set[str]()
    while waiting:
        requirement = Requirement(waiting.pop())
        if requirement.name in seen or not (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(requirement.name)
        found = distribution(requirement.name)
        waiting += found.requires or ()
        for top in {path.parts[0] for path in found.files or () if path.parts[0] not in ("..", "__pycache__")}:
            os.symlink(str(found.locate_file(top)), folder / top)
    return folder


def bare(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python where only the base install is to be had."""
    path = os.pathsep.join([str(ROOT), str(base_install(folder))])
    return subprocess.run(
        [sys.executable, "-S", *words],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.requirement("R1")
@pytest.mark.parametrize(
    "code",
    [
        "import protocolarc",
        "import protocolarc.bridge as b; [getattr(b, name) for name in b.__all__]",
        "import protocolarc.hook",
        "from protocolarc.cli.main import main; main(['rules'])",
    ],
    ids=["package", "bridge", "hook", "command line"],
)
def test_neither_the_package_nor_the_command_line_loads_an_sdk(code: str) -> None:
    names = "import sys; print(sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{names}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not set(ast.literal_eval(done.stderr.splitlines()[-1])) & set(SDKS)


@pytest.mark.requirement("R1")
@pytest.mark.parametrize(
    ("call", "extra"),
    [
        ("a2a_bridge(None, AgentDefinition('echo', '1'), None, None, resolve=None)", "protocolarc[a2a]"),
        ("a2a_agent_executor(None, AgentDefinition('echo', '1'), resolve=None)", "protocolarc[a2a]"),
        ("google_adk_remote_agent(name='echo', agent_card='https://example.com')", "protocolarc[google-adk]"),
    ],
    ids=["bridge", "executor", "remote agent"],
)
def test_a_missing_extra_is_one_error_that_names_the_install(call: str, extra: str, tmp_path: Path) -> None:
    names = ("AgentDefinition", call.partition("(")[0])
    done = bare(tmp_path, "-c", f"from protocolarc.bridge import {', '.join(names)}\n{call}")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "MissingExtraError" in last
    assert extra in last


@pytest.mark.requirement("R21", "R1")
def test_without_the_extras_the_commands_do_what_they_did(tmp_path: Path) -> None:
    words = (
        "validate",
        str(ROOT / "examples" / "contracts" / "mcp_tool_call_1.0.0.json"),
        str(ROOT / "examples" / "fixtures" / "mcp_calls.jsonl"),
    )
    done = bare(tmp_path, "-m", "protocolarc", *words)
    assert (done.returncode, done.stdout.encode()) == run(*words)[:2]


@pytest.mark.requirement("R21")
def test_nothing_outside_the_bridge_knows_it() -> None:
    package = ROOT / "protocolarc"
    for path in sorted(package.rglob("*.py")):
        if path.is_relative_to(package / "bridge"):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("protocolarc.bridge"), path
                assert name.partition(".")[0] not in SDKS, path
