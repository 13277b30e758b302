"""A registry whose policy comes to name other folders: nothing that the old ones held is forgotten."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from tests.support.repository import Files, Repository, codes, contract

STRING, INTEGER, MORE = "a: string", "a: integer", "a: string; b: string opt"
NEW = b'paths = ["new"]\n'
SHARED = b'[project]\nname = "x"\n\n[tool.protocolarc]\npaths = ["new"]\n'
EITHER = {"protocolarc.toml": NEW, "pyproject.toml": SHARED}


OWN = MappingProxyType({"protocolarc.toml": NEW})


def moved(fields: str, revision: str = "1.0.0", policy: Files = OWN) -> Files:
    """The files of a commit that moves ``m`` to another folder, and the policy with it."""
    return {"registry/m.json": None, "new/m.json": contract("m", revision, fields), **policy}


def ways(repository: Repository) -> list[tuple[int, list[str]]]:
    """What each judge of a change says while it is staged, and once it is committed."""
    found = [repository.run("check"), repository.run("check", "--worktree")]
    repository.commit()
    found += [repository.run(*words, "--from", "HEAD~1") for words in (("check",), ("gate", "--pairwise"))]
    return [(done.exit_code, [code for code in codes(done) if code != "policy.changed"]) for done in found]


MOVES = [
    ("as it is", moved(STRING), 0, ["contract.moved"]),
    ("broken", moved(INTEGER), 2, ["bump.missing"]),
    ("carried", moved(INTEGER, "2.0.0"), 0, []),
    ("lower", moved(STRING, "0.9.0"), 1, ["revision.regressed"]),
    ("gone", {"registry/m.json": None, "protocolarc.toml": NEW, "new/k.json": contract("k", "1.0.0")}, 2,
     ["contract.removed"]),
    ("in the shared file", moved(INTEGER, policy={"pyproject.toml": SHARED}), 2, ["bump.missing"]),
    ("twice", {"protocolarc.toml": b'paths = ["registry", "old"]\n'}, 1, ["revision.duplicate"]),
    ("left behind", {"protocolarc.toml": NEW, "new/m.json": contract("m", "1.0.0", INTEGER)}, 2,
     ["bump.missing", "revision.duplicate"]),
]  # fmt: skip


@pytest.mark.parametrize(("files", "code", "expected"), [row[1:] for row in MOVES], ids=[row[0] for row in MOVES])
def test_both_sides_are_read_below_what_either_policy_names(
    repository: Repository, files: Files, code: int, expected: list[str]
) -> None:
    repository.commit({"old/m.json": contract("m", "1.0.0", INTEGER)})
    repository.stage(files)
    assert ways(repository) == [(code, expected)] * 4


def test_a_branch_that_moved_the_registry_is_held_against_what_is_published(repository: Repository) -> None:
    repository.write({"protocolarc.toml": b'published = "main"\n'})
    repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit(moved(STRING, policy={"protocolarc.toml": b'paths = ["new"]\npublished = "main"\n'}))
    assert repository.run("check").exit_code == 0
    repository.stage({"new/m.json": contract("m", "1.0.0", INTEGER)})
    for words in ((), ("--worktree",)):
        done = repository.run("check", *words)
        assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    done = repository.run("bump", "m")
    assert done.stdout.startswith(b"new/m.json: m@1.0.0 is 2.0.0 now\n")
    repository.stage()
    assert repository.run("check").exit_code == 0


def test_what_stayed_in_the_old_folder_does_not_leave_again(repository: Repository) -> None:
    repository.commit({"registry/old.json": contract("old", "1.0.0")})
    repository.git("branch", "topic")
    repository.commit(moved(STRING, policy={"protocolarc.toml": NEW + b'retired = ["old"]\n'}))
    repository.commit({"protocolarc.toml": NEW})
    repository.git("checkout", "-q", "topic")
    repository.commit({"other": "1"})
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-commit", "topic")
    assert ways(repository) == [(0, [])] * 4


def test_what_was_left_before_is_no_one_s_also_when_its_name_goes_on(repository: Repository) -> None:
    repository.commit({"protocolarc.toml": 'published = "main"\n', "registry/k.json": contract("k", "1.0.0")})
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    files = {"new/m.json": contract("m", "1.2.0", MORE, doc="words"), "new/k.json": contract("k", "1.0.0")}
    policy = 'paths = ["new"]\npublished = "main"\n'
    repository.commit({**files, "registry/k.json": None, "protocolarc.toml": policy})
    repository.commit({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    repository.stage({"new/k.json": contract("k", "1.0.1", doc="words")})
    for words in ((), ("--worktree",)):
        done = repository.run("check", *words)
        assert (done.exit_code, codes(done)) == (0, [])


def test_mistyped_paths_are_told_also_where_another_side_has_contracts(repository: Repository) -> None:
    repository.write({"protocolarc.toml": 'published = "main"\n'})
    repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"protocolarc.toml": 'paths = ["registyr"]\npublished = "main"\n'})
    repository.stage({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    for words in ((), ("--worktree",)):
        assert b"note: nothing lies below registyr, neither in " in repository.run("check", *words).stdout


def test_a_branch_that_has_the_old_folder_is_merged(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    repository.git("checkout", "-q", "main")
    repository.commit(moved(STRING))
    repository.git("merge", "-q", "--no-commit", "-X", "find-renames=1%", "topic", check=False)
    repository.stage({"new/m.json": contract("m", "1.0.0")})
    expected = (1, ["revision.lost-in-merge"])
    done = repository.run("check")
    assert (done.exit_code, codes(done)) == expected
    repository.commit()
    for words in (("check",), ("gate",)):
        done = repository.run(*words, "--from", "HEAD~1")
        assert (done.exit_code, codes(done)) == expected


BROKEN = [
    ("no TOML", {"protocolarc.toml": b"paths = ["}, 0, []),
    ("an unknown key", {"protocolarc.toml": b"nope = 1\n"}, 2, ["contract.removed"]),
    ("paths of no kind", {"protocolarc.toml": b"paths = 7\n"}, 0, []),
    ("no TOML in the shared file", {"pyproject.toml": b"[tool.protocolarc]\npaths = ["}, 0, []),
    ("both files", {"protocolarc.toml": b'paths = ["new"]\n', "pyproject.toml": b"[tool.protocolarc]\n"}, 0, []),
    ("no table in the shared file", {"pyproject.toml": b"[tool]\nprotocolarc = 7\n"}, 0, []),
]


@pytest.mark.parametrize(("files", "code", "expected"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_policy_that_cannot_be_used_stops_nobody_from_repairing_it(
    repository: Repository, files: Files, code: int, expected: list[str]
) -> None:
    repository.commit(files)
    assert repository.run("check").exit_code == 3
    repository.stage({**dict.fromkeys(files), "protocolarc.toml": NEW, "new/k.json": contract("k", "1.0.0")})
    repository.git("rm", "-q", "registry/m.json")
    for words in ((), ("--worktree",)):
        done = repository.run("check", *words)
        assert (done.exit_code, codes(done)) == (code, expected)


def test_a_link_in_place_of_the_policy_stops_nobody_from_repairing_it(repository: Repository) -> None:
    (repository.top / "protocolarc.toml").symlink_to("README.md")
    repository.commit()
    (repository.top / "protocolarc.toml").unlink()
    repository.stage({"protocolarc.toml": b'zero = "free"\n'})
    assert repository.run("check").exit_code == 0


def test_what_is_no_contract_in_a_folder_that_only_the_base_named_is_somebody_else_s(repository: Repository) -> None:
    repository.commit({"registry/m.json": None, "registry/p\u00e9.json": b"{", "registry/same.json": b"["})
    repository.stage({"protocolarc.toml": NEW, "new/k.json": contract("k", "1.0.0")})
    assert b"gave no contract before" not in repository.run("check").stdout
    assert ways(repository) == [(0, [])] * 4
    repository.stage({"protocolarc.toml": b'paths = ["even"]\n', "registry/same.json": b"{]", "new/k.json": b"{"})
    assert [code for code, _ in ways(repository)] == [3] * 4


@pytest.mark.parametrize("name", EITHER)
def test_a_policy_that_changes_alone_has_everything_read(repository: Repository, name: str) -> None:
    repository.commit({"new/k.json": b"{"})
    assert repository.run("check").exit_code == 0
    repository.stage({name: EITHER[name]})
    done = repository.run("check")
    assert (done.exit_code, done.stderr[:32]) == (3, "[ERROR] new/k.json json.syntax a")


def test_what_is_no_part_of_the_policy_has_nothing_read(repository: Repository) -> None:
    repository.commit({"pyproject.toml": b"[tool.protocolarc]\nimmutable = true\n", "registry/k.json": b"{"})
    repository.stage({"pyproject.toml": b'[project]\nname = "x"\n\n[tool.protocolarc]\nimmutable = true\n'})
    done = repository.run("check")
    assert (done.exit_code, b"nothing is staged below registry;" in done.stdout) == (0, True)


def test_a_contract_that_stays_in_a_folder_that_was_given_up_has_left(repository: Repository) -> None:
    repository.commit({"registry/z.json": contract("z", "1.0.0")})
    repository.stage(moved(STRING))
    assert ways(repository) == [(2, ["contract.removed", "contract.moved"])] * 4
    repository.stage({"registry/z.json": None, "new/z.json": contract("z", "1.0.0")})
    repository.git("commit", "-q", "--amend", "--no-edit", "--no-verify")
    gate = repository.run("gate", "--from", "HEAD~1")
    assert (gate.exit_code, sorted(codes(gate))) == (0, ["contract.moved", "contract.moved", "policy.changed"])


@pytest.mark.parametrize("foreign", [{"registry/pkg.json": b'{"x": 2}'}, {"registry/other.json": b'{"x": 1}'}])
def test_a_folder_of_somebody_else_stops_no_branch_from_before(empty: Repository, foreign: Files) -> None:
    empty.commit({"registry/pkg.json": b'{"x": 1}'})
    empty.git("branch", "before")
    empty.commit({"protocolarc.toml": NEW, "new/m.json": contract("m", "1.0.0")})
    empty.git("checkout", "-q", "before")
    empty.commit(foreign)
    empty.git("checkout", "-q", "main")
    empty.git("merge", "-q", "--no-ff", "--no-commit", "before")
    assert empty.run("check")[::2] == (0, "")
    empty.commit()
    for words in (("gate", "--from", "HEAD^1"), ("check", "--from", "HEAD^1")):
        assert empty.run(*words)[::2] == (0, ""), words
