"""``show``, and contracts by name wherever one is taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from protocolarc.registry.find import listed
from tests.support.repository import Repository
from tests.support.runtimes import fake_executable

SPELLED = '{"name": "t",\r\n  "revision":"1.1.0", "kind":\t"mcp", "fields": [ ],"x-\u00e9": 1.0}'


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with t 1.0.0, then 1.1.0 in the same file, and u in two files."""
    repository = Repository(tmp_path / "work")
    repository.put("registry/t.json", "a: string")
    repository.put("registry/u/1.0.0.json", "a: string", "1.0.0", name="x/u.v")
    repository.put("registry/u/2.0.0-rc.1.json", "a: integer", "2.0.0-rc.1", name="x/u.v")
    repository.commit()
    repository.write({"registry/t.json": SPELLED})
    repository.commit()
    return repository


def test_show_prints_the_bytes_that_git_holds(repository: Repository) -> None:
    assert repository.run("show", "t") == (0, SPELLED.encode(), "")
    assert json.loads(repository.run("show", "t@1.0.0").stdout)["revision"] == "1.0.0"
    assert json.loads(repository.run("show", "t", "--at", "HEAD~1").stdout)["revision"] == "1.0.0"
    assert json.loads(repository.run("show", "HEAD~1:registry/t.json").stdout)["revision"] == "1.0.0"
    assert repository.run("show", ":registry/t.json").stdout == SPELLED.encode()


ESCAPED = {
    "as it is": '"name": "e.f/g"',
    "an escape": '"name": "\\u0065.f/g"',
    "an escaped solidus": '"name": "e.f\\/g"',
    "an escape in the key": '"n\\u0061me": "e.f/g"',
}


@pytest.mark.parametrize("spelled", ESCAPED.values(), ids=ESCAPED)
def test_a_name_is_found_however_it_is_spelled(repository: Repository, spelled: str) -> None:
    text = f'{{{spelled}, "revision": "1.0.0", "kind": "mcp", "fields": []}}'
    repository.write({"registry/e.json": text})
    assert repository.run("bump", "e.f/g").stdout.startswith(b"e.f/g@1.0.0 needs no bump")
    assert repository.run("describe", "e.f/g").exit_code == 0
    repository.commit()
    assert repository.run("show", "e.f/g").stdout.decode() == text
    assert repository.run("show", "e.f/g", "--at", "HEAD").stdout.decode() == text
    assert repository.run("bump", "e.f/g").stdout.endswith(b": nothing changed\n")


PLACES = {
    "not tracked": lambda repository: None,
    "ignored and tracked": lambda repository: (
        repository.git("add", "registry/n.json"),
        repository.write({".gitignore": "n.json"}),
    ),
    "taken for unchanged": lambda repository: (
        repository.commit({"registry/n.json": "{}"}),
        repository.git("update-index", "--assume-unchanged", "registry/n.json"),
        repository.put("registry/n.json", "a: string", name="n"),
    ),
    "skipped, and there": lambda repository: (
        repository.commit({"registry/n.json": "{}"}),
        repository.git("update-index", "--skip-worktree", "registry/n.json"),
        repository.put("registry/n.json", "a: string", name="n"),
    ),
    "a link in the index": lambda repository: (
        (repository.top / "registry/n.json").unlink(),
        (repository.top / "registry/n.json").symlink_to("t.json"),
        repository.commit(),
        (repository.top / "registry/n.json").unlink(),
        repository.put("registry/n.json", "a: string", name="n"),
    ),
    "changed since it was staged": lambda repository: (
        repository.stage({"registry/n.json": "{}"}),
        repository.put("registry/n.json", "a: string", name="n"),
    ),
    "only meant to be added": lambda repository: repository.git("add", "-N", "registry/n.json"),
    "in conflict": lambda repository: repository.git(
        "update-index",
        "--index-info",
        stdin="".join(
            f"100644 {repository.git('hash-object', '-w', 'registry/t.json')} {stage}\tregistry/n.json\n"
            for stage in (1, 2, 3)
        ).encode(),
    ),
}


@pytest.mark.parametrize("make", PLACES.values(), ids=PLACES)
def test_a_contract_on_the_disk_is_found_whatever_the_index_says(
    repository: Repository, make: Callable[[Repository], object]
) -> None:
    repository.put("registry/n.json", "a: string", name="n")
    make(repository)
    assert repository.run("describe", "n").stdout.startswith(b"n@1.0.0")
    assert repository.run("bump", "n").stdout.startswith(b"n@1.0.0 needs no bump")


