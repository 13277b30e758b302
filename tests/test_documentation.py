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
from tests.support.repository import Repository

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


def test_the_page_of_formats_has_every_key_of_every_json_report(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "work")
    for fields, revision in (("a: string", "1.0.0"), ("a: integer", "1.0.0")):
        repository.put("registry/t.json", fields, revision)
        repository.commit()
    repository.commit({"registry/bad.json": b"{"})
    repository.write({"e.jsonl": '{"contract": "t", "data": {}}\n{"contract": "u", "data": {}}\n{\n'})
    inputs = ("--contracts", "t", "--envelopes", "e.jsonl")
    page = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    sections = {piece.partition("`")[0]: _words(f"`{piece}") for piece in page.split("\n## `")[1:]}
    told = set()
    for words in (
        ("validate", "t", "e.jsonl"),
        ("diff", "HEAD~2:registry/t.json", "t"),
        ("matrix", *inputs),
        ("matrix", "--each", *inputs),
        ("report", *inputs),
        ("gate", "--from", "HEAD~2"),
        ("log",),
        ("blame", "t"),
        ("rules",),
    ):
        report = json.loads(repository.run(*words, "--format", "json").stdout)
        told.add(report["schema"])
        assert report.keys() - {"schema"} <= sections[report["schema"]], words
        assert _keys(report) - {"schema"} <= set().union(*sections.values()), words
    assert told == sections.keys()


def _keys(value: object) -> set[str]:
    """Return the keys of an object and of those in it."""
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    return set(value).union(*map(_keys, value.values())) if isinstance(value, dict) else set()


def _words(page: str) -> set[str]:
    """Return the words that stand in backticks."""
    return set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]*`", page))))


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
