"""Every command in every kind of place: the same answer as anywhere, or a clear refusal; and nothing is written."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.cli import Done
from tests.support.repository import NOTHING, Files, Repository, contract

CALL = b'{"contract": "m", "data": {"a": "x"}}\n'
COMMANDS = {
    "check": ("check",),
    "check of the disk": ("check", "--worktree"),
    "check of a range": ("check", "--from", "HEAD~1", "--to", "HEAD"),
    "gate": ("gate", "--from", "HEAD~1", "--to", "HEAD"),
    "log": ("log",),
    "full log": ("log", "m", "--full"),
    "show": ("show", "m"),
    "show of a commit": ("show", "m@1.0.0", "--at", "HEAD"),
    "describe": ("describe", "m", "--at", "HEAD"),
    "blame": ("blame", "m"),
    "bisect": ("bisect", "m", "-"),
}
JUDGING = ("check", "check of the disk", "check of a range", "gate")
OF_THE_INDEX_OR_DISK = ("check", "check of the disk", "show")
FIRST: Files = {"registry/m.json": contract("m", "1.0.0"), "registry/k.json": contract("k", "1.0.0"), "other/x": "1"}
SECOND: Files = {"registry/m.json": contract("m", "1.1.0", "a: string; b: any opt")}
BROKEN: Files = {"registry/m.json": contract("m", "1.1.0", "a: integer; b: any opt")}
STAGED: Files = {"registry/m.json": contract("m", "1.1.0", "a: boolean; b: any opt")}


class Place(NamedTuple):
    """Where the commands run."""

    repository: Repository
    environ: Mapping[str, str] = NOTHING
    below: str = "."


def story(repository: Repository) -> None:
    """Give a repository a history with an uncarried break, and one more that is staged."""
    for files in (FIRST, SECOND, BROKEN):
        repository.commit(files)
    repository.stage(STAGED)


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain repository with the story."""
    repository = Repository(tmp_path_factory.mktemp("told") / "repository")
    story(repository)
    return repository.top


@pytest.fixture(scope="session")
def answers(told: Path) -> dict[str, Done]:
    """What each command says in the plain repository."""
    return {name: ask(Place(Repository.at(told)), name) for name in COMMANDS}


@pytest.fixture
def plain(told: Path, tmp_path: Path) -> Repository:
    """A copy of it."""
    shutil.copytree(told, tmp_path / "repository", symlinks=True)
    return Repository.at(tmp_path / "repository")


def ask(place: Place, name: str) -> Done:
    """Run a command; ids are told apart by nothing but their place in the text."""
    done = place.repository.run(*COMMANDS[name], environ=place.environ, below=place.below, stdin=CALL)
    assert done.stdout.isascii()
    assert done.stderr.isascii()
    assert "internal fault" not in done.stderr
    return Done(done.exit_code, re.sub(rb"\b[0-9a-f]{12,64}\b", b"ID", done.stdout), done.stderr)


def everything(*tops: Path) -> dict[str, bytes]:
    """Every file of the directories, git's own among them."""
    return {str(path): path.read_bytes() for top in tops for path in sorted(top.rglob("*")) if path.is_file()}


def test_the_story_has_an_answer_from_each_command(answers: dict[str, Done]) -> None:
    assert {name: done.exit_code for name, done in answers.items()} == {
        name: 2 if name in JUDGING else 0 for name in COMMANDS
    }
    assert all(done.stdout and not done.stderr for done in answers.values())


def detached(plain: Repository, _: Path) -> Place:
    plain.git("checkout", "-q", "--detach")
    return Place(plain)


def index_of_version_4(plain: Repository, _: Path) -> Place:
    plain.git("update-index", "--index-version", "4")
    return Place(plain)


def split_index(plain: Repository, _: Path) -> Place:
    plain.git("update-index", "--split-index")
    return Place(plain)


def sparse_checkout(plain: Repository, _: Path) -> Place:
    plain.git("sparse-checkout", "set", "registry")
    return Place(plain)


def sparse_index(plain: Repository, _: Path) -> Place:
    plain.git("sparse-checkout", "set", "--cone", "--sparse-index", "registry")
    return Place(plain)


def objects_of_sha256(_: Repository, tmp_path: Path) -> Place:
    repository = Repository(tmp_path / "sha256", object_format="sha256")
    story(repository)
    return Place(repository)


def packed(plain: Repository, _: Path) -> Place:
    plain.git("gc", "-q")
    return Place(plain)


def below_the_top(plain: Repository, _: Path) -> Place:
    return Place(plain, below="other")


