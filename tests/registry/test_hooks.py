"""The shipped hooks through plain git, pre-commit and prek: every way to make a commit, in every kind of place."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest

from tests.support.cli import ROOT
from tests.support.hooks import CONFIG, MANIFEST, RUNNERS, Hooked, install, shipped_config
from tests.support.repository import Repository, codes, contract

INTEGER, MORE = "a: integer", "a: string; b: string opt"
GOOD, BAD, BIG = contract("m", "1.1.0", MORE), contract("m", "1.0.0", INTEGER), contract("m", "2.0.0", INTEGER)
COMMIT = ("commit", "-q", "-m", "step")
MERGE = ("merge", "-q", "-m", "merge", "topic")


PUSHERS = pytest.mark.parametrize("runner", RUNNERS[1:], indirect=True)
FAST = pytest.mark.parametrize("runner", ["git", "prek"], indirect=True)
"""For what does not depend on the runner: one of them will do."""


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the runners keep what is theirs."""
    return tmp_path_factory.mktemp("runners")


@pytest.fixture(params=RUNNERS)
def runner(request: pytest.FixtureRequest) -> str:
    """A way to run the hooks."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def prepared(template: Path, home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The repository of the tests with the hooks installed, by runner."""
    tops = {}
    for name in RUNNERS:
        tops[name] = tmp_path_factory.mktemp("prepared") / "repository"
        shutil.copytree(template, tops[name], symlinks=True)
        repository = Repository.at(tops[name])
        repository.commit({CONFIG: shipped_config()})
        install(repository, name, home)
    return tops


@pytest.fixture
def hooked(runner: str, prepared: dict[str, Path], home: Path, tmp_path: Path) -> Hooked:
    """A copy of it."""
    shutil.copytree(prepared[runner], tmp_path / "repository", symlinks=True)
    return Hooked(Repository.at(tmp_path / "repository"), runner, home)


def test_a_plain_commit(hooked: Hooked) -> None:
    hooked.repository.stage({"registry/m.json": BAD})
    before = hooked.repository.git("status", "--porcelain=v2")
    assert "ERROR   bump.missing           m: 1.0.0 changed and the revision did not" in hooked.refuses(*COMMIT)
    assert hooked.repository.git("status", "--porcelain=v2") == before
    hooked.repository.stage({"registry/m.json": GOOD})
    hooked.lets(*COMMIT)


@FAST
def test_a_commit_that_leaves_the_registry_alone(hooked: Hooked) -> None:
    hooked.repository.stage({"README.md": "other words\n"})
    hooked.lets(*COMMIT)


def test_a_commit_of_everything(hooked: Hooked) -> None:
    hooked.repository.write({"registry/m.json": BAD})
    assert "bump.missing" in hooked.refuses(*COMMIT, "-a")
    hooked.repository.write({"registry/m.json": BIG})
    hooked.lets(*COMMIT, "-a")


def test_a_commit_by_path_takes_what_it_names_and_nothing_else(hooked: Hooked) -> None:
    hooked.repository.commit({"registry/n.json": contract("n", "1.0.0")})
    hooked.repository.stage({"registry/m.json": BAD})
    hooked.repository.write({"registry/n.json": contract("n", "1.1.0", MORE)})
    hooked.lets(*COMMIT, "registry/n.json")
    hooked.repository.write({"registry/n.json": contract("n", "1.1.0", INTEGER), "registry/m.json": BIG})
    hooked.repository.git("add", "registry/m.json")
    said = hooked.refuses(*COMMIT, "registry/n.json")
    assert "bump.missing           n: 1.1.0 " in said
    assert " m: " not in said


@FAST
def test_a_commit_that_includes_a_path(hooked: Hooked) -> None:
    hooked.repository.stage({"README.md": "other words\n"})
    hooked.repository.write({"registry/m.json": BAD})
    assert "bump.missing" in hooked.refuses(*COMMIT, "-i", "registry/m.json")
    hooked.repository.write({"registry/m.json": BIG})
    hooked.lets(*COMMIT, "-i", "registry/m.json")


def test_what_is_staged_counts_and_what_is_on_the_disk_stays(hooked: Hooked) -> None:
    hooked.repository.stage({"registry/m.json": BIG})
    hooked.repository.write({"registry/m.json": BAD, "registry/new.json": "{"})
    hooked.lets(*COMMIT)
    hooked.repository.write({"registry/m.json": BAD})
    hooked.repository.git("add", "registry/m.json")
    hooked.repository.write({"registry/m.json": BIG})
    assert "revision.regressed" in hooked.refuses(*COMMIT)
    assert (hooked.repository.top / "registry" / "m.json").read_bytes() == BIG
    assert (hooked.repository.top / "registry" / "new.json").read_bytes() == b"{"