@pytest.mark.parametrize("name", ["nope", "a^b", "[x", "x\\y", "(", "na\u00efve", "", "t*"])
def test_what_is_no_name_of_the_registry_is_answered_with_the_names(repository: Repository, name: str) -> None:
    for words in (("show", name), ("show", name, "--at", "HEAD"), ("bump", name), ("blame", name)):
        done = repository.run(*words)
        assert (done.exit_code, done.stdout) == (3, b"")
        assert done.stderr.endswith("it holds t, x/u.v\n") or done.stderr.endswith("it holds x/u.v, t\n")


def test_a_name_that_is_not_there_may_stand_where_nothing_can_be_read(repository: Repository) -> None:
    repository.write({"registry/t.json": "{", "registry/w.json": "["})
    repository.git("add", "registry/t.json", "registry/w.json")
    for words in (("show", "t"), ("bump", "t"), ("describe", "t")):
        done = repository.run(*words)
        assert (done.exit_code, done.stdout) == (3, b"")
        assert "there is no contract 't' in the " in done.stderr
        assert done.stderr.endswith("; it holds x/u.v; not readable: registry/t.json, registry/w.json\n")


def test_a_shallow_clone_says_that_it_may_lack_a_revision(repository: Repository, tmp_path: Path) -> None:
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.top}", str(tmp_path / "clone"))
    clone = Repository.at(tmp_path / "clone")
    ending = "; this clone is shallow (git fetch --unshallow)\n"
    assert clone.run("show", "t@1.0.0") == (3, b"", f"error: there is no revision 1.0.0 of t; it has 1.1.0{ending}")
    assert clone.run("show", "gone@1.0.0").stderr.endswith(ending)
    assert not clone.run("show", "gone").stderr.endswith(ending)


def test_two_files_with_one_revision_are_told_apart_by_path(repository: Repository) -> None:
    repository.commit({"registry/again.json": SPELLED})
    assert repository.run("show", "t@1.1.0").stdout == SPELLED.encode()
    repository.put("registry/again.json", "b: string", "1.1.0", name="t")
    repository.git("add", "-A")
    for words in (("show", "t"), ("show", "t@1.1.0"), ("describe", "t")):
        done = repository.run(*words)
        reason = "t@1.1.0 is in registry/again.json and registry/t.json, which differ; name one of the files"
        assert (done.exit_code, done.stdout) == (3, b"")
        assert done.stderr.endswith(f"{reason}\n")
    assert repository.run("show", "registry/t.json").stdout == SPELLED.encode()


def test_show_speaks_of_what_is_staged(repository: Repository) -> None:
    repository.put("registry/t.json", "", "1.2.0")
    assert repository.run("show", "t").stdout == SPELLED.encode()
    repository.git("add", "-A")
    assert json.loads(repository.run("show", "t").stdout)["revision"] == "1.2.0"


def test_show_prints_what_git_holds_of_a_file(repository: Repository, tmp_path: Path) -> None:
    repository.put("registry/t.json", "", "1.2.0")
    for words, below in (
        (("registry/t.json",), "."),
        (("t.json",), "registry"),
        ((str(tmp_path / "work/registry/t.json"),), "."),
    ):
        assert repository.run("show", *words, below=below) == (0, SPELLED.encode(), "")
    assert (
        json.loads(repository.run("show", "t.json", "--at", "HEAD~1", below="registry").stdout)["revision"] == "1.0.0"
    )
    repository.git("add", "-A")
    assert json.loads(repository.run("show", "registry/t.json").stdout)["revision"] == "1.2.0"
    repository.write({"t": "a file wins", "new.json": "{}"})
    (repository.top / "link.json").symlink_to("new.json")
    repository.git("add", "link.json")
    (tmp_path / "outside.json").write_text("{}", encoding="ascii")
    for path in ("t", "new.json", "link.json", "../outside.json"):
        reason = f"error: the index holds no file {path}, or holds it in conflict; git add it\n"
        assert repository.run("show", path) == (3, b"", reason)
    assert repository.run("show", "new.json", "--at", "HEAD") == (
        3,
        b"",
        "error: there is no file 'new.json' at HEAD\n",
    )


def test_show_prints_the_bytes_of_git_where_the_disk_holds_others(repository: Repository) -> None:
    repository.write({".gitattributes": "*.json text eol=crlf\n"})
    repository.put("registry/c.json", "", name="c")
    repository.commit()
    (repository.top / "registry/c.json").unlink()
    repository.git("checkout", "registry/c.json")
    assert b"\r\n" in (repository.top / "registry/c.json").read_bytes()
    assert b"\r\n" not in repository.run("show", "c").stdout


