"""``log FILE`` follows one file alone, as ``git log`` does; ``log NAME`` follows the contract wherever it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    made = Workshop(tmp_path / "work")
    made.write("registry/old.json", "a: string", "1.0.0")
    made.write("registry/other.json", "a: string", name="u")
    made.commit()
    made.git("mv", "registry/old.json", "registry/new.json")
    made.write("registry/new.json", "a: string; b: string opt", "1.1.0")
    made.commit()
    made.write("registry/new.json", "a: integer", "2.0.0")
    made.commit()
    return made


def revisions(shop: Workshop, *words: str) -> dict[str, list[str]]:
    report = json.loads(shop.run("log", *words, "--format", "json").stdout)
    return {item["name"]: [step["revision"] for step in item["steps"]] for item in report["contracts"]}


def test_a_file_is_followed_alone(shop: Workshop) -> None:
    assert revisions(shop, "registry/new.json") == {"t": ["1.1.0", "2.0.0"]}
    assert revisions(shop, "t") == {"t": ["1.0.0", "1.1.0", "2.0.0"]}
    assert revisions(shop, "--full", "registry/other.json") == {"u": ["1.0.0"]}


def test_a_file_begins_at_the_current_directory(shop: Workshop) -> None:
    whole = shop.run("log", "registry/new.json")
    shop.folder /= "registry"
    assert shop.run("log", "new.json") == whole
    assert shop.run("log", "./new.json") == whole
    assert shop.run("log", str(shop.folder / "new.json")) == whole


def test_a_file_that_never_held_a_contract_is_told(shop: Workshop) -> None:
    shop.write_text("notes.json", "{}")
    done = shop.run("log", "notes.json")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert done.stderr == "error: no commit has a contract in notes.json\n"
