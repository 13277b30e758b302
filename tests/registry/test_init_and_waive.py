"""``init`` and ``waive``: what they write, and what they leave alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from protocolarc.config.waivers import read_waivers
from protocolarc.registry.waive import is_about_whole
from protocolarc.rules.catalogue import catalogue
from protocolarc.values.policy import Policy, Waiver
from tests.support.repository import Files, Repository, contract

FILES = ("protocolarc.toml", ".pre-commit-config.yaml", "registry/example.tool_call.json")
WAIVE = ("waive", "t", "field.type.changed", "['a'].b", "--from", "1.0.0", "--to", "1.1.0")
WHY = (
    *("--now", "2026-06-01", "--reason", 'nobody "sends" it\n\u00e9', "--owner", "Ada"),
    *("--expires", "2027-01-31"),
)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "work")


def test_init_writes_a_registry_that_passes_its_own_check(repository: Repository) -> None:
    done = repository.run("init")
    written = "".join(f"wrote {name}\n" for name in FILES)
    assert done == (0, f"{written}next: git add the files, then pre-commit install, or prek install\n".encode(), "")
    repository.git("add", "-A")
    assert repository.run("check").exit_code == 0
    assert repository.run("describe", "example.tool_call").exit_code == 0
    policy = tomllib.loads((repository.top / "protocolarc.toml").read_text(encoding="ascii"))
    assert policy == {"paths": list(Policy().paths)}


def test_every_line_of_the_policy_that_is_commented_out_may_be_used(repository: Repository) -> None:
    repository.run("init")
    path = repository.top / "protocolarc.toml"
    lines = path.read_text(encoding="ascii").splitlines()
    path.write_text("\n".join(line.removeprefix("# ") for line in lines[1:]), encoding="ascii")
    repository.git("add", "-A")
    assert repository.run("check")[::2] == (0, "")


def test_init_overwrites_nothing(repository: Repository) -> None:
    for name in FILES[:2]:
        repository.write({name: "# mine\n"})
    repository.put("registry/t.json", "")
    lines = repository.run("init", below="registry").stdout.decode().splitlines()
    assert [line for line in lines if line.startswith(("kept", "wrote"))] == [
        "kept  the policy that is there",
        "kept  .pre-commit-config.yaml; this belongs under its repos:",
        "kept  the contracts in registry",
    ]
    assert "      - id: protocolarc-check" in lines
    assert all((repository.top / name).read_text("utf-8") == "# mine\n" for name in FILES[:2])
    assert not (repository.top / FILES[2]).exists()


HAVING = {
    "another hook": ("repos: []\n", False),
    "the shipped hook": ("repos:\n- repo: x\n  hooks: [{id: protocolarc-check}]\n", True),
    "nothing that is text": ("\0", False),
}


@pytest.mark.parametrize(("text", "has_it"), HAVING.values(), ids=HAVING)
def test_init_tells_a_configuration_that_has_the_hook_from_one_that_needs_it(
    text: str, has_it: bool, repository: Repository
) -> None:
    repository.write({".pre-commit-config.yaml": text})
    lines = repository.run("init").stdout.decode().splitlines()
    assert ("kept  .pre-commit-config.yaml, which has the hook" in lines) is has_it
    assert ("      - id: protocolarc-check" in lines) is not has_it
    repository.write({".pre-commit-config.yaml": None})
    for _ in range(2):
        said = repository.run("init").stdout
    assert b"kept  .pre-commit-config.yaml, which has the hook\n" in said


def test_init_leaves_what_a_link_or_a_broken_contract_stands_for(repository: Repository, tmp_path: Path) -> None:
    (repository.top / "protocolarc.toml").symlink_to(tmp_path / "nowhere")
    repository.write({FILES[2]: "{"})
    refused = repository.run("init")
    assert (refused.exit_code, refused.stderr.split(": ")[1]) == (3, "protocolarc.toml")
    (repository.top / "protocolarc.toml").rename(repository.top / ".pre-commit-config.yaml")
    lines = repository.run("init").stdout.decode().splitlines()
    assert lines[1].startswith("kept  .pre-commit-config.yaml")
    assert f"kept  {FILES[2]}" in lines
    assert not (tmp_path / "nowhere").exists()


def test_nothing_is_written_through_a_link(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repository.top / "registry").symlink_to(tmp_path / "elsewhere")
    done = repository.run("init")
    assert done.exit_code == 3
    assert "registry is, or is below, a symbolic link; nothing is written through one\n" in done.stderr
    (repository.top / "waivers.toml").symlink_to(tmp_path / "elsewhere" / "new.toml")
    done = repository.run(*WAIVE, *WHY)
    assert done.exit_code == 3
    assert "waivers.toml: a symbolic link; put the file itself here\n" in done.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_init_follows_the_policy_that_is_there(repository: Repository) -> None:
    repository.write({"pyproject.toml": '[tool.protocolarc]\npaths = ["a b/c"]\n'})
    assert b"wrote a b/c/example.tool_call.json\n" in repository.run("init").stdout
    assert not (repository.top / "protocolarc.toml").exists()


def test_outside_of_a_repository(repository: Repository) -> None:
    for words in (("init",), (*WAIVE, *WHY)):
        assert repository.run(*words, below="..")[::2] == (
            3,
            "error: the current directory is in no git repository\nhint: git init\n",
        )


def test_waive_writes_what_the_checks_read(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    assert repository.run(*WAIVE, *WHY) == (
        0,
        b"waivers.toml: waived t 1.0.0 -> 1.1.0: field.type.changed a.b until 2027-01-31\n"
        b"next: let it in by a change of its own; a gate reads it from the base\n",
        "",
    )
    waiver = Waiver(
        "t", "field.type.changed", "a.b", "1.0.0", "1.1.0", 'nobody "sends" it\n\u00e9', "Ada", "2027-01-31"
    )
    assert read_waivers((repository.top / "waivers.toml").read_bytes()) == (waiver,)
    assert b"renewed" in repository.run(*WAIVE, *WHY[:-1], "2027-02-28").stdout
    assert b"waived" in repository.run(*WAIVE[:2], "field.order", "@contract", *WAIVE[4:], *WHY).stdout
    assert read_waivers((repository.top / "waivers.toml").read_bytes()) == (
        waiver._replace(kind="field.order", field="@contract"),
        waiver._replace(expires="2027-02-28"),
    )


def test_a_waived_change_needs_less(repository: Repository) -> None:
    repository.put("registry/t.json", "a: string")
    repository.commit()
    repository.put("registry/t.json", "a: integer", "1.0.1")
    repository.git("add", "-A")
    assert repository.run("check").exit_code == 2
    repository.run("waive", "t", "field.type.changed", "a", "--from", "1.0.0", "--to", "1.0.1", *WHY)
    repository.git("add", "-A")
    assert repository.run("check", "--now", "2027-01-31").exit_code == 0
    assert repository.run("check", "--now", "2027-02-01").exit_code == 2


@pytest.mark.parametrize(
    ("position", "word", "reason"),
    [
        (2, "field.type", "there is no change kind 'field.type'; 'protocolarc rules' lists them"),
        (3, "a..b", "'a..b' is no path: expected a name or ['...'] at character 2"),
        (5, "1.0", "'1.0' and '1.1.0': not a semantic version such as 1.0.0"),
        (5, "1.1.1", "1.1.0 is lower than 1.1.1; --from is the revision before the change"),
        (2, "contract.removed", "contract.removed takes no waiver: name the contract under retired in the policy file"),
        (2, "contract.doc", "contract.doc is about the contract as a whole; its field is @contract"),
        (2, "field.order", "field.order is about the contract as a whole; its field is @contract"),
        (3, "@contract", "field.type.changed is about one field; name it instead of @contract"),
        (9, "today", "--now today is no date such as 2026-12-31"),
        (11, " ", "the reason is empty"),
        (15, "soon", "'soon' is no date such as 2026-12-31"),
        (15, "2026-05-31", "2026-05-31 is over, on 2026-06-01; name the last day that it is to hold"),
    ],
)
def test_a_waiver_that_says_nothing_is_not_written(
    repository: Repository, position: int, word: str, reason: str
) -> None:
    words = [*WAIVE, *WHY]
    words[position] = word
    assert repository.run(*words) == (3, b"", f"error: {reason}\n")
    assert not (repository.top / "waivers.toml").exists()


def test_a_waiver_holds_on_the_day_that_it_is_made(repository: Repository) -> None:
    assert repository.run(*WAIVE, *WHY[:-1], "2026-06-01").exit_code == 0


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, ", which holds none"),
        ({"registry/u.json": contract("tt", "1.0.0"), "registry/x.json": "{"}, "; it holds tt; not readable: X"),
    ],
    ids=["none", "others"],
)
def test_a_waiver_of_an_unknown_contract_is_written_with_a_warning(
    repository: Repository, files: Files, told: str
) -> None:
    repository.write(files)
    done = repository.run(*WAIVE, *WHY)
    told = told.replace("X", "registry/x.json")
    assert (done.exit_code, done.stderr) == (0, f"warning: there is no contract 't' in the registry{told}\n")
    assert b"waived t" in done.stdout


def test_the_kinds_that_are_about_the_whole_say_so_in_their_examples() -> None:
    kinds = [item.entry for item in catalogue() if item.family == "change" and item.entry.id != "contract.removed"]
    assert [entry.id for entry in kinds if is_about_whole(entry.id)] == [
        entry.id for entry in kinds if entry.example.startswith("@contract: ")
    ]


def test_a_waiver_file_that_cannot_be_used_is_left_as_it_is(repository: Repository) -> None:
    repository.write({"waivers.toml": "waiver = 1\n"})
    assert repository.run(*WAIVE, *WHY)[::2] == (3, "error: waivers.toml: expects [[waiver]] tables\n")
    assert (repository.top / "waivers.toml").read_bytes() == b"waiver = 1\n"