def test_of_several_revisions_the_highest_is_meant(repository: Repository) -> None:
    assert json.loads(repository.run("show", "x/u.v").stdout)["revision"] == "2.0.0-rc.1"
    assert json.loads(repository.run("show", "x/u.v@1.0.0").stdout)["revision"] == "1.0.0"


def test_build_metadata_does_not_tell_revisions_apart(repository: Repository) -> None:
    assert repository.run("show", "t@1.1.0+build.7").stdout == SPELLED.encode()


def test_the_newest_commit_that_held_a_revision_counts(repository: Repository) -> None:
    repository.put("registry/t.json", "b: string", "1.0.0")
    repository.commit()
    (repository.top / "registry/t.json").unlink()
    repository.commit()
    assert json.loads(repository.run("show", "t@1.0.0").stdout)["fields"][0]["name"] == "b"
    assert json.loads(repository.run("show", "t@1.0.0", "--at", "HEAD~2").stdout)["fields"][0]["name"] == "a"


def test_a_revision_whose_object_is_lost_is_no_absent_one(repository: Repository) -> None:
    lost = repository.git("rev-parse", "HEAD:registry/t.json")
    repository.put("registry/t.json", "a: boolean", "9.0.0")
    repository.commit()
    (repository.top / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    done = repository.run("show", "t@8.0.0")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (3, f"error: object {lost} is missing or damaged")


def test_a_revision_that_only_a_merged_branch_held_is_found(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "side")
    repository.put("registry/t.json", "c: any", "1.2.0")
    repository.commit()
    repository.put("registry/t.json", "c: any", "1.3.0")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.merge("side")
    assert json.loads(repository.run("show", "t@1.2.0").stdout)["revision"] == "1.2.0"


def test_every_command_that_takes_a_contract_takes_a_name(repository: Repository) -> None:
    assert repository.run("describe", "t@1.0.0").stdout.startswith(b"t@1.0.0  t\n")
    assert repository.run("describe", "t", "--at", "HEAD~1").stdout.startswith(b"t@1.0.0  t\n")
    done = repository.run("diff", "t@1.0.0", "t")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (2, b"t: 1.0.0 -> 1.1.0")
    done = repository.run("validate", "HEAD~1:registry/t.json", "-", "--raw", stdin=b'{"a": 1}\n')
    assert (done.exit_code, done.stdout.splitlines()[0]) == (1, b"[FAIL] t@1.0.0 <- -:1")


def test_the_runtime_is_given_the_contract_that_a_name_means(repository: Repository, tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"
    calls.write_text('{"contract": "t", "data": {"a": 1}}\n', "ascii")
    runtime = ("--runtime", str(fake_executable(tmp_path)))
    for name in ("t@1.0.0", "t", "HEAD~1:registry/t.json"):
        words = ("validate", name, str(calls))
        for more in ((), ("--summary",)):
            done = repository.run(*words, *more, "--engine", "dotnet", *runtime)
            assert done == repository.run(*words, *more)
        agreed = repository.run("parity", name, str(calls), *runtime)
        assert agreed == (0, b"1 documents agree\n", "")
    gone = repository.run("parity", "t@7.0.0", str(calls), *runtime)
    assert gone[:2] == (3, b"")
    assert "there is no revision 7.0.0 of t" in gone.stderr


def test_a_set_of_contracts_may_be_named(repository: Repository, tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"
    calls.write_text('{"contract": "t", "data": {"a": "x"}}\n{"contract": "x/u.v", "data": {"a": "x"}}\n', "ascii")
    words = ("--contracts", "t@1.0.0", "HEAD:registry/t.json", "registry/u", "--envelopes", str(calls))
    done = repository.run("matrix", *words)
    assert (done.exit_code, done.stderr) == (1, "")
    assert [line.split() for line in done.stdout.decode().splitlines() if line.startswith("  ")] == [
        ["file", "declared", "1.0.0", "1.1.0"],
        ["calls.jsonl", "-", "1/1", "1/1"],
        ["file", "declared", "1.0.0", "2.0.0-rc.1"],
        ["calls.jsonl", "-", "1/1", "0/1"],
    ]
    report = json.loads(repository.run("report", *words, "--format", "json").stdout)
    assert [item["name"] for item in report["matrix"]["contracts"]] == ["t", "x/u.v"]


def test_a_set_of_names_is_looked_up_in_a_commit(repository: Repository) -> None:
    words = ("matrix", "--contracts", "t", "--envelopes", "-", "--format", "json")
    for more, revision in (((), "1.1.0"), (("--at", "HEAD~1"), "1.0.0")):
        shown = repository.run(*words, *more, stdin=b'{"contract": "t", "data": {"a": "x"}}')
        assert f'"{revision}"'.encode() in shown.stdout


def test_a_set_names_what_is_not_there_and_what_is_there_twice(repository: Repository) -> None:
    words = ("t", "HEAD:registry/t.json", "t@7.0.0", "nowhere:t.json", "--envelopes", "-")
    done = repository.run("matrix", "--contracts", *words)
    assert (done.exit_code, done.stderr.splitlines()) == (
        3,
        [
            "error: t@1.1.0 is in t and again in HEAD:registry/t.json; the first one is used",
            "[ERROR] t@7.0.0 input.unreadable: no file, and there is no revision 7.0.0 of t; it has 1.0.0, 1.1.0",
            "[ERROR] nowhere:t.json input.unreadable: no file, and 'nowhere' names no commit",
        ],
    )


def test_a_name_means_the_file_on_disk_even_before_it_is_staged(repository: Repository) -> None:
    repository.put("registry/t.json", "z: any", "1.2.0")
    assert repository.run("describe", "t").stdout.startswith(b"t@1.2.0  t\n")
    assert repository.run("describe", "t", below="registry").stdout.startswith(b"t@1.2.0  t\n")
    assert repository.run("describe", "HEAD:./t.json", below="registry").stdout.startswith(b"t@1.1.0  t\n")


def test_an_existing_file_wins_over_a_name(repository: Repository) -> None:
    repository.put("t", "q: any", "9.0.0")
    assert repository.run("describe", "t").stdout.startswith(b"t@9.0.0  t\n")
    (repository.top / "x/u.v").mkdir(parents=True)
    assert repository.run("describe", "x/u.v").stdout.startswith(b"x/u.v@2.0.0-rc.1  t\n".replace(b"  t", b"  x/u.v"))


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("tt", "there is no contract 'tt' in the registry; it holds t, x/u.v"),
        ("t@3.0.0", "there is no revision 3.0.0 of t; it has 1.0.0, 1.1.0"),
        ("t@3", "'3': not a semantic version such as 1.0.0"),
        ("nowhere:registry/t.json", "'nowhere' names no commit"),
        ("HEAD:registry/nothing.json", "there is no file 'registry/nothing.json' at HEAD"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(repository: Repository, argument: str, reason: str) -> None:
    assert repository.run("show", argument) == (3, b"", f"error: {reason}\n")
    done = repository.run("describe", argument)
    assert done == (3, b"", f"[ERROR] {argument} input.unreadable: no file, and {reason}\n")
    done = repository.run("validate", argument, "-", "--format", "json", stdin=b"")
    assert json.loads(done.stdout)["errors"] == [{"code": "input.unreadable", "pointer": "", "offset": None}]


def test_a_hostile_argument_is_escaped_and_is_no_option_of_git(repository: Repository) -> None:
    for argument in ("--output=x:y", "-x:y", "a\x1b[31m:b", "HEAD:\u202e", "a b:c", "x\ny:z"):
        done = repository.run("show", "--", argument)
        assert (done.exit_code, done.stdout) == (3, b"")
        assert done.stderr.isascii()
        assert done.stderr.count("\n") == 1
        assert done.stderr[:-1].isprintable()
    assert not (repository.top / "x").exists()


def test_without_a_repository_or_a_commit(tmp_path: Path) -> None:
    unborn = Repository(tmp_path / "work")
    assert unborn.run("show", "t") == (
        3,
        b"",
        "error: there is no contract 't' in the registry, which holds none\n",
    )
    assert unborn.run("show", "t", "--at", "HEAD") == (3, b"", "error: there are no commits yet\n")
    assert unborn.run("show", "t@1.0.0").exit_code == 3
    assert unborn.run("describe", "t", below="..")[::2] == (
        3,
        "[ERROR] t input.unreadable: no file, and no registry: the current directory is in no git repository\n",
    )
    assert unborn.run("describe", "t.json", below="..")[::2] == (
        3,
        "[ERROR] t.json input.unreadable: No such file or directory\n",
    )


LISTED = {
    "revisions": ("2.0.1", ["2.0.0", "10.0.0", "2.0.0-rc.1", "1.0.0"], "it has 1.0.0, 2.0.0-rc.1, 2.0.0, 10.0.0"),
    "names": ("bb", ["a", "b", "c"], "it has b, a, c"),
    "many": (
        "1.0.0",
        [f"1.{minor}.0" for minor in range(22)],
        f"{', '.join(f'1.{n}.0' for n in range(20))}, ... and 2",
    ),
}


@pytest.mark.parametrize(("wanted", "known", "told"), LISTED.values(), ids=LISTED)
def test_revisions_are_listed_in_their_order_and_names_by_likeness(wanted: str, known: list[str], told: str) -> None:
    assert told in listed(wanted, known, "it has")
