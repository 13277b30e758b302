"""``blame`` and ``bisect`` on real histories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.notation import document
from tests.support.repository import Files, Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A contract t: b joins in 1.1.0, a changes its type in 2.0.0, and only words change in 2.0.1."""
    repository = Repository(tmp_path / "work")
    for fields, revision in (
        ("a: string; c.d: any", "1.0.0"),
        ("a: string; c.d: any; b: string|null opt", "1.1.0"),
        ("b: null|string opt; a: integer; c.d: any", "2.0.0"),
    ):
        repository.put("registry/t.json", fields, revision)
        repository.commit(author=f"Author {revision}")
    repository.put("registry/t.json", "b: null|string opt; a: integer; c.d: any", "2.0.1", doc="words")
    repository.commit(author="R\u00e9gis\x1b[31m")
    return repository


def test_blame_names_the_revision_and_commit_of_each_field(repository: Repository) -> None:
    first, second, third = (repository.git("rev-parse", f"HEAD~{back}")[:12] for back in (3, 2, 1))
    done = repository.run("blame", "t")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.decode("ascii").splitlines() == [
        "t@2.0.1",
        "  field  type         required  since  commit        date        author",
        f"  b      null|string  no        1.1.0  {second}  2026-01-02  Author 1.1.0",
        f"  a      integer      yes       2.0.0  {third}  2026-01-03  Author 2.0.0",
        f"  c.d    any          yes       1.0.0  {first}  2026-01-01  Author 1.0.0",
    ]
    assert repository.run("blame", "t", "['c'].d").stdout.splitlines()[2].split()[0] == b"c.d"
    (field,) = json.loads(repository.run("blame", "t", "a", "--format", "json").stdout)["fields"]
    assert (field["field"], field["revision"], field["commit"][:12]) == ("a", "2.0.0", third)


def test_what_a_shallow_clone_tells_says_where_its_history_ends(repository: Repository, tmp_path: Path) -> None:
    repository.git("clone", "-q", "--depth", "2", f"file://{repository.top}", str(tmp_path / "clone"))
    for place, is_shallow in ((repository, False), (Repository.at(tmp_path / "clone"), True)):
        end = "the history ends here: this clone is shallow (git fetch --unshallow)\n" * is_shallow
        assert place.run("blame", "t").stdout.decode().partition("\n\n")[2] == end
        assert json.loads(place.run("blame", "t", "--format", "json").stdout)["shallow"] is is_shallow
        done = place.run("bisect", "t", "-", "--raw", stdin=b"{}")
        assert (done.exit_code, done.stderr) == (0, end)


def test_blame_begins_anew_when_a_contract_or_a_field_came_back(repository: Repository) -> None:
    repository.put("registry/t.json", "b: null|string opt", "3.0.0")
    repository.commit()
    repository.put("registry/t.json", "b: null|string opt; a: integer", "4.0.0")
    repository.commit()
    assert b"  a      integer      yes       4.0.0  " in repository.run("blame", "t").stdout
    (repository.top / "registry/t.json").unlink()
    repository.commit()
    assert repository.run("blame", "t")[::2] == (3, "error: there is no contract 't' at HEAD, which holds none\n")
    repository.put("registry/t.json", "b: null|string opt", "5.0.0")
    repository.commit()
    assert b"  b      null|string  no        5.0.0  " in repository.run("blame", "t").stdout


def test_blame_of_one_file_per_revision_follows_the_highest(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "work")
    for fields, revision in (("a: string", "1.0.0"), ("a: integer", "2.0.0"), ("a: string; z: any opt", "1.1.0")):
        repository.put(f"registry/{revision}.json", fields, revision)
        repository.commit()
    assert repository.run("blame", "t").stdout.splitlines()[2].split()[:4] == [b"a", b"integer", b"yes", b"2.0.0"]


def test_blame_of_what_is_not_there(repository: Repository) -> None:
    assert repository.run("blame", "tt")[::2] == (3, "error: there is no contract 'tt' at HEAD; it holds t\n")
    assert repository.run("blame", "t", "bb")[::2] == (3, "error: there is no field bb in t@2.0.1; it has b, a, c.d\n")
    assert repository.run("blame", "t", "a..b")[::2] == (
        3,
        "error: 'a..b' is no path: expected a name or ['...'] at character 2\n",
    )