def linked_worktree(plain: Repository, tmp_path: Path) -> Place:
    plain.git("worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"))
    linked = Repository.at(tmp_path / "linked")
    linked.stage(STAGED)
    return Place(linked)


def submodule(plain: Repository, tmp_path: Path) -> Place:
    plain.git("commit", "-q", "-m", "later")
    plain.git("reset", "-q", "--hard", "HEAD~1")
    outer = Repository(tmp_path / "outer")
    local = {"GIT_ALLOW_PROTOCOL": "file"}
    outer.git("submodule", "--quiet", "add", str(plain.top), "inner", environ=local)
    inner = Repository.at(outer.top / "inner")
    inner.git("remote", "remove", "origin")
    inner.stage(STAGED)
    return Place(inner)


def git_directory_elsewhere(plain: Repository, tmp_path: Path) -> Place:
    (plain.top / ".git").rename(tmp_path / "elsewhere")
    return Place(plain, {"GIT_DIR": str(tmp_path / "elsewhere"), "GIT_WORK_TREE": str(plain.top)}, "other")


def git_file(plain: Repository, tmp_path: Path) -> Place:
    (plain.top / ".git").rename(tmp_path / "elsewhere")
    (plain.top / ".git").write_text(f"gitdir: {tmp_path}/elsewhere\n", encoding="ascii")
    return Place(plain)


def line_ends_of_windows(plain: Repository, _: Path) -> Place:
    plain.git("config", "core.autocrlf", "true")
    plain.write({"registry/m.json": b"\r\n".join(contract("m", "1.1.0", "a: boolean; b: any opt").split(b" "))})
    return Place(plain)


def replaced_objects(plain: Repository, _: Path) -> Place:
    names = ("HEAD", "HEAD~1"), ("HEAD~1:registry/m.json", "HEAD~2:registry/m.json")
    for old, new in [[plain.git("rev-parse", name) for name in pair] for pair in names]:
        plain.git("replace", old, new)
    return Place(plain)


def grafted(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "info").mkdir(exist_ok=True)
    (plain.top / ".git" / "info" / "grafts").write_text(plain.git("rev-parse", "HEAD") + "\n", encoding="ascii")
    return Place(plain)


def names_of_any_bytes(plain: Repository, _: Path) -> Place:
    for name in (b"new\nline.json", b"bytes\xff\xfe.json", b":(glob)*.json", b"-rf.json"):
        with open(os.path.join(os.fsencode(plain.top), b"other", name), "wb") as stream:
            stream.write(b"{")
    plain.git("add", "-A")
    return Place(plain)