def test_a_commit_that_only_deletes(hooked: Hooked) -> None:
    hooked.repository.git("rm", "-q", "registry/m.json")
    assert "contract.removed" in hooked.refuses(*COMMIT)
    hooked.repository.stage({"protocolarc.toml": 'retired = ["m"]\n'})
    hooked.lets(*COMMIT)


def test_an_amended_commit(hooked: Hooked) -> None:
    hooked.repository.commit({"registry/m.json": GOOD})
    hooked.repository.stage({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    assert "bump.missing" in hooked.refuses(*COMMIT, "--amend")
    hooked.repository.stage({"registry/m.json": BIG})
    hooked.lets(*COMMIT, "--amend")


def test_the_first_commit(runner: str, home: Path, empty: Repository) -> None:
    empty.stage({CONFIG: shipped_config(), "registry/m.json": GOOD, "registry/n.json": b"{"})
    install(empty, runner, home)
    hooked = Hooked(empty, runner, home)
    assert "[ERROR] registry/n.json json.syntax at byte 1" in hooked.refuses(*COMMIT)
    empty.stage({"registry/n.json": contract("n", "1.0.0")})
    hooked.lets(*COMMIT)


@FAST
def test_a_commit_from_a_folder_below(hooked: Hooked) -> None:
    hooked.repository.stage({"registry/m.json": BAD})
    assert "bump.missing" in hooked.refuses(*COMMIT, below="registry")
    hooked.repository.stage({"registry/m.json": BIG})
    hooked.lets(*COMMIT, below="registry")


@FAST
def test_a_file_that_holds_no_contract(hooked: Hooked) -> None:
    hooked.repository.stage({"registry/n.json": b'{"name": "n"}'})
    assert "[ERROR] registry/n.json contract.key_missing" in hooked.refuses(*COMMIT)
    (hooked.repository.top / "registry" / "n.json").unlink()
    (hooked.repository.top / "registry" / "n.json").symlink_to("m.json")
    hooked.repository.stage()
    assert "[ERROR] registry/n.json contract.symlink" in hooked.refuses(*COMMIT)


def diverge(hooked: Hooked, ours: dict[str, bytes | None], theirs: dict[str, bytes | None]) -> None:
    """Let ``main`` and ``topic`` go apart; ``main`` is checked out."""
    hooked.repository.git("checkout", "-q", "-b", "topic")
    hooked.repository.commit(theirs)
    hooked.repository.git("checkout", "-q", "main")
    hooked.repository.commit(ours)


def test_a_clean_merge_takes_what_the_other_side_had(hooked: Hooked) -> None:
    diverge(hooked, {"registry/k.json": contract("k", "1.0.0")}, {"registry/m.json": BIG})
    hooked.lets(*MERGE)
    assert len(hooked.repository.git("rev-parse", "HEAD^@").split()) == 2


@FAST
def test_a_clean_merge_that_makes_a_revision_twice(hooked: Hooked) -> None:
    other = contract("m", "1.1.0", "a: string; c: any opt")
    diverge(hooked, {"registry/m2.json": GOOD}, {"registry/m3.json": other})
    assert "revision.duplicate" in hooked.refuses(*MERGE)


def test_a_merge_that_loses_a_revision(hooked: Hooked) -> None:
    diverge(hooked, {"x": b"1"}, {"registry/m.json": GOOD})
    assert "revision.lost-in-merge" in hooked.refuses(*MERGE, "-s", "ours")


def test_a_merge_with_a_conflict_is_judged_by_its_result(hooked: Hooked) -> None:
    both = "a: string; b: string opt; c: string opt"
    theirs = contract("m", "1.1.0", "a: string; c: string opt")
    diverge(hooked, {"registry/m.json": GOOD}, {"registry/m.json": theirs})
    hooked.repository.git(*MERGE, check=False)
    for words in ((), ("--worktree",)):
        done = hooked.repository.run("check", *words)
        assert done.stderr.startswith("[ERROR] registry/m.json contract.unmerged: in conflict")
        assert (done.exit_code, codes(done)) == (3, [])
    hooked.repository.stage({"registry/m.json": contract("m", "1.1.0", both)})
    assert "bump.missing" in hooked.refuses(*COMMIT)
    hooked.repository.stage({"registry/m.json": contract("m", "1.2.0", both)})
    hooked.lets(*COMMIT)
    assert len(hooked.repository.git("rev-parse", "HEAD^@").split()) == 2


@FAST
def test_a_name_that_the_other_side_retired(hooked: Hooked) -> None:
    hooked.repository.commit({"registry/k.json": contract("k", "1.0.0")})
    diverge(hooked, {"x": b"1"}, {"registry/k.json": None})
    hooked.lets(*MERGE)


def test_a_linked_worktree(hooked: Hooked, tmp_path: Path) -> None:
    hooked.repository.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = hooked.at(tmp_path / "linked")
    linked.repository.stage({"registry/m.json": BAD})
    assert "bump.missing" in linked.refuses(*COMMIT)
    linked.repository.stage({"registry/m.json": BIG})
    linked.lets(*COMMIT)
    linked.repository.write({"registry/m.json": BAD})
    assert "revision.regressed" in linked.refuses(*COMMIT, "-a")


def test_a_submodule_has_its_own_registry(hooked: Hooked, home: Path, tmp_path: Path) -> None:
    outer = Repository(tmp_path / "outer")
    local = {"GIT_ALLOW_PROTOCOL": "file"}
    outer.git("submodule", "--quiet", "add", str(hooked.repository.top), "registry/inner", environ=local)
    assert outer.run("check").stderr == (
        "[ERROR] registry/inner contract.submodule: a submodule; run the check inside it\n"
    )
    inner = hooked.at(outer.top / "registry" / "inner")
    install(inner.repository, hooked.runner, home)
    inner.repository.stage({"registry/m.json": BAD})
    assert "bump.missing" in inner.refuses(*COMMIT)
    inner.repository.stage({"registry/m.json": BIG})
    inner.lets(*COMMIT)


@FAST
def test_a_separate_git_directory(hooked: Hooked) -> None:
    hooked.repository.stage({"registry/m.json": BAD})
    where = ("--git-dir", str(hooked.repository.top / ".git"), "--work-tree", str(hooked.repository.top))
    assert "bump.missing" in hooked.refuses(*where, *COMMIT)
    hooked.repository.stage({"registry/m.json": BIG})
    hooked.lets(*where, *COMMIT)


@PUSHERS
def test_a_push_is_judged_from_what_the_remote_has(hooked: Hooked, tmp_path: Path) -> None:
    bare = Repository(tmp_path / "bare", bare=True)
    hooked.repository.git("remote", "add", "origin", str(bare.top))
    hooked.lets("push", "-q", "-u", "origin", "main")
    hooked.repository.commit({"registry/m.json": GOOD})
    hooked.lets("push", "-q")
    hooked.repository.commit({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    hooked.repository.commit({"README.md": b"1"})
    assert "bump.missing           m: 1.1.0 changed and the revision did not" in hooked.refuses("push", "-q")
    hooked.repository.git("checkout", "-q", "-b", "topic")
    assert "bump.missing" in hooked.refuses("push", "-q", "origin", "topic")
    hooked.repository.git("tag", "-a", "-m", "release", "v1.0.0")
    assert "bump.missing" in hooked.refuses("push", "-q", "origin", "v1.0.0")
    hooked.repository.commit({"registry/m.json": BIG})
    hooked.lets("push", "-q", "origin", "topic")


@PUSHERS
def test_the_hooks_by_hand(hooked: Hooked) -> None:
    hooked.repository.stage({"registry/m.json": BAD, "registry/bad.json": b"{"})
    by_hand = hooked.run(hooked.runner, "run", "--hook-stage", "manual", "protocolarc-check")
    assert (by_hand.exit_code, "bump.missing" in by_hand.text) == (1, True)
    every_file = hooked.run(hooked.runner, "run", "--all-files", "protocolarc-files")
    assert (every_file.exit_code, "[ERROR] registry/bad.json json.syntax" in every_file.text) == (1, True)
    assert "m.json" not in every_file.text


@PUSHERS
def test_what_init_writes_is_a_hook_that_works(runner: str, home: Path, empty: Repository) -> None:
    assert empty.run("init").exit_code == 0
    empty.stage()
    hooked = Hooked(empty, runner, home)
    assert "warning" not in hooked.run(runner, "validate-config", CONFIG).text.lower()
    install(empty, runner, home)
    hooked.lets(*COMMIT)
    path = empty.top / "registry" / "example.tool_call.json"
    path.write_text(path.read_text("ascii").replace('"type": "object", "required": false', '"type": "array"'), "ascii")
    said = hooked.refuses(*COMMIT, "-a")
    assert "example.tool_call: 0.1.0 changed and the revision did not; breaking, needs 0.2.0" in said
    assert empty.run("bump", "example.tool_call").exit_code == 0
    hooked.lets(*COMMIT, "-a")
    for hook in ("pre-merge-commit", "pre-push"):
        assert (empty.top / ".git" / "hooks" / hook).exists()


@pytest.mark.index
@PUSHERS
def test_a_runner_builds_the_hook_from_this_repository(runner: str, repository: Repository, tmp_path: Path) -> None:
    shipped = Repository(tmp_path / "shipped")
    for name in subprocess.check_output(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT).split(b"\0"):
        source, target = ROOT / os.fsdecode(name), shipped.top / os.fsdecode(name)
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    revision = shipped.commit()
    hooks = "hooks: [{id: protocolarc-check}, {id: protocolarc-files}]"
    repository.commit({CONFIG: f"repos:\n- repo: {shipped.top}\n  rev: {revision}\n  {hooks}\n"})
    repository.stage({"registry/m.json": BAD})
    homes = {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PREK_HOME": str(tmp_path / "home")}
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [Path(sys.executable).with_name(runner), "run"],
        cwd=repository.top,
        env={**outside, **homes},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, "bump.missing           m: 1.0.0" in done.stdout) == (1, True), done.stdout + done.stderr


@pytest.mark.parametrize("runner", RUNNERS[1:])
def test_the_manifest_is_one_that_the_runners_take(runner: str, home: Path, empty: Repository) -> None:
    done = Hooked(empty, runner, home).run(runner, "validate-manifest", str(MANIFEST))
    assert (done.exit_code, "warning" in done.text.lower()) == (0, False)


def test_the_manifest_offers_the_light_entry() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"]["protocolarc-check"] == "protocolarc.hook:main"
    text = MANIFEST.read_text(encoding="ascii")
    assert text.count("language: python\n") == text.count("entry: protocolarc-check") == text.count("- id: ") == 2
    for line in ("pass_filenames: false", "always_run: true", "require_serial: true"):
        assert text.count(f"  {line}\n") == 1
    assert "  stages: [pre-commit, pre-merge-commit, pre-push, manual]\n" in text


def test_the_second_hook_looks_at_each_file_for_itself(repository: Repository) -> None:
    repository.write({"registry/bad.json": b"{", "registry/n.json": BAD})
    for run in (repository.light, partial(repository.run, "check")):
        assert run("--files", "registry/m.json", "registry/n.json") == (0, b"", "")
        assert run("--files", "registry/bad.json", "registry/m.json", "registry/gone.json") == (
            3,
            b"",
            "[ERROR] registry/bad.json json.syntax at byte 1: not JSON as RFC 8259 defines it\n"
            "[ERROR] registry/gone.json input.unreadable: No such file or directory\n",
        )
        assert run("--files") == (0, b"", "")
        for words in (
            ("--files", "--worktree", "x"),
            ("--files", "--format", "json"),
            ("--files", "--pre-push"),
            ("x",),
        ):
            done = run(*words)
            assert (done.exit_code, done.stdout, "--files" in done.stderr) == (3, b"", True)


@pytest.mark.parametrize("files", [{"registry/m.json": BAD}, {"registry/m.json": GOOD}, {"x": b"1"}], ids=[2, 0, "-"])
def test_nothing_is_written(repository: Repository, files: dict[str, bytes | None]) -> None:
    repository.stage(files)
    repository.write({"registry/m.json": b"on the disk"})

    def everything() -> dict[str, tuple[bytes, int]]:
        found = sorted(path for path in repository.top.rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}

    before = everything()
    for words in ((), ("--worktree",), ("--from", "HEAD")):
        repository.light(*words)
    assert everything() == before


def processes(repository: Repository, tmp_path: Path, *words: str) -> int:
    """Count the git processes that a check starts, children of git among them."""
    trace = tmp_path / "trace"
    trace.unlink(missing_ok=True)
    repository.light(*words, environ={"GIT_TRACE2_EVENT": str(trace)})
    events = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    return sum(event["event"] == "start" for event in events)


def test_the_number_of_processes_does_not_depend_on_the_number_of_contracts(
    repository: Repository, tmp_path: Path
) -> None:
    counts = set()
    for number in (1, 10, 100):
        repository.commit({f"registry/c{index}.json": contract(f"c{index}", "1.0.0") for index in range(number)})
        repository.stage({f"registry/c{index}.json": contract(f"c{index}", "1.1.0", MORE) for index in range(number)})
        counts.add((processes(repository, tmp_path), processes(repository, tmp_path, "--from", "HEAD~1")))
    assert counts == {(4, 5)}
    repository.git("reset", "-q", "--hard")
    repository.stage({"x": b"1"})
    assert processes(repository, tmp_path) == 3
