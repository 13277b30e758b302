"""``log`` tells of each step what ``check`` says of its commit, in either layout, and ``bump`` makes what they ask."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.support.repository import Repository, contract

TYPES = ("string", "integer", "boolean", "any", "string|null")
LAYOUTS = {"one file": "registry/m.json", "a file for each": "registry/{}.json"}


class Revision(NamedTuple):
    """One drawn revision."""

    number: tuple[int, int, int]
    fields: str
    doc: str

    @property
    def text(self) -> str:
        return ".".join(map(str, self.number))

    @property
    def data(self) -> bytes:
        return contract("m", self.text, self.fields, doc=self.doc)


def drawn(seed: int, count: int) -> Iterator[Revision]:
    """Draw revisions that only go up, by more or less than their change asks for."""
    chance = random.Random(seed)
    fields = {"a": "string", "b": "any opt"}
    major, minor, patch, doc = chance.choice((0, 1)), 1, 0, "words"
    for number in range(count):
        yield Revision((major, minor, patch), "; ".join(f"{name}: {kind}" for name, kind in fields.items()), doc)
        for _ in range(chance.choice((1, 1, 2))):
            edit = chance.choice(("words", "add", "change", "remove"))
            name = chance.choice("abcde")
            if edit == "words":
                doc = f"words {number}"
            elif edit == "remove" and name != "a":
                fields.pop(name, None)
            else:
                fields[name] = chance.choice(TYPES) + chance.choice(("", " opt"))
        level = chance.choice(("major", "minor", "patch"))
        if level == "major":
            major, minor, patch = major + 1, 0, 0
        elif level == "minor":
            minor, patch = minor + 1, 0
        else:
            patch += 1


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("seed", range(3))
def test_log_and_check_agree_on_every_step_and_bump_is_enough(seed: int, layout: str, empty: Repository) -> None:
    revisions = list(drawn(seed, 10))
    commits = [empty.commit({layout.format(revision.text): revision.data}) for revision in revisions]
    (chain,) = json.loads(empty.run("log", "m", "--format", "json").stdout)["contracts"]
    steps = {step["revision"]: step for step in chain["steps"]}
    assert steps.keys() == {revision.text for revision in revisions}
    for before, after, revision in zip(commits, commits[1:], revisions[1:], strict=False):
        report = json.loads(empty.run("check", "--from", before, "--to", after, "--format", "json").stdout)
        step = steps[revision.text]
        assert step["commit"] == after
        missing = [item for item in report["judgements"] if item["code"] == "bump.missing"]
        assert step["carried"] is (not missing), revision
        assert report["exit_code"] == (0 if step["carried"] else 2 if step["verdict"] == "breaking" else 1)
        if missing:
            empty.git("checkout", "-q", "-B", "again", before)
            empty.write({layout.format(revision.text): revision.data})
            assert empty.run("bump", "m").exit_code == 0
            empty.stage()
            assert empty.run("check").exit_code == 0
            empty.git("checkout", "-q", "-f", "main")
    assert any(not step["carried"] for step in chain["steps"][1:])
