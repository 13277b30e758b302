"""``log``: revision chains through real histories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path / "work")


def steps(shop: Workshop, name: str = "t", *words: str) -> list[tuple[Any, ...]]:
    report = json.loads(shop.run("log", name, "--format", "json", *words).stdout)
    ((chain,)) = [contract for contract in report["contracts"] if contract["name"] == name]
    return [(step["revision"], step["event"], step["verdict"], step["carried"]) for step in chain["steps"]]


def test_a_contract_that_evolves_in_one_file(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    first = shop.commit()
    shop.write("registry/t.json", "a: string; b: any opt", "1.1.0")
    shop.commit()
    shop.write("registry/t.json", "a: integer; b: any opt", "1.2.0")
    last = shop.commit(author="Gr\u00e4ce | *b*\x1b[31m")
    done = shop.run("log")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.decode("ascii").splitlines() == [
        "t",
        "  revision  commit        date        author                      verdict   carried",
        f"  1.2.0     {last[:12]}  2026-01-03  Gr\\u00e4ce | *b*\\u001b[31m  breaking  no, needs 2.0.0",
        f"  1.1.0     {shop.git('rev-parse', 'HEAD~1')[:12]}  2026-01-02  Ada                         forward   yes",
        f"  1.0.0     {first[:12]}  2026-01-01  Ada                         first     -",
    ]
    markdown = shop.run("log", "t", "--format", "markdown").stdout.decode("ascii")
    assert f"| 1.2.0 | {last[:12]} | 2026-01-03 | `Gr\\u00e4ce \\| *b*\\u001b[31m` |" in markdown


def test_one_file_per_revision_and_a_back_port(shop: Workshop) -> None:
    for fields, revision in (("a: string", "1.0.0"), ("a: string; b: any opt", "1.1.0"), ("a: integer", "2.0.0")):
        shop.write(f"registry/t/{revision}.json", fields, revision)
        shop.commit()
    shop.write("registry/t/1.1.1.json", "a: string; b: any opt; c: any", "1.1.1")
    shop.commit()
    shop.git("rm", "-q", "registry/t/1.0.0.json")
    shop.commit()
    assert steps(shop) == [
        ("1.0.0", "first", None, None),
        ("1.1.0", "revision", "forward", True),
        ("2.0.0", "revision", "breaking", True),
        ("1.1.1", "revision", "breaking", False),
        ("1.0.0", "removed", None, None),
    ]


def test_both_layouts_in_one_registry_and_names_with_slashes(shop: Workshop) -> None:
    shop.write("registry/a b/\u00e9.json", "a: any", name="x/y.z")
    shop.write("registry/t/1.0.0.json", "a: any")
    shop.commit()
    shop.write("registry/a b/\u00e9.json", "a: any; b: any opt", "1.1.0", name="x/y.z")
    shop.write("registry/t/1.0.1.json", "a: string", "1.0.1")
    shop.commit()
    assert steps(shop, "x/y.z")[-1] == ("1.1.0", "revision", "forward", True)
    assert steps(shop)[-1] == ("1.0.1", "revision", "breaking", False)


def test_what_is_edited_without_a_new_revision_and_what_goes_back(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.commit()
    shop.write("registry/t.json", "a: integer")
    shop.commit()
    shop.write("registry/t.json", "a: integer", "2.0.0")
    shop.commit()
    shop.write("registry/t.json", "a: integer")
    shop.commit()
    assert steps(shop) == [
        ("1.0.0", "first", None, None),
        ("1.0.0", "edited", "breaking", False),
        ("2.0.0", "revision", "compatible", True),
        ("1.0.0", "revision", None, False),
    ]
    assert "  lowest            no, lower than 2.0.0" in shop.run("log").stdout.decode()


def test_blanks_order_and_moves_are_no_steps(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.commit()
    shop.write_text("registry/t.json", json.dumps(json.loads(shop.path("registry/t.json").read_text("utf-8"))))
    shop.commit()
    shop.path("registry/deep/er").mkdir(parents=True)
    shop.git("mv", "registry/t.json", "registry/deep/er/other.json")
    shop.commit()
    assert steps(shop) == [("1.0.0", "first", None, None)]
    shop.write("registry/deep/er/other.json", "a: string; b: any opt", "1.1.0")
    shop.git("mv", "registry/deep/er/other.json", "registry/t.json")
    shop.commit()
    assert steps(shop)[1:] == [("1.1.0", "revision", "forward", True)]


def test_a_contract_that_went_and_came_back(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.commit()
    shop.path("registry/t.json").unlink()
    shop.commit()
    shop.write("registry/t.json", "a: string")
    shop.commit()
    assert [step[:2] for step in steps(shop)] == [("1.0.0", "first"), ("1.0.0", "removed"), ("1.0.0", "first")]


def test_a_merge_is_one_step_and_full_follows_the_branch(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.write("registry/u.json", "a: string", name="u")
    shop.commit()
    shop.git("checkout", "-q", "-b", "side")
    shop.write("registry/t.json", "a: string; b: any opt", "1.1.0")
    shop.commit()
    shop.write("registry/t.json", "a: string; b: any opt; c: any opt", "1.2.0")
    shop.commit()
    shop.git("checkout", "-q", "main")
    shop.write("registry/u.json", "a: integer", "2.0.0", name="u")
    shop.commit()
    merge = shop.merge("side")
    report = json.loads(shop.run("log", "t", "--format", "json").stdout)
    assert [step["commit"] for step in report["contracts"][0]["steps"]][-1] == merge
    assert [step[0] for step in steps(shop)] == ["1.0.0", "1.2.0"]
    assert [step[0] for step in steps(shop, "t", "--full")] == ["1.0.0", "1.1.0", "1.2.0"]
    assert [step[0] for step in steps(shop, "u", "--full")] == ["1.0.0", "2.0.0"]


def test_a_merge_that_makes_something_of_its_own_is_a_step_with_full(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.commit()
    shop.git("checkout", "-q", "-b", "side")
    shop.write("registry/t.json", "a: string; b: any opt", "1.1.0")
    shop.commit()
    shop.git("checkout", "-q", "main")
    shop.write("registry/t.json", "a: string; c: any opt", "1.1.0")
    shop.commit()
    shop.git("merge", "-q", "--no-commit", "-s", "ours", "side")
    shop.write("registry/t.json", "a: string; b: any opt; c: any opt", "1.2.0")
    shop.commit("merge")
    assert [step[0] for step in steps(shop, "t", "--full")] == ["1.0.0", "1.1.0", "1.1.0", "1.2.0"]


def test_a_rebase_keeps_the_chain(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.commit()
    shop.git("checkout", "-q", "-b", "side")
    shop.write("registry/t.json", "a: string; b: any opt", "1.1.0")
    shop.commit()
    shop.git("checkout", "-q", "main")
    shop.write_text("notes.txt", "x")
    shop.commit()
    shop.git("checkout", "-q", "side")
    shop.git("rebase", "-q", "main")
    assert [step[0] for step in steps(shop)] == ["1.0.0", "1.1.0"]


def test_what_is_no_contract_is_passed_over(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.write_text("registry/broken.json", "{")
    shop.path("registry/link.json").symlink_to("t.json")
    shop.commit()
    shop.write_text("registry/t.json", "{")
    shop.commit()
    shop.write("registry/t.json", "a: string", "1.0.1")
    shop.commit()
    assert [step[:2] for step in steps(shop)] == [("1.0.0", "first"), ("1.0.0", "removed"), ("1.0.1", "first")]


def test_a_name_that_is_spelled_with_escapes_is_found(shop: Workshop) -> None:
    for number, spelled in enumerate((r"x\/y", r"\u0078/y", "x/y")):
        text = f'{{"name": "{spelled}", "revision": "1.0.{number}", "kind": "mcp", "fields": []}}'
        shop.write_text("registry/t.json", text)
        shop.commit()
    assert [step[0] for step in steps(shop, "x/y")] == ["1.0.0", "1.0.1", "1.0.2"]
    assert shop.run("show", "x/y@1.0.0").exit_code == 0


def test_the_number_of_processes_does_not_grow(shop: Workshop, tmp_path: Path) -> None:
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    real = shop.git("--exec-path") + "/git"
    fake.write_text(f'#!/bin/sh\necho x >> "{tmp_path}/count"\nexec "{real}" "$@"\n', encoding="utf-8")
    fake.chmod(0o755)
    counts = []
    for number in range(2):
        for step in range(4):
            shop.write(f"registry/{number}{step}.json", "a: string", f"1.{number}.{step}")
            shop.commit()
        (tmp_path / "count").write_text("", encoding="utf-8")
        shop.run("log", "--full", PATH=f"{fake.parent}:/usr/bin:/bin")
        counts.append(len((tmp_path / "count").read_text(encoding="utf-8").splitlines()))
    assert counts[0] == counts[1] <= 4


def test_a_shallow_history_says_where_it_ends(shop: Workshop, tmp_path: Path) -> None:
    for revision in ("1.0.0", "1.0.1"):
        shop.write("registry/t.json", "a: string", revision)
        shop.commit()
    clone = tmp_path / "clone"
    shop.git("clone", "-q", "--depth", "1", f"file://{shop.folder}", str(clone))
    shop.folder = clone
    done = shop.run("log")
    assert done.stdout.decode().endswith("\n\nthe history ends here: this clone is shallow (git fetch --unshallow)\n")
    assert json.loads(shop.run("log", "--format", "json").stdout)["shallow"] is True


def test_there_may_be_nothing_to_tell(shop: Workshop, tmp_path: Path) -> None:
    assert shop.run("log")[::2] == (3, "error: there are no commits yet\n")
    shop.commit()
    assert shop.run("log") == (0, b"", "")
    shop.write("registry/t.json", "")
    shop.write("registry/tool.json", "", name="tool.call")
    shop.commit()
    assert shop.run("log", "tool.cal")[::2] == (
        3,
        "error: there is no contract 'tool.cal' in the history of the registry; it holds tool.call, t\n",
    )
    shop.folder = tmp_path
    assert shop.run("log")[::2] == (3, "error: the current directory is in no git repository\nhint: git init\n")
