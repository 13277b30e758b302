"""``init`` and ``waive``: what they write, and what they leave alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from protocolarc.config.waivers import read_waivers
from protocolarc.values.policy import Policy, Waiver
from tests.support.workshop import Workshop

FILES = ("protocolarc.toml", ".pre-commit-config.yaml", "registry/example.tool_call.json")
WAIVE = ("waive", "t", "field.type.changed", "['a'].b", "--from", "1.0.0", "--to", "1.1.0")
WHY = ("--reason", 'nobody "sends" it\n\u00e9', "--owner", "Ada", "--expires", "2027-01-31")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path / "work")


def test_init_writes_a_registry_that_passes_its_own_check(shop: Workshop) -> None:
    done = shop.run("init")
    written = "".join(f"wrote {name}\n" for name in FILES)
    assert done == (0, f"{written}next: git add the files, then pre-commit install\n".encode(), "")
    shop.git("add", "-A")
    assert shop.run("check").exit_code == 0
    assert shop.run("describe", "example.tool_call").exit_code == 0
    policy = tomllib.loads(shop.path("protocolarc.toml").read_text(encoding="ascii"))
    assert policy == {"paths": list(Policy().paths)}


def test_every_line_of_the_policy_that_is_commented_out_may_be_used(shop: Workshop) -> None:
    shop.run("init")
    path = shop.path("protocolarc.toml")
    lines = path.read_text(encoding="ascii").splitlines()
    path.write_text("\n".join(line.removeprefix("# ") for line in lines[1:]), encoding="ascii")
    shop.git("add", "-A")
    assert shop.run("check")[::2] == (0, "")


def test_init_overwrites_nothing(shop: Workshop) -> None:
    for name in FILES[:2]:
        shop.write_text(name, "# mine\n")
    shop.write("registry/t.json", "")
    shop.folder = shop.path("registry")
    lines = shop.run("init").stdout.decode().splitlines()
    shop.folder = shop.folder.parent
    assert [line for line in lines if line.startswith(("kept", "wrote"))] == [
        "kept  the policy that is there",
        "kept  .pre-commit-config.yaml; this belongs under its repos:",
        "kept  the contracts in registry",
    ]
    assert "      - id: protocolarc-check" in lines
    assert all(shop.path(name).read_text("utf-8") == "# mine\n" for name in FILES[:2])
    assert not shop.path(FILES[2]).exists()


def test_init_leaves_what_a_link_or_a_broken_contract_stands_for(shop: Workshop, tmp_path: Path) -> None:
    shop.path("protocolarc.toml").symlink_to(tmp_path / "nowhere")
    shop.write_text(FILES[2], "{")
    lines = shop.run("init").stdout.decode().splitlines()
    assert lines[0] == "kept  protocolarc.toml"
    assert f"kept  {FILES[2]}" in lines
    assert not (tmp_path / "nowhere").exists()


def test_init_follows_the_policy_that_is_there(shop: Workshop) -> None:
    shop.write_text("pyproject.toml", '[tool.protocolarc]\npaths = ["a b/c"]\n')
    assert b"wrote a b/c/example.tool_call.json\n" in shop.run("init").stdout
    assert not shop.path("protocolarc.toml").exists()


def test_outside_of_a_repository(tmp_path: Path, shop: Workshop) -> None:
    shop.folder = tmp_path
    for words in (("init",), (*WAIVE, *WHY)):
        assert shop.run(*words)[::2] == (3, "error: the current directory is in no git repository\nhint: git init\n")


def test_waive_writes_what_the_checks_read(shop: Workshop) -> None:
    assert shop.run(*WAIVE, *WHY) == (
        0,
        b"waivers.toml: waived t 1.0.0 -> 1.1.0: field.type.changed a.b until 2027-01-31\n",
        "",
    )
    waiver = Waiver(
        "t", "field.type.changed", "a.b", "1.0.0", "1.1.0", 'nobody "sends" it\n\u00e9', "Ada", "2027-01-31"
    )
    assert read_waivers(shop.path("waivers.toml").read_bytes()) == (waiver,)
    assert b"renewed" in shop.run(*WAIVE, *WHY[:-1], "2027-02-28").stdout
    assert b"waived" in shop.run(*WAIVE[:3], "@contract", *WAIVE[4:], *WHY).stdout
    assert read_waivers(shop.path("waivers.toml").read_bytes()) == (
        waiver._replace(field="@contract"),
        waiver._replace(expires="2027-02-28"),
    )


def test_a_waived_change_needs_less(shop: Workshop) -> None:
    shop.write("registry/t.json", "a: string")
    shop.commit()
    shop.write("registry/t.json", "a: integer", "1.0.1")
    shop.git("add", "-A")
    assert shop.run("check").exit_code == 2
    shop.run("waive", "t", "field.type.changed", "a", "--from", "1.0.0", "--to", "1.0.1", *WHY)
    shop.git("add", "-A")
    assert shop.run("check", "--now", "2027-01-31").exit_code == 0
    assert shop.run("check", "--now", "2027-02-01").exit_code == 2


@pytest.mark.parametrize(
    ("position", "word", "reason"),
    [
        (2, "field.type", "there is no change kind 'field.type'; 'protocolarc rules' lists them"),
        (3, "a..b", "'a..b' is no path: expected a name or ['...'] at character 2"),
        (5, "1.0", "'1.0' and '1.1.0': not a semantic version such as 1.0.0"),
        (9, " ", "the reason is empty"),
        (13, "soon", "'soon' is no date such as 2026-12-31"),
    ],
)
def test_a_waiver_that_says_nothing_is_not_written(shop: Workshop, position: int, word: str, reason: str) -> None:
    words = [*WAIVE, *WHY]
    words[position] = word
    assert shop.run(*words) == (3, b"", f"error: {reason}\n")
    assert not shop.path("waivers.toml").exists()


def test_a_waiver_file_that_cannot_be_used_is_left_as_it_is(shop: Workshop) -> None:
    shop.write_text("waivers.toml", "waiver = 1\n")
    assert shop.run(*WAIVE, *WHY)[::2] == (3, "error: waivers.toml: expects [[waiver]] tables\n")
    assert shop.path("waivers.toml").read_bytes() == b"waiver = 1\n"
