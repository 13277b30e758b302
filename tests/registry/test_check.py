"""``check``: what is staged, what is on the disk, what a range of commits changed."""

from __future__ import annotations

import json
import re

import pytest

from protocolarc.render.formats import CHECK
from tests.registry.conftest import Clone
from tests.support.cli import Done
from tests.support.repository import Repository, codes, contract

NOTHING = "nothing is staged below registry; gate judges commits"
STRING, INTEGER, MORE = "a: string", "a: integer", "a: string; b: string opt"


def test_a_report_names_what_was_compared_and_what_to_do(repository: Repository) -> None:
    repository.stage({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    head = repository.git("rev-parse", "HEAD")[:12]
    assert repository.run("check") == (
        2,
        b"checked 1 contract: index against HEAD (" + head.encode() + b")\n"
        b"  ERROR   bump.missing           m: 1.0.0 -> 1.1.0 is breaking and needs 2.0.0 (registry/m.json)\n"
        b"      breaking    field.type.changed         a: string -> integer\n"
        b"      protocolarc bump m\n",
        "",
    )


def test_the_changes_that_ask_for_the_bump_are_told_whatever_their_weight(repository: Repository) -> None:
    repository.stage({"registry/m.json": contract("m", "1.0.1", f"{MORE}; c: any opt", doc="words")})
    assert repository.run("check").stdout.decode().splitlines()[1:] == [
        "  ERROR   bump.missing           m: 1.0.0 -> 1.0.1 is forward and needs 1.1.0 (registry/m.json)",
        "      forward     field.added.optional       b: added string",
        "      forward     field.added.optional       c: added any",
        "      protocolarc bump m",
    ]


def drawn(done: Done) -> list[str]:
    """The lines of a picture, without its colours, frames and blanks."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout.decode())
    lines = [" ".join(re.sub(r"[^ -~]|[|+]|--+", " ", line).split()) for line in plain.splitlines()]
    return [line for line in lines if line]


def test_a_terminal_shows_the_fields_side_by_side(repository: Repository) -> None:
    fields = "['[red]x']: any opt; a: integer"
    repository.stage({"registry/m.json": contract("m", "1.0.1", fields), "registry/n.json": b"{"})
    wide = {"COLUMNS": "150"}
    done = repository.run("check", "--color", "always", environ=wide)
    assert (done.exit_code, b"\x1b[" in done.stdout) == (3, True)
    assert drawn(done)[1:] == [
        "ERROR bump.missing m: 1.0.0 -> 1.0.1 is breaking and needs 2.0.0 (registry/m.json)",
        "impact field 1.0.0 1.0.1 change",
        "breaking a string integer field.type.changed",
        "forward ['[red]x'] added any field.added.optional",
        "bump: patch; needed: major, so 2.0.0 or higher",
        "protocolarc bump m",
    ]
    repository.commit({"registry/n.json": None})
    gate = repository.run("gate", "--from", "HEAD~1", environ={**wide, "FORCE_COLOR": "1"})
    assert drawn(gate)[1:] == drawn(done)[1:]
    nothing = repository.run("check", "--color", "always", environ=wide)
    assert drawn(nothing)[1:] == [f"note: {NOTHING}", "(nothing to report)"]


@pytest.mark.parametrize("words", [("check",), ("gate", "--from", "HEAD~1")], ids=["check", "gate"])
def test_colour_is_for_text_alone(repository: Repository, words: tuple[str, ...]) -> None:
    repository.commit({"registry/m.json": contract("m", "1.0.1", INTEGER)})
    repository.stage({"registry/m.json": contract("m", "1.0.1", STRING)})
    for name in CHECK:
        shown = repository.run(*words, "--format", name, "--color", "always").stdout
        assert (b"\x1b[" in shown) is (name == "text")
    assert b"\x1b[" not in repository.run(*words).stdout
    assert b"\x1b[" not in repository.run(*words, "--color", "never", environ={"FORCE_COLOR": "1"}).stdout


def test_the_light_entry_says_the_same(repository: Repository) -> None:
    repository.stage({"registry/m.json": contract("m", "1.0.1", MORE)})
    for words in ((), ("--format", "json"), ("--worktree",), ("--from", "HEAD", "--to", "HEAD"), ("--nope",)):
        light, full = repository.light(*words), repository.run("check", *words)
        assert (light.exit_code, light.stdout) == (full.exit_code, full.stdout)


def test_json_carries_the_judgements_and_their_diffs(repository: Repository) -> None:
    repository.stage({"registry/m.json": contract("m", "1.0.1", MORE), "registry/bad.json": b"{"})
    done = repository.run("check", "--format", "json")
    report = json.loads(done.stdout)
    (judgement,) = report["judgements"]
    assert (report["schema"], report["exit_code"], report["contracts"]) == ("protocolarc/check/1", 3, 1)
    assert report["errors"] == [
        {"path": "registry/bad.json", "problems": [{"code": "json.syntax", "pointer": "", "offset": 1}]}
    ]
    assert [judgement[key] for key in ("code", "old", "new", "smallest")] == ["bump.missing", "1.0.0", "1.0.1", "1.1.0"]
    assert [change["kind"] for change in judgement["diff"]["changes"]] == ["field.added.optional"]
    assert done.stderr == "[ERROR] registry/bad.json json.syntax at byte 1: not JSON as RFC 8259 defines it\n"


CONTEXTS = [
    ("nothing", {"README.md": b"other\n"}, 0, []),
    ("carried", {"registry/m.json": contract("m", "2.0.0", INTEGER)}, 0, []),
    ("blanks", {"registry/m.json": b"\r\n" + contract("m", "1.0.0")}, 0, []),
    ("unbumped", {"registry/m.json": contract("m", "1.0.0", MORE)}, 1, ["bump.missing"]),
    ("broken", {"registry/m.json": contract("m", "1.0.0", INTEGER)}, 2, ["bump.missing"]),
    ("deleted", {"registry/m.json": None}, 2, ["contract.removed"]),
    ("moved", {"registry/m.json": None, "registry/v1/m.json": contract("m", "1.0.0")}, 0, ["contract.moved"]),
    ("renamed", {"registry/m.json": contract("n", "1.0.0")}, 2, ["contract.removed"]),
    ("malformed", {"registry/m.json": b'{"name": "m"}'}, 3, ["contract.removed"]),
    ("added", {"registry/n.json": contract("n", "0.1.0")}, 0, []),
    ("twice", {"registry/n.json": contract("m", "1.0.0")}, 1, ["revision.duplicate"]),
    ("elsewhere", {"other/m.json": contract("m", "1.0.0", INTEGER)}, 0, []),
    ("no contract by name", {"registry/notes.txt": b"{"}, 0, []),
]


@pytest.mark.parametrize(("files", "code", "expected"), [row[1:] for row in CONTEXTS], ids=[row[0] for row in CONTEXTS])
def test_what_is_staged_is_judged(
    repository: Repository, files: dict[str, bytes | None], code: int, expected: list[str]
) -> None:
    repository.stage(files)
    done = repository.run("check")
    assert (done.exit_code, codes(done)) == (code, expected)


def test_the_index_counts_and_not_the_disk(repository: Repository) -> None:
    repository.stage({"registry/m.json": contract("m", "2.0.0", INTEGER)})
    repository.write({"registry/m.json": contract("m", "1.0.0", INTEGER), "registry/untracked.json": b"{"})
    assert repository.run("check").exit_code == 0
    worktree = repository.run("check", "--worktree")
    assert (worktree.exit_code, codes(worktree)) == (3, ["bump.missing"])


def test_the_disk_counts_with_worktree(repository: Repository) -> None:
    repository.write({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    assert repository.run("check").exit_code == 0
    done = repository.run("check", "--worktree")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    repository.write({"registry/m.json": None})
    assert codes(repository.run("check", "--worktree")) == ["contract.removed"]


def test_a_file_that_is_only_meant_to_be_added_is_not_in_the_commit(repository: Repository) -> None:
    repository.write({"registry/n.json": contract("n", "1.0.0")})
    repository.git("add", "-N", "registry/n.json")
    assert repository.run("check").exit_code == 0
    repository.stage({"registry/empty.json": b""})
    assert repository.run("check").exit_code == 3


def test_before_the_first_commit_everything_is_new(empty: Repository) -> None:
    empty.stage({"registry/m.json": contract("m", "1.0.0"), "registry/n.json": contract("n", "1.0.0")})
    done = empty.run("check")
    assert (done.exit_code, done.stdout) == (
        0,
        b"checked 2 contracts: index against no commit\n  (nothing to report)\n",
    )


def test_it_works_below_the_top(repository: Repository) -> None:
    repository.stage({"registry/m.json": contract("m", "1.0.0", INTEGER), "sub/x": b""})
    top = repository.run("check")
    assert repository.run("check", below="sub") == top
    assert repository.run("check", "--worktree", below="sub").exit_code == 2
    repository.commit({})
    assert repository.run("check", "--from", "HEAD~1", below="sub").exit_code == 2


def test_the_published_branch_says_how_far_a_revision_must_have_moved(repository: Repository, clone: Clone) -> None:
    mine = clone(repository)
    mine.git("checkout", "-q", "-b", "topic")
    mine.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    mine.stage({"registry/m.json": contract("m", "1.1.0", "a: string; b: integer opt")})
    done = mine.run("check")
    assert (done.exit_code, codes(done)) == (0, [])
    assert b", published origin/HEAD (" in done.stdout
    mine.stage({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    assert codes(mine.run("check")) == ["bump.missing"]
    mine.stage({"registry/m.json": contract("m", "1.0.0")})
    assert mine.run("check").exit_code == 0


def test_a_branch_that_is_called_head_is_not_the_head_of_the_remote(repository: Repository, clone: Clone) -> None:
    mine = clone(repository, "-o", "up")
    mine.git("update-ref", "refs/remotes/up/x/HEAD", "HEAD")
    mine.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    mine.stage({"registry/m.json": contract("m", "1.1.0", "a: string; b: integer opt")})
    done = mine.run("check")
    assert (done.exit_code, b", published up/HEAD (" in done.stdout) == (0, True)


def test_without_a_remote_head_is_what_was_published(repository: Repository) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    repository.stage({"registry/m.json": contract("m", "1.1.0", "a: string; b: integer opt")})
    assert repository.run("check").exit_code == 2


def test_a_published_branch_of_the_policy(repository: Repository) -> None:
    repository.git("branch", "stable")
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE), "protocolarc.toml": b'published = "stable"\n'})
    repository.stage({"registry/m.json": contract("m", "1.1.0", "a: string; b: integer opt")})
    assert repository.run("check").exit_code == 0
    repository.stage({"protocolarc.toml": b'published = "gone"\n'})
    done = repository.run("check")
    assert done.exit_code == 2
    assert b"note: published gone names no commit here; measured from HEAD" in done.stdout


def test_a_range_is_compared_from_where_the_branch_left(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    repository.git("checkout", "-q", "main")
    repository.commit({"registry/k.json": contract("k", "1.0.0")})
    done = repository.run("check", "--from", "main", "--to", "topic")
    assert (done.exit_code, codes(done)) == (0, [])


@pytest.mark.parametrize("zeros", ["0" * 40, "1" * 40])
def test_an_unknown_base_is_the_default_branch(repository: Repository, zeros: str) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    done = repository.run("check", "--from", zeros, "--to", "topic")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
    assert b"compared with main (" in done.stdout


def test_a_range_without_a_beginning(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    assert repository.run("check", "--to", "topic").exit_code == 2
    first = repository.run("check", "--to", "main")
    assert (first.exit_code, b"every contract counts as new" in first.stdout) == (0, True)


ALONE = {
    "": "there is no other branch to compare with",
    'published = "main"\n': "there is no other branch to compare with",
    'published = "origin/main"\n': "published origin/main names no commit here",
}


@pytest.mark.parametrize(("policy", "why"), ALONE.items(), ids=["nothing", "itself", "what is not here"])
def test_a_range_that_has_nothing_to_be_held_against_says_why(policy: str, why: str, repository: Repository) -> None:
    repository.commit({"protocolarc.toml": policy.encode()})
    for words in ((), ("--from", "0" * 40)):
        done = repository.run("check", *words, "--to", "main")
        assert (done.exit_code, f", and {why}: every contract counts as new\n" in done.stdout.decode()) == (0, True)


@pytest.mark.parametrize("words", [("--to", "HEAD"), ("--from", "0" * 40)], ids=["no base", "zeros"])
def test_a_shallow_clone_of_one_branch_has_no_base(
    words: tuple[str, ...], repository: Repository, clone: Clone
) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    repository.commit({"x": b"1"})
    repository.git("checkout", "-q", "main")
    shallow = clone(repository, "--depth", "1", "-b", "topic")
    done = shallow.run("check", *words)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert done.stderr == (
        "error: nothing to compare: there is no default branch to compare with\n"
        "hint: git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*', or --from names a base\n"
    )


@pytest.mark.parametrize("words", [("--to", "HEAD"), ("--from", "0" * 40)], ids=["no base", "zeros"])
def test_the_tip_of_the_default_branch_in_a_shallow_clone_has_nothing_before_it(
    words: tuple[str, ...], repository: Repository, clone: Clone
) -> None:
    repository.commit({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    shallow = clone(repository, "--depth", "1")
    done = shallow.run("check", *words)
    assert (done.exit_code, done.stdout) == (3, b"")
    why = "no base was named" if words[0] == "--to" else "nothing was there before"
    assert done.stderr == (
        f"error: nothing to compare: {why}, and this clone is shallow: what origin/HEAD was before is not here\n"
        "hint: git fetch --unshallow origin, or --from names a base\n"
    )
    shallow.git("fetch", "-q", "--unshallow", "origin", environ={"GIT_ALLOW_PROTOCOL": "file"})
    assert shallow.run("check", *words).exit_code == 0


def test_a_branch_of_its_own_root_is_new_unless_its_base_is_named(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "lonely")
    repository.commit({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    for words in (("--to", "lonely"), ("--from", "0" * 40, "--to", "lonely")):
        done = repository.run("check", *words)
        assert (done.exit_code, codes(done)) == (0, [])
        assert b"lonely shares no commit with main: every contract counts as new" in done.stdout
    assert repository.run("check", "--from", "main", "--to", "lonely").exit_code == 3
    assert repository.run("gate", "--to", "lonely").exit_code == 3


def test_the_runners_say_what_is_pushed(repository: Repository) -> None:
    tip = repository.commit({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    pushed = {"PRE_COMMIT_FROM_REF": f"{tip}~1", "PRE_COMMIT_TO_REF": tip}
    assert repository.run("check", environ=pushed).exit_code == 2
    assert repository.run("check").exit_code == 0


def test_a_contract_that_was_malformed_may_be_repaired(repository: Repository) -> None:
    repository.commit({"registry/n.json": b"{"})
    repository.stage({"registry/n.json": contract("n", "1.0.0")})
    done = repository.run("check")
    assert done.exit_code == 0
    assert b"note: registry/n.json gave no contract before (json.syntax); it counts as absent there" in done.stdout


def test_a_malformed_file_that_a_commit_leaves_alone_was_not_repaired(repository: Repository, clone: Clone) -> None:
    repository.commit({"registry/bad.json": b"{worse"})
    mine = clone(repository)
    mine.stage({"registry/bad.json": b"{"})
    assert mine.run("check").exit_code == 3
    mine.commit()
    mine.stage({"registry/m.json": contract("m", "1.1.0", MORE)})
    done = mine.run("check")
    assert (done.exit_code, done.stderr) == (0, "")
    assert b"counts as absent" not in done.stdout
    mine.commit()
    assert mine.run("gate").exit_code == 3


def test_a_name_that_comes_back_is_noticed(repository: Repository) -> None:
    repository.commit({"registry/m.json": None, "registry/n.json": contract("n", "1.0.0")})
    repository.stage({"registry/m.json": contract("m", "1.0.0", INTEGER)})
    done = repository.run("check")
    assert (done.exit_code, codes(done)) == (0, ["revision.reused"])


def test_transitive_mode_looks_into_the_history(repository: Repository) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    repository.commit({"registry/m.json": contract("m", "1.2.0")})
    repository.stage({"registry/m.json": contract("m", "1.3.0", "a: string; b: integer opt")})
    assert repository.run("check").exit_code == 0
    done = repository.run("check", "--transitive")
    assert (done.exit_code, codes(done)) == (2, ["chain.breaking"])
    assert b"m: 1.3.0 breaks 1.1.0 and needs 2.0.0" in done.stdout
    repository.stage({"protocolarc.toml": b"transitive = true\n"})
    assert repository.run("check").exit_code == 2


def test_a_transitive_check_that_cannot_be_made_is_no_pass(repository: Repository) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    lost = repository.git("rev-parse", "HEAD:registry/m.json")
    repository.commit({"registry/m.json": contract("m", "1.2.0")})
    repository.stage({"registry/m.json": contract("m", "1.3.0", "a: string; b: integer opt")})
    (repository.top / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    assert repository.run("check").exit_code == 0
    done = repository.run("check", "--transitive")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (3, f"error: object {lost} is missing or damaged")


@pytest.mark.parametrize(
    "paths", ['"registry"', '"registry", "lib"', '"lib", "registry"', '"registry", "away/in", "lib"']
)
def test_nothing_is_staged_whatever_the_order_of_the_paths(repository: Repository, paths: str) -> None:
    (repository.top / "registry" / "latest.json").symlink_to("m.json")
    policy = f"paths = [{paths}]\n".encode()
    repository.commit({"protocolarc.toml": policy, "lib/n.json": contract("n", "1.0.0"), "lib/z/n.json": b"{"})
    repository.stage({"README.md": b"other words\n"})
    done = repository.run("check")
    assert (done.exit_code, b"nothing is staged below " in done.stdout, done.stderr) == (0, True, "")


def test_a_mode_of_the_first_gits_is_that_of_a_file(repository: Repository) -> None:
    tree = b""
    for name in ("m", "n"):
        blob = repository.git("hash-object", "-w", "--stdin", stdin=contract(name, "1.0.0"))
        tree += f"100{664 if name == 'm' else 775} {name}.json".encode() + b"\0" + bytes.fromhex(blob)
    old = repository.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=tree)
    top = repository.git("mktree", stdin=f"040000 tree {old}\tregistry\n".encode())
    repository.git("reset", "-q", "--hard", repository.git("commit-tree", "-m", "old", top))
    assert b"note: nothing is staged below registry" in repository.run("check").stdout


BAD_POLICIES = [
    (b"zerro = 1\n", "protocolarc.toml: unknown key 'zerro', did you mean 'zero'?"),
    (b'zero = "half"\n', "protocolarc.toml: zero: expects one of shift, strict, free"),
    (b"immutable = 1\n", "protocolarc.toml: immutable: expects true or false"),
    (b"paths = []\n", "protocolarc.toml: paths: names no path"),
    (b'paths = ["../x"]\n', "no path from the top of the repository"),
    (b'published = "-x"\n', "is no name of a branch"),
    (b'tag-pattern = "v"\n', "protocolarc.toml: tag-pattern: expects one * where the version stands, as in 'v*'"),
    (b"zero = \n", "protocolarc.toml: Invalid value"),
    (b"\xff", "protocolarc.toml: 'utf-8' codec"),
    (b'required-version = ">=99"\n', "protocolarc.toml: required-version is >=99, this is protocolarc "),
    (b'required-version = "new"\n', "'new' is no specifier"),
    (b'[severity]\n"field.nope" = "breaking"\n', "there is no change kind 'field.nope'"),
    (b'[severity]\n"field.doc" = "bad"\n', "field.doc: expects one of compatible, forward, breaking"),
    (b'[fixtures]\nm = "x"\n', "fixtures: expects an array of strings"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_POLICIES, ids=range(len(BAD_POLICIES)))
def test_a_policy_that_cannot_be_used_is_an_input_error(repository: Repository, text: bytes, reason: str) -> None:
    repository.stage({"protocolarc.toml": text})
    done = repository.run("check")
    assert (done.exit_code, done.stdout) == (3, b"")
    assert reason in done.stderr
    assert done.stderr.startswith("error: ")


@pytest.mark.parametrize("name", ["protocolarc.toml", "waivers.toml", "pyproject.toml"])
@pytest.mark.parametrize("target", ["policy", 'zero = "free"'])
def test_a_policy_file_that_is_a_link_is_followed_nowhere(repository: Repository, name: str, target: str) -> None:
    (repository.top / name).symlink_to(target)
    (repository.top / target).write_bytes(b"")
    repository.commit({})
    for words in (("check",), ("check", "--worktree"), ("gate", "--from", "HEAD~1"), ("log",)):
        done = repository.run(*words)
        assert (done.exit_code, done.stdout) == (3, b"")
        assert done.stderr == f"error: {name}: a symbolic link; put the file itself here\n"


@pytest.mark.parametrize("text", ["[tool.protocolarc\n", "[tool.protocolarc]\nzero =\n", "[tool]\nprotocolarc = {\n"])
def test_a_shared_file_that_cannot_be_read_is_no_absent_policy(repository: Repository, text: str) -> None:
    repository.stage({"pyproject.toml": text})
    done = repository.run("check")
    assert (done.exit_code, done.stderr[:22]) == (3, "error: pyproject.toml:")


def test_the_policy_decides_where_contracts_are(repository: Repository) -> None:
    shared = b'[tool.protocolarc]\npaths = ["contracts", "a/b"]\nrequired-version = ">=0.1"\n'
    repository.stage({"pyproject.toml": shared, "a/b/n.json": contract("n", "1.0.0"), "contracts/x.json": b"{"})
    done = repository.run("check")
    assert (done.exit_code, done.stderr[:37]) == (3, "[ERROR] contracts/x.json json.syntax ")
    repository.stage({"protocolarc.toml": b'paths = ["registry"]\n', "pyproject.toml": b"[project]\n"})
    assert b"nothing is staged below registry" in repository.run("check").stdout


TABLES = [
    ("[tool.protocolarc]\nimmutable = true\n", True),
    ('[ "tool" . protocolarc ]\n', True),
    ("[tool]\nprotocolarc = {zero = 'free'}\n", True),
    ("tool.protocolarc.zero = 'free'\n", True),
    ("tool = {protocolarc = {}}\n", True),
    ("[tool.protocolarc.severity]\n", True),
    ("[tool.other]\nprotocolarc = '1'\n", False),
    ("[project]\ndependencies = ['protocolarc']\n", False),
    ("[tool.protocolarc]\nzero = \n", False),
]


@pytest.mark.parametrize(("shared", "twice"), TABLES, ids=[row[0] for row in TABLES])
def test_of_two_policies_one_has_to_go(repository: Repository, shared: str, twice: bool) -> None:
    repository.commit({"pyproject.toml": shared, "protocolarc.toml": b'zero = "shift"\n'})
    why = "protocolarc.toml and pyproject.toml [tool.protocolarc] are both here; keep one of them and remove the other"
    for words in (("check",), ("check", "--worktree"), ("check", "--from", "HEAD~1"), ("log",), ("init",)):
        done = repository.run(*words)
        assert (done.exit_code, done.stderr) == ((3, f"error: {why}\n") if twice else (0, ""))


@pytest.mark.parametrize(
    "words", [("--now", "soon"), ("--worktree", "--to", "HEAD"), ("--from", "nope"), ("--to", "-x")]
)
def test_options_that_make_no_sense_are_usage_errors(repository: Repository, words: tuple[str, ...]) -> None:
    for done in (repository.run("check", *words), repository.light(*words)):
        assert (done.exit_code, done.stdout) == (3, b"")
        assert "Traceback" not in done.stderr
        assert done.stderr


@pytest.mark.parametrize("path", ["registry/*", "regsitry"])
def test_paths_that_hold_nothing_are_told(repository: Repository, path: str) -> None:
    repository.commit({"protocolarc.toml": f'paths = ["{path}"]\n'})
    repository.commit({"x": "1"})
    staged, disk = repository.run("check"), repository.run("check", "--worktree")
    committed = repository.run("check", "--from", "HEAD~1")
    for done in (staged, disk, committed):
        assert done.exit_code == 0
        assert f"  note: nothing lies below {path}, neither in ".encode() in done.stdout
    repository.stage({f"{path}/notes.txt": "words"})
    assert b"nothing lies below" not in repository.run("check").stdout


def test_the_top_has_a_name_in_what_is_said_of_it(empty: Repository) -> None:
    empty.commit({"protocolarc.toml": 'paths = ["."]\n'})
    assert b"  note: nothing is staged below .; gate judges commits\n" in empty.run("check").stdout
    assert empty.run("log").stderr == "the history holds no contract below .\n"


def test_a_note_about_both_sides_stands_once(repository: Repository, clone: Clone) -> None:
    repository.commit({"registry/x.json": b"{"})
    branch = clone(repository)
    branch.commit({"other": "1"})
    branch.stage({"registry/x.json": contract("x", "1.0.0")})
    assert branch.run("check").stdout.count(b"registry/x.json gave no contract before") == 1