def test_bisect_names_the_first_revision_that_rejects(repository: Repository) -> None:
    repository.write({"e.json": '{"contract": "t", "revision": "1.0.0", "data": {"a": "x", "c": {"d": 1}}}'})
    commit = repository.git("rev-parse", "HEAD~1")[:12]
    assert repository.run("bisect", "t", "e.json") == (
        0,
        f"e.json: rejected first by t@2.0.0, commit {commit}, 2026-01-03, Author 2.0.0; accepted by 1.0.0, 1.1.0\n"
        "[FAIL] t@2.0.0 <- e.json\n"
        "    ERROR   field.type             a: expected integer, got string\n"
        "    WARNING revision.hint          @revision: envelope declares '1.0.0', contract is '2.0.0'\n".encode(),
        "",
    )


LEADING = ["t@1.1.0", "t@2.0.1", "HEAD:registry/t.json", "HEAD~2:registry/t.json"]


@pytest.mark.parametrize("argument", LEADING)
@pytest.mark.parametrize("words", [("log",), ("bisect", "e.json"), ("blame",)])
def test_a_document_of_the_history_stands_for_its_contract(
    words: tuple[str, ...], argument: str, repository: Repository
) -> None:
    repository.write({"e.json": b'{"contract": "t", "data": {"a": "x", "c": {"d": 1}}}'})
    command, *rest = words
    named, led = (repository.run(command, name, *rest) for name in ("t", argument))
    assert led == named if words != ("blame",) or argument != "t@1.1.0" else led != named


def test_blame_of_a_revision_tells_what_it_was_then(repository: Repository) -> None:
    first, second = (repository.git("rev-parse", f"HEAD~{back}")[:12] for back in (3, 2))
    assert repository.run("blame", "t@1.1.0").stdout.decode("ascii").splitlines() == [
        "t@1.1.0",
        "  field  type         required  since  commit        date        author",
        f"  a      string       yes       1.0.0  {first}  2026-01-01  Author 1.0.0",
        f"  c.d    any          yes       1.0.0  {first}  2026-01-01  Author 1.0.0",
        f"  b      string|null  no        1.1.0  {second}  2026-01-02  Author 1.1.0",
    ]
    (field,) = json.loads(repository.run("blame", "t@1.0.0", "a", "--format", "json").stdout)["fields"]
    assert (field["revision"], field["commit"][:12]) == ("1.0.0", first)


NOWHERE = [
    ("t@9.9.9", "there is no revision 9.9.9 of t"),
    ("t@x", "'x': not a semantic version such as 1.0.0"),
    ("HEAD:registry/none.json", "there is no file 'registry/none.json' at HEAD"),
    ("gone:registry/t.json", "'gone' names no commit"),
]


@pytest.mark.parametrize(("argument", "reason"), NOWHERE)
@pytest.mark.parametrize("words", [("log",), ("bisect", "-"), ("blame",)])
def test_an_argument_that_leads_nowhere_says_why(
    words: tuple[str, ...], argument: str, reason: str, repository: Repository
) -> None:
    command, *rest = words
    done = repository.run(command, argument, *rest)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert reason in done.stderr


@pytest.mark.parametrize("argument", ["HEAD:a\x1b[31mb", "\x1b[31m:x", "t@\x1b[31m"])
@pytest.mark.parametrize("words", [("log",), ("bisect", "-"), ("blame",), ("show",), ("describe",)])
def test_an_argument_is_said_in_plain_text(words: tuple[str, ...], argument: str, repository: Repository) -> None:
    command, *rest = words
    done = repository.run(command, argument, *rest)
    assert done.exit_code == 3
    assert done.stderr.replace("\n", "").isprintable()


@pytest.mark.parametrize("words", [("blame",), ("blame", "b"), ("bisect", "../e.json")])
def test_a_file_stands_for_the_contract_that_it_holds(words: tuple[str, ...], repository: Repository) -> None:
    repository.write({"e.json": '{"contract": "t", "data": {"a": "x", "c": {"d": 1}}}'})
    repository.git("mv", "registry/t.json", "registry/moved.json")
    command, *rest = words
    named, of_file = (repository.run(command, name, *rest, below="registry") for name in ("t", "moved.json"))
    assert of_file == named
    assert (named.exit_code, named.stderr) == (0, "")
    repository.write({"registry/moved.json": "{"})
    assert repository.run(command, "moved.json", *rest, below="registry") == (
        3,
        b"",
        "[ERROR] moved.json json.syntax at byte 1: not JSON as RFC 8259 defines it\n",
    )