def odd_files_outside_of_the_registry(plain: Repository, _: Path) -> Place:
    plain.write({"lfs.json": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"})
    (plain.top / "link.json").symlink_to("/etc/passwd")
    (plain.top / "loop").symlink_to(".")
    plain.git("add", "-A")
    plain.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    return Place(plain)


def a_tag_of_a_blob_and_odd_names(plain: Repository, _: Path) -> Place:
    plain.git("tag", "v9.9.9", plain.git("rev-parse", "HEAD:registry/m.json"))
    for name in ("HEAD~1", "m@1.0.0"):
        plain.git("update-ref", f"refs/heads/{name.replace('~', '-')}", plain.git("rev-parse", "HEAD~2"))
    return Place(plain)


def unmerged_elsewhere(plain: Repository, _: Path) -> Place:
    blob = plain.git("hash-object", "-w", "--stdin", stdin=b"1")
    entries = "".join(f"100644 {blob} {stage}\tother/x\n" for stage in (1, 2, 3))
    plain.git("update-index", "--force-remove", "other/x")
    plain.git("update-index", "--index-info", stdin=entries.encode())
    return Place(plain)


def decoy(top: Path) -> Repository:
    """Another repository, whose registry says something else."""
    other = Repository(top)
    other.commit({"registry/m.json": contract("m", "7.0.0")})
    return other


def named_like_a_variable(plain: Repository, tmp_path: Path) -> Place:
    decoy(tmp_path / "decoy")
    plain.top.rename(tmp_path / "$PLACE")
    return Place(Repository.at(tmp_path / "$PLACE"), {"PLACE": "decoy"})


def inside_of_another_repository(plain: Repository, tmp_path: Path) -> Place:
    other = decoy(tmp_path / "decoy")
    return Place(other, {"GIT_DIR": str(plain.top / ".git"), "GIT_WORK_TREE": str(plain.top)})


def common_directory_by_the_environment(plain: Repository, tmp_path: Path) -> Place:
    linked = linked_worktree(plain, tmp_path).repository
    common = plain.top / ".git"
    return Place(linked, {"GIT_DIR": str(common / "worktrees" / "linked"), "GIT_COMMON_DIR": str(common)})


def git_file_by_the_environment(plain: Repository, tmp_path: Path) -> Place:
    return Place(linked_worktree(plain, tmp_path).repository, {"GIT_DIR": ".git"})


def index_elsewhere(plain: Repository, tmp_path: Path) -> Place:
    shutil.copy(plain.top / ".git" / "index", tmp_path / "index")
    plain.git("read-tree", "HEAD~2")
    return Place(plain, {"GIT_INDEX_FILE": "../index"})


def objects_elsewhere(plain: Repository, tmp_path: Path) -> Place:
    (plain.top / ".git" / "objects").rename(tmp_path / "objects")
    (plain.top / ".git" / "objects").mkdir()
    return Place(plain, {"GIT_OBJECT_DIRECTORY": "../objects"})


def more_warnings_than_a_pipe_takes(plain: Repository, _: Path) -> Place:
    gone = "".join(f"/nonexistent/{'x' * 100}/{at}\n" for at in range(1000))
    (plain.top / ".git" / "objects" / "info" / "alternates").write_text(gone, encoding="ascii")
    return Place(plain)


def configuration_for_git_alone(plain: Repository, _: Path) -> Place:
    lines = (
        b'[x "\xff\\"]"]',
        b"\ty = \xff \\",
        b'"\\',
        b'"',
        b'[includeIf "gitdir:/*/.git"] path = /',
        b"[core] bare = 0",
    )
    with (plain.top / ".git" / "config").open("ab") as stream:
        stream.write(b"\n".join(lines))
    return Place(plain)


def head_that_is_a_link(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "HEAD").unlink()
    (plain.top / ".git" / "HEAD").symlink_to("refs/heads/main")
    return Place(plain)


def configuration_of_a_worktree(plain: Repository, tmp_path: Path) -> Place:
    plain.git("config", "extensions.worktreeConfig", "true")
    return linked_worktree(plain, tmp_path)


SAME = [
    detached,
    index_of_version_4,
    split_index,
    sparse_checkout,
    sparse_index,
    objects_of_sha256,
    packed,
    below_the_top,
    linked_worktree,
    submodule,
    git_directory_elsewhere,
    git_file,
    line_ends_of_windows,
    replaced_objects,
    grafted,
    names_of_any_bytes,
    odd_files_outside_of_the_registry,
    a_tag_of_a_blob_and_odd_names,
    unmerged_elsewhere,
    named_like_a_variable,
    inside_of_another_repository,
    common_directory_by_the_environment,
    git_file_by_the_environment,
    index_elsewhere,
    objects_elsewhere,
    more_warnings_than_a_pipe_takes,
    configuration_for_git_alone,
    head_that_is_a_link,
    configuration_of_a_worktree,
]
Maker = Callable[[Repository, Path], Place]


@pytest.mark.parametrize("make", SAME, ids=lambda make: make.__name__)
def test_the_answer_is_the_same(make: Maker, plain: Repository, tmp_path: Path, answers: dict[str, Done]) -> None:
    place = make(plain, tmp_path)
    tops = (tmp_path,)
    before = (
        everything(*tops),
        place.repository.git("--no-optional-locks", "status", "--porcelain=v2", environ=place.environ),
    )
    assert {name: ask(place, name) for name in COMMANDS} == answers
    after = (
        everything(*tops),
        place.repository.git("--no-optional-locks", "status", "--porcelain=v2", environ=place.environ),
    )
    assert after == before


@pytest.mark.parametrize("make", SAME, ids=lambda make: make.__name__)
def test_init_finds_what_is_there(make: Maker, plain: Repository, tmp_path: Path) -> None:
    place = make(plain, tmp_path)
    before = everything(tmp_path)
    done = place.repository.run("init", environ=place.environ, below=place.below)
    lines = ["wrote protocolarc.toml", "wrote .pre-commit-config.yaml", "kept  the contracts in registry"]
    assert (done.exit_code, done.stdout.decode().splitlines()[:-1], done.stderr) == (0, lines, "")
    after = everything(tmp_path)
    written = {Path(path).name for path in after.keys() - before.keys()}
    assert written == {"protocolarc.toml", ".pre-commit-config.yaml"}
    assert before.items() <= after.items()


def no_repository(plain: Repository, _: Path) -> Place:
    shutil.rmtree(plain.top / ".git")
    return Place(plain)


def no_git(plain: Repository, tmp_path: Path) -> Place:
    return Place(plain, {"PATH": str(tmp_path)})


def another_owner(plain: Repository, _: Path) -> Place:
    os.chown(plain.top, 12345, 12345)
    return Place(plain)


def inside_of_git(plain: Repository, _: Path) -> Place:
    return Place(plain, below=".git")


def no_commit(_: Repository, tmp_path: Path) -> Place:
    return Place(Repository(tmp_path / "unborn"))


def bare(plain: Repository, tmp_path: Path) -> Place:
    plain.git("clone", "-q", "--bare", str(plain.top), str(tmp_path / "bare"))
    bare = Repository.at(tmp_path / "bare")
    bare.git("remote", "remove", "origin")
    return Place(bare)


def shallow(plain: Repository, tmp_path: Path) -> Place:
    plain.git("clone", "-q", "--depth", "1", f"file://{plain.top}", str(tmp_path / "shallow"))
    shallow = Repository.at(tmp_path / "shallow")
    shallow.stage(STAGED)
    return Place(shallow)


def partial_with_a_dead_remote(plain: Repository, tmp_path: Path) -> Place:
    plain.git("config", "uploadpack.allowFilter", "true")
    plain.git("clone", "-q", "--filter=blob:none", f"file://{plain.top}", str(tmp_path / "partial"))
    partial = Repository.at(tmp_path / "partial")
    partial.git("remote", "set-url", "origin", f"file://{tmp_path}/dead")
    partial.stage(STAGED)
    return Place(partial)


def object_of(plain: Repository, name: str) -> Path:
    oid = plain.git("rev-parse", name)
    path = plain.top / ".git" / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    return path


def missing_blob(plain: Repository, _: Path) -> Place:
    object_of(plain, "HEAD~1:registry/m.json").unlink()
    return Place(plain)


def damaged_blob(plain: Repository, _: Path) -> Place:
    object_of(plain, "HEAD:registry/m.json").write_bytes(b"rubbish")
    return Place(plain)


def damaged_tree(plain: Repository, _: Path) -> Place:
    object_of(plain, "HEAD:registry").write_bytes(b"")
    return Place(plain)


def damaged_commit(plain: Repository, _: Path) -> Place:
    object_of(plain, "HEAD").write_bytes(b"rubbish")
    return Place(plain)


def damaged_index(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "index").write_bytes(b"DIRC\0\0\0\2\0\0\0\7rubbish")
    return Place(plain)


def detached_at_a_missing_commit(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "HEAD").write_text("1" * 40 + "\n", encoding="ascii")
    return Place(plain)


def branch_of_a_missing_commit(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "refs" / "heads" / "main").write_text("1" * 40 + "\n", encoding="ascii")
    return Place(plain)


def damaged_branch(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "refs" / "heads" / "main").write_text("rubbish\n", encoding="ascii")
    return Place(plain)


def branch_cut_off_by_a_crash(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "refs" / "heads" / "main").write_bytes(b"")
    return Place(plain)


def damaged_pack(plain: Repository, _: Path) -> Place:
    plain.git("gc", "-q")
    (path,) = (plain.top / ".git" / "objects" / "pack").glob("*.idx")
    path.chmod(0o644)
    path.write_bytes(b"rubbish")
    return Place(plain)


def merge_of_a_missing_commit(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "MERGE_HEAD").write_text("1" * 40 + "\n", encoding="ascii")
    return Place(plain)


def damaged_merge(plain: Repository, _: Path) -> Place:
    (plain.top / ".git" / "MERGE_HEAD").write_bytes(b"\xff\n")
    return Place(plain)


IN_HISTORY = {"check of a range", "gate", "log", "full log", "show of a commit", "describe", "blame", "bisect"}
EVERY = set(COMMANDS)
WITHOUT_INIT = ("no_repository", "no_git", "another_owner", "inside_of_git", "bare", "damaged_index")
REFUSED: list[tuple[Maker, set[str], str]] = [
    (no_repository, EVERY, "the current directory is in no git repository"),
    (no_git, EVERY, "git is not on PATH"),
    (another_owner, EVERY, "git does not trust this repository: another user owns it"),
    (inside_of_git, set(JUDGING), "inside of a git directory|a bare repository"),
    (no_commit, IN_HISTORY, "no commit|names no commit|there are no commits yet"),
    (bare, {"check", "check of the disk"}, "a bare repository has no index and no work tree"),
    (shallow, {"check of a range", "gate"}, "git fetch"),
    (
        partial_with_a_dead_remote,
        {"check of a range", "gate", "log", "full log", "blame", "bisect"},
        "git fetch --refetch",
    ),
    (
        missing_blob,
        {"check of a range", "gate", "log", "full log", "blame", "bisect"},
        "^error: object [0-9a-f]{40} is missing or damaged\nhint: git fsck\n",
    ),
    (damaged_blob, EVERY - {"show"}, "object [0-9a-f]{40} is missing or damaged"),
    (damaged_tree, EVERY - {"show"}, "^.*git "),
    (damaged_commit, EVERY - {"show"}, ""),
    (damaged_index, {"check", "check of the disk", "show"}, "index file smaller than expected"),
    *(
        (make, EVERY - {"show"}, "HEAD names a commit that is missing or damaged|^error: HEAD.* names no commit")
        for make in (
            *(detached_at_a_missing_commit, branch_of_a_missing_commit, damaged_branch),
            *(branch_cut_off_by_a_crash, damaged_pack),
        )
    ),
    (merge_of_a_missing_commit, {"check", "check of the disk"}, "MERGE_HEAD names a commit that is missing or damaged"),
    (damaged_merge, {"check", "check of the disk"}, "MERGE_HEAD names a commit that is missing or damaged"),
]


@pytest.mark.parametrize(("make", "refused", "reason"), REFUSED, ids=[row[0].__name__ for row in REFUSED])
def test_the_refusal_is_clear_and_what_can_be_answered_is_no_pass(
    make: Maker, refused: set[str], reason: str, plain: Repository, tmp_path: Path
) -> None:
    place = make(plain, tmp_path)
    before = everything(tmp_path)
    for name in COMMANDS:
        done = ask(place, name)
        if name in refused:
            assert (name, done.exit_code, done.stdout) == (name, 3, b"")
            assert re.search(reason, done.stderr), (name, done.stderr)
            assert len(done.stderr.splitlines()) <= 3
        elif name in JUDGING:
            assert done.exit_code in ((0,) if make is no_commit else (2, 3)), (name, done)
    assert everything(tmp_path) == before
    done = place.repository.run("init", environ=place.environ, below=place.below)
    assert "internal fault" not in done.stderr
    assert done.exit_code == (3 if make.__name__ in WITHOUT_INIT else 0)
    assert (everything(tmp_path) == before) == bool(done.exit_code)


WRITERS = {
    "registry/m.json": ("bump", "m"),
    "waivers.toml": (
        *("waive", "m", "field.type.changed", "a", "--from", "1.1.0", "--to", "1.1.1"),
        *("--reason", "nobody sends it", "--owner", "Ada", "--expires", "9999-01-31"),
    ),
}
"""Commands that write, by the one file that they may touch."""
NEED_NO_OBJECT = [row[0] for row in REFUSED if row[0].__name__ not in WITHOUT_INIT] + [damaged_index]
WRITES = [
    # The places, the file, and whether it is written.
    *((make, name, True) for make in SAME for name in WRITERS),
    *((row[0], "registry/m.json", row[0] is shallow) for row in REFUSED),
    *((row[0], "waivers.toml", row[0] in NEED_NO_OBJECT) for row in REFUSED),
]


@pytest.mark.parametrize(
    ("make", "name", "written"), WRITES, ids=[f"{row[0].__name__}-{WRITERS[row[1]][0]}" for row in WRITES]
)
def test_a_command_that_writes_touches_its_one_file_or_none(
    make: Maker, name: str, written: bool, plain: Repository, tmp_path: Path
) -> None:
    place = make(plain, tmp_path)
    before = everything(tmp_path)
    done = place.repository.run(*WRITERS[name], environ=place.environ, below=place.below)
    after = everything(tmp_path)
    changed = [path for path in after if after[path] != before.get(path)]
    assert before.keys() <= after.keys()
    assert "internal fault" not in done.stderr
    assert (done.exit_code, not done.stdout) == ((0, False) if written else (3, True)), done
    assert [path[-len(name) :] for path in changed] == [name] * written
    if written and name != "waivers.toml":
        (path,) = changed
        assert after[path] == before[path].replace(b'"1.1.0"', b'"2.0.0"')


def test_a_bare_repository_has_the_same_history(plain: Repository, tmp_path: Path, answers: dict[str, Done]) -> None:
    place = bare(plain, tmp_path)
    names = ("log", "full log", "show of a commit", "blame", "bisect")
    assert {name: ask(place, name) for name in names} == {name: answers[name] for name in names}
