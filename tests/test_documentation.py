"""The documentation shows what the product does."""

from __future__ import annotations

import io
import json
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from protocolarc import __version__
from tests.support.cli import ROOT, run

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "tests" / "vectors" / "README.md"]


def test_the_reference_pages_are_current() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    for name, text in generator["pages"]().items():
        assert (generator["REFERENCE"] / name).read_text(encoding="ascii") == text, (
            f"{name}: run python docs/generate.py"
        )


def test_every_requirement_of_the_bridge_has_a_test_and_every_mark_names_one() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    texts = json.loads((generator["BRIDGE_TESTS"] / "requirements.json").read_bytes())
    assert set(generator["marked_tests"]()) == set(texts)


def test_the_first_screen_of_the_readme_is_what_the_commands_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for piece in block.split("$ protocolarc ")[1:]:
        command, _, shown = piece.partition("\n")
        printed = run(*command.split()).stdout.decode()
        assert printed.startswith(shown.removesuffix("...\n"))


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(block, "README.md", "exec"), {})
    assert "id expected string|integer, got boolean\n" in printed.getvalue()


def test_the_readme_names_every_command() -> None:
    listed = run("--help").stdout.decode().split("Commands:\n")[1]
    for line in listed.splitlines():
        assert f"| `{line.split()[0]}" in README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_the_changelog_begins_with_what_is_not_released_or_this_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] in ("Unreleased", __version__)