def test_bisect_says_when_nothing_rejects_and_when_all_do(repository: Repository) -> None:
    done = repository.run("bisect", "t", "-", "--raw", stdin=b'{"a": true}\n{"c": {"d": 1}, "a": 1}\n')
    lines = done.stdout.decode().splitlines()
    assert lines[0].endswith("; there is no lower revision")
    assert lines[0].startswith("-:1: rejected first by t@1.0.0, ")
    repository.put("registry/u.json", "", name="u")
    repository.commit()
    assert repository.run("bisect", "u", "-", "--raw", stdin=b"{}") == (
        0,
        b"-:1: no revision of u rejects it (1.0.0)\n",
        "",
    )


def test_of_a_revision_that_was_edited_its_last_state_counts(repository: Repository) -> None:
    repository.put("registry/t.json", "a: integer; c.d: any; b: string|null opt", "1.1.0")
    repository.commit(author="R\u00e9gis\x1b[31m")
    done = repository.run("bisect", "t", "-", "--raw", stdin=b'{"a": "x", "c": {"d": 1}}')
    assert done.stdout.startswith(b"-:1: rejected first by t@1.1.0, ")
    assert b", R\\u00e9gis\\u001b[31m; accepted by 1.0.0\n" in done.stdout


MADE = json.dumps({**document("a: integer"), "revision": "2.0.0"}, indent=2)
"""The revision that rejects, as the commit that made it wrote it."""
REORDERED = json.dumps(dict(reversed(json.loads(MADE).items())))
HERE, THERE = "registry/t.json", "registry/v2/t.json"

NO_NEWS: dict[str, list[Files]] = {
    "nothing": [],
    "moved": [{HERE: None, THERE: MADE}],
    "other blanks": [{HERE: json.dumps(json.loads(MADE), indent=7)}],
    "another order of members": [{HERE: REORDERED}],
    "moved and written otherwise": [{HERE: None, THERE: REORDERED}],
    "moved there and back": [{HERE: None, THERE: MADE}, {HERE: MADE, THERE: None}],
    "copied": [{THERE: REORDERED}],
    "copied, and the first one deleted": [{THERE: MADE}, {HERE: None}],
    "moved with the registry": [
        {"protocolarc.toml": 'paths = ["contracts"]', HERE: None, "contracts/t.json": MADE},
    ],
}


@pytest.mark.parametrize("later", NO_NEWS.values(), ids=NO_NEWS)
def test_a_revision_is_of_the_commit_that_made_it_however_it_was_moved_or_written_since(
    later: list[Files], tmp_path: Path
) -> None:
    repository = Repository(tmp_path / "work")
    repository.put(HERE, "a: string")
    repository.commit()
    made = repository.commit({HERE: MADE})
    for files in later:
        repository.commit(files)
    done = repository.run("bisect", "t", "-", "--raw", stdin=b'{"a": "x"}')
    assert done.stdout.startswith(f"-:1: rejected first by t@2.0.0, commit {made[:12]}, 2026-01-02, ".encode())
    (field,) = json.loads(repository.run("blame", "t", "--format", "json").stdout)["fields"]
    (log,) = json.loads(repository.run("log", "t", "--format", "json").stdout)["contracts"]
    assert (field["commit"], log["steps"][-1]["commit"]) == (made, made)


@pytest.mark.parametrize(
    ("words", "stdin", "reason"),
    [
        (
            ("t", "missing.json"),
            b"",
            "missing.json: No such file or directory\n[ERROR] missing.json input.unreadable\n",
        ),
        (("t", "-"), b"{\n", "[ERROR] -:1 json.syntax at byte 1\n"),
        (("t", "-"), b'{"contract": "u", "data": {}}', "error: -:1 targets 'u', not 't'\n"),
        (("t", "-"), b"", "error: - holds no envelope\n"),
        (("tt", "-"), b"{}", "error: there is no contract 'tt' in the history of the registry; it holds t\n"),
    ],
)
def test_bisect_of_what_cannot_be_answered(
    repository: Repository, words: tuple[str, ...], stdin: bytes, reason: str
) -> None:
    assert repository.run("bisect", *words, stdin=stdin) == (3, b"", reason)


@pytest.mark.parametrize("words", [("blame", "t"), ("bisect", "t", "-"), ("show", "t"), ("log",)])
def test_outside_of_a_repository_and_before_the_first_commit(tmp_path: Path, words: tuple[str, ...]) -> None:
    repository = Repository(tmp_path / "work")
    assert repository.run(*words).exit_code == 3
    assert repository.run(*words, below="..") == (
        3,
        b"",
        "error: the current directory is in no git repository\nhint: git init\n",
    )
