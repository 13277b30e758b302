"""The house: what is registered, who imports whom, what a command loads."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import protocolarc
from protocolarc.render import formats
from protocolarc.rules import compatibility, registry, structural, validation
from protocolarc.rules.catalogue import catalogue
from tests.support.cli import ROOT, run
from tests.support.vectors import topics

PACKAGE = ROOT / "protocolarc"
MODULES = sorted(PACKAGE.rglob("*.py"))


def test_the_layers_hold() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_validation_rule_is_registered_and_its_file_is_named_after_it() -> None:
    files = {path.stem for path in (PACKAGE / "rules" / "validation").glob("*.py")} - {"__init__", "kinds"}
    assert files == {rule.entry.id.replace(".", "_") for rule in validation.RULES}


def test_every_compatibility_rule_is_registered() -> None:
    files = {path.stem for path in (PACKAGE / "rules" / "compatibility").glob("*.py")} - {"__init__", "kinds"}
    homes = {rule.compare.__module__.rpartition(".")[2] for rule in (*compatibility.RULES, compatibility.LAST_RESORT)}
    assert files == homes
    for rule in (*compatibility.RULES, compatibility.LAST_RESORT):
        home = rule.compare.__module__.rpartition(".")[2]
        assert all(kind.entry.id.startswith(home.partition("_")[0] + ".") for kind in rule.kinds)


def test_ids_are_unique_and_every_entry_is_filled_in() -> None:
    entries = [item.entry for item in catalogue()]
    assert len({entry.id for entry in entries}) == len(entries)
    for entry in entries:
        assert all(text and text.isascii() and text.isprintable() for text in entry), entry
        assert not entry.summary.endswith(".")
        assert entry.explanation.endswith(".")


def test_codes_are_neither_missing_from_the_table_nor_left_over_in_it() -> None:
    written = {
        node.value
        for path in MODULES
        if path.parent.name == "loader"
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"(json|contract|envelope|input)\.[a-z0-9_]+", node.value)
    }
    assert written == {entry.id for entry in structural.CODES}


def test_every_code_of_the_registry_has_its_page_and_is_used() -> None:
    written = {
        node.value
        for path in MODULES
        if path.parent.name in ("engine", "registry", "gitstore", "values")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"(bump|revision|contract|chain|policy|waiver|parity|fixture)\.[a-z-]+", node.value)
    }
    assert written - {"contract.removed"} == {code.entry.id for code in registry.CODES}


def test_every_code_and_rule_is_reached_by_a_vector() -> None:
    text = "".join(path.read_text(encoding="ascii") for path in topics())
    reached = set(re.findall(r'"(?:code|rule)": "([^"]+)"', text))
    no_document = {"input.unreadable", "input.empty"}
    known = {item.entry.id for item in catalogue() if item.family not in ("change", "registry")}
    assert reached == known - no_document


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 280


def test_the_public_names_are_there() -> None:
    for name in protocolarc.__all__:
        assert getattr(protocolarc, name) is not None
    assert dir(protocolarc) == sorted(protocolarc.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = protocolarc.nothing


LOADED = [
    ("import protocolarc", {"json", "re", "typing", "dataclasses", "typer"}),
    ("import protocolarc.engine.validate, protocolarc.loader.contract", {"dataclasses", "typer", "rich", "pathlib"}),
    ("from protocolarc.cli.main import main; main(['--version'])", {"rich", "protocolarc.engine.diff", "pydantic"}),
    ("from protocolarc.cli.main import main; main(['rules'])", {"rich", "protocolarc.loader.inputs", "pydantic"}),
    ("import protocolarc.hook", {"typer", "rich", "git", "dataclasses", "pathlib", "packaging", "tempfile"}),
    ("from protocolarc.cli.main import main; main(['describe', CONTRACT])", {"rich", "protocolarc.engine.diff"}),
]


@pytest.mark.parametrize(
    ("statement", "unwanted"), LOADED, ids=["package", "engine", "version", "rules", "hook", "describe"]
)
def test_what_is_not_needed_is_not_loaded(statement: str, unwanted: set[str]) -> None:
    contract = str(ROOT / "examples" / "contracts" / "mcp_tool_call_1.0.0.json")
    code = f"CONTRACT = {contract!r}; before = set(sys.modules); {statement}; "
    code += "loaded = sorted(set(sys.modules) - before); import json; print(json.dumps(loaded))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"],
        capture_output=True,
        check=True,
    )
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert not loaded & unwanted


@pytest.mark.parametrize("view", formats.VIEWS)
def test_every_format_has_its_function(view: str) -> None:
    for name in formats.VIEWS[view]:
        assert callable(formats.renderer(formats.VIEWS[view], name))


def test_every_format_of_every_view_is_offered_in_the_help() -> None:
    for command, view in (("validate", "results"), ("diff", "diff"), ("matrix", "matrix"), ("report", "report")):
        assert f"--format {'|'.join(formats.VIEWS[view])}" in run(command, "--help").stdout.decode()
    assert formats.MATRIX.keys() == formats.MATRIX_ROWS.keys()


def test_only_the_command_line_writes() -> None:
    for path in MODULES:
        if path.parent.name == "cli":
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            assert not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print")
