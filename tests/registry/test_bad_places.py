"""Bad places and hostile repositories: a clear line and exit code 3, or the right answer; never a false pass."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.registry.conftest import Clone
from tests.support.repository import Files, Repository, codes, contract, environment

INTEGER, MORE = "a: integer", "a: string; b: string opt"
BAD = contract("m", "1.0.0", INTEGER)


def refused(repository: Repository, *words: str, environ: dict[str, str] | None = None, below: str = ".") -> str:
    """Run the check, which must not answer, and return what it said."""
    done = repository.light(*words, environ=environ or {}, below=below)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert "Traceback" not in done.stderr
    return done.stderr


def test_no_repository(tmp_path: Path) -> None:
    place = Repository.at(tmp_path)
    said = refused(place, environ={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})
    assert said == "error: the current directory is in no git repository\nhint: git init\n"


def test_with_standard_error_closed_the_exit_code_is_the_same(tmp_path: Path) -> None:
    words = ["sh", "-c", 'exec "$0" -m protocolarc.hook 2>&-', sys.executable]
    environ = environment({"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})
    assert subprocess.run(words, cwd=tmp_path, env=environ, check=False).returncode == 3


def test_no_git_on_the_path(repository: Repository, tmp_path: Path) -> None:
    for path in (str(tmp_path), "", ".", ":"):
        said = refused(repository, environ={"PATH": path})
        assert said == "error: git is not on PATH\nhint: install git, or add its directory to PATH\n"


def test_a_git_in_the_repository_is_never_run(repository: Repository, tmp_path: Path) -> None:
    repository.write({"git": f"#!/bin/sh\ntouch {tmp_path}/ran\n".encode()})
    (repository.top / "git").chmod(0o755)
    git = shutil.which("git")
    assert git is not None
    repository.light(environ={"PATH": f".::{Path(git).parent}"})
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a repository away")
def test_a_repository_of_another_user(repository: Repository) -> None:
    os.chown(repository.top, 12345, 12345)
    said = refused(repository)
    assert said.startswith("error: git does not trust this repository: another user owns it\nhint: git config --global")
    assert f"safe.directory {repository.top}" in said


def test_a_shallow_clone_can_be_committed_to(repository: Repository, clone: Clone) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    shallow = clone(repository, "--depth", "1")
    shallow.stage({"registry/m.json": contract("m", "1.1.0", INTEGER)})
    done = shallow.run("check")
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


def test_a_sparse_index(repository: Repository) -> None:
    repository.commit({"registry/m.json": contract("m", "1.0.0"), "other/x": b"1"})
    repository.git("sparse-checkout", "set", "--cone", "--sparse-index", "other")
    assert b"nothing is staged below registry" in repository.run("check").stdout
    repository.git("update-index", "--add", "--cacheinfo", f"100644,{'0' * 39}1,other/y", check=False)
    done = repository.run("check", "--from", "HEAD")
    assert done.stdout.startswith(b"checked 1 contract: ")


@pytest.mark.parametrize(
    "words", [("sparse-checkout", "set", "other"), ("update-index", "--assume-unchanged", "registry/m.json")]
)
def test_what_git_keeps_off_the_disk_did_not_leave(repository: Repository, words: tuple[str, ...]) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE), "other/x": b"1"})
    repository.git(*words)
    (repository.top / "registry" / "m.json").unlink(missing_ok=True)
    done = repository.run("check", "--worktree")
    assert (done.exit_code, codes(done)) == (0, [])
    assert b"m@1.1.0" in repository.run("describe", "m").stdout
    assert b"needs no bump" in repository.run("bump", "m").stdout
    assert b"kept  the contracts in registry" in repository.run("init").stdout
    repository.git("reset", "-q", "--soft", "HEAD~1")
    bad = repository.git("hash-object", "-w", "--stdin", stdin=BAD)
    repository.git("update-index", "--cacheinfo", f"100644,{bad},registry/m.json")
    repository.git("update-index", "--skip-worktree", "registry/m.json")
    done = repository.run("bump", "m")
    assert (done.exit_code, "registry/m.json: needs 2.0.0, but git keeps it off the disk" in done.stderr) == (3, True)


NAMES = [b"new\nline.json", b"caf\xc3\xa9.json", b"bytes\xff\xfe.json", b"-rf.json", b":(glob)*.json", b"a\tb\\.json"]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_of_any_bytes(repository: Repository, name: bytes) -> None:
    path = os.path.join(os.fsencode(repository.top), b"registry", name)
    with open(path, "wb") as stream:
        stream.write(contract("odd", "1.0.0"))
    repository.commit({})
    with open(path, "wb") as stream:
        stream.write(contract("odd", "1.0.0", INTEGER))
    repository.stage({"registry/m.json": contract("m", "1.1.0", MORE)})
    staged, disk = repository.run("check"), repository.run("check", "--worktree")
    repository.commit({})
    judged = repository.run("gate", "--from", "HEAD~1")
    for done in (staged, disk, judged):
        assert (done.exit_code, codes(done)) == (2, ["bump.missing"])
        assert done.stdout.isascii()
        assert len(done.stdout.splitlines()) == 4


SHOWN = {b"new\nline.json": "new\\nline.json", b"\xff.json": "\\udcff.json", b"a\\b.json": "a\\\\b.json"}


@pytest.mark.parametrize(("name", "shown"), SHOWN.items(), ids=SHOWN.values())
def test_a_name_is_escaped_once_wherever_it_is_shown(repository: Repository, name: bytes, shown: str) -> None:
    path = os.path.join(os.fsencode(repository.top), b"registry", name)
    with open(path, "wb") as stream:
        stream.write(b"{")
    repository.commit({})
    told = f"[ERROR] registry/{shown} json.syntax at byte 1: "
    for words in (("gate", "--from", "HEAD~1"), ("check", "--worktree")):
        assert repository.run(*words).stderr.startswith(told)
    assert f"/{shown} json.syntax at byte 1: " in repository.light("--files", os.fsdecode(path)).stderr
    with open(path, "wb") as stream:
        stream.write(contract("n", "1.0.0"))
    note = f"registry/{shown} gave no contract before (json.syntax); it counts as absent there"
    assert f"  note: {note}\n" in repository.run("check", "--worktree").stdout.decode()
    assert json.loads(repository.run("check", "--worktree", "--format", "json").stdout)["notes"] == [note]


def test_paths_of_the_policy_are_names_and_no_patterns(repository: Repository) -> None:
    repository.commit({"protocolarc.toml": b'paths = ["r*", ":(top)x"]\n'})
    repository.stage({"registry/m.json": BAD, "r*/n.json": contract("n", "1.0.0")})
    assert repository.run("check").stdout.startswith(b"checked 1 contract: ")


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def test_what_is_no_contract_is_named(repository: Repository) -> None:
    repository.stage({"registry/lfs.json": LFS, "registry/list.json": b"[]", "registry/bom.json": b"\xef\xbb\xbf{}"})
    (repository.top / "registry" / "link.json").symlink_to("m.json")
    repository.git("add", "-A")
    done = repository.run("check")
    assert done.exit_code == 3
    assert done.stderr.splitlines() == [
        "[ERROR] registry/bom.json json.bom at byte 0: the document begins with a byte order mark",
        "[ERROR] registry/lfs.json contract.lfs: a pointer of Git LFS; keep contracts in git itself",
        "[ERROR] registry/link.json contract.symlink: a symbolic link; put the file itself here",
        "[ERROR] registry/list.json contract.not_object at byte 0: a contract is a JSON object",
    ]
    assert repository.run("check", "--worktree").stderr == done.stderr


@pytest.mark.parametrize("path", ["registry", "deep/registry"])
def test_a_link_in_place_of_the_registry_hides_nothing(repository: Repository, path: str) -> None:
    repository.commit(
        {"protocolarc.toml": f'paths = ["{path}"]\n'.encode(), "deep/registry/n.json": contract("n", "1.0.0")}
    )
    top = path.split("/", maxsplit=1)[0]
    (repository.top / top).rename(repository.top / "real")
    (repository.top / top).symlink_to("real")
    repository.git("add", "-A")
    for _ in range(2):
        for words in ((), ("--worktree",)):
            done = repository.run("check", *words)
            assert done.exit_code == 3, words
            assert f"[ERROR] {top} contract.symlink" in done.stderr
        repository.commit()  # and then nothing is staged


HIDDEN = {
    "a path of several": {"protocolarc.toml": 'paths = ["registry", "more"]\n', "real/k.json": "{}"},
    "a folder above it": {"protocolarc.toml": 'paths = ["registry", "more/deep"]\n', "real/deep/k.json": "{}"},
}


@pytest.mark.parametrize("files", HIDDEN.values(), ids=HIDDEN)
def test_a_link_in_place_of_a_path_is_named_when_nothing_is_staged(repository: Repository, files: Files) -> None:
    repository.write(files)
    (repository.top / "more").symlink_to("real")
    repository.commit()
    for words in ((), ("--worktree",)):
        done = repository.run("check", *words)
        assert (done.exit_code, "[ERROR] more contract.symlink" in done.stderr) == (3, True)


def test_a_registry_of_links_alone_is_named_when_nothing_is_staged(empty: Repository) -> None:
    empty.write({"a.json": contract("a", "1.0.0")})
    (empty.top / "registry").mkdir()
    (empty.top / "registry" / "a.json").symlink_to("../a.json")
    empty.commit()
    for words in ((), ("--worktree",)):
        done = empty.run("check", *words)
        assert (done.exit_code, "[ERROR] registry/a.json contract.symlink" in done.stderr) == (3, True)


def test_what_is_no_file_on_the_disk_is_never_waited_for(repository: Repository) -> None:
    (repository.top / "registry" / "m.json").unlink()
    os.mkfifo(repository.top / "registry" / "m.json")
    for words in (("check", "--worktree"), ("bump", "m"), ("describe", "m")):
        done = repository.run(*words)
        assert (done.exit_code, "registry/m.json" in done.stderr) == (3, True), done
    assert repository.run("check", "--worktree").stderr == (
        "[ERROR] registry/m.json input.unreadable: no regular file\n"
    )


def test_a_folder_in_place_of_a_file_is_what_stands_in_it(repository: Repository) -> None:
    repository.write({"registry/m.json": None})
    repository.write({"registry/m.json/m.json": contract("m", "1.0.0")})
    done = repository.run("check", "--worktree")
    assert (done.exit_code, codes(done)) == (0, ["contract.moved"])


@pytest.mark.parametrize("name", ["protocolarc.toml", "pyproject.toml", "waivers.toml"])
def test_what_is_no_file_is_no_policy(repository: Repository, name: str) -> None:
    repository.write({f"{name}/x": b"1", "registry/m.json": BAD})
    for words in (("check", "--worktree"), ("log",), ("show", "m"), ("describe", "m"), ("blame", "m"), ("init",)):
        assert "internal fault" not in repository.run(*words).stderr
    assert repository.run("check", "--worktree").exit_code == 2
    shutil.rmtree(repository.top / name)
    os.mkfifo(repository.top / name)
    for words in (("check", "--worktree"), ("log",), ("show", "m"), ("bump", "m"), ("blame", "m"), ("init",)):
        assert repository.run(*words) == (3, b"", f"error: {name}: no regular file\n")


def test_a_file_over_the_limit_is_named(repository: Repository) -> None:
    repository.stage({"registry/big.json": b" " * (16 * 1024 * 1024 + 3)})
    done = repository.run("check")
    told = "[ERROR] registry/big.json input.size at byte 0: over the size limit of 16 MiB\n"
    assert (done.exit_code, done.stderr) == (3, told)


def damage(repository: Repository, oid: str, data: bytes | None) -> None:
    path = repository.top / ".git" / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)


@pytest.mark.parametrize("data", [None, b"", b"rubbish"], ids=["missing", "empty", "rubbish"])
def test_a_damaged_object_is_an_error(repository: Repository, data: bytes | None) -> None:
    oid = repository.git("rev-parse", "HEAD:registry/m.json")
    repository.stage({"registry/m.json": contract("m", "1.1.0", MORE)})
    damage(repository, oid, data)
    assert refused(repository) == f"error: object {oid} is missing or damaged\nhint: git fsck\n"


READERS = [
    ("gate", "--from", "HEAD~2"),
    ("check", "--from", "HEAD~2"),
    ("log",),
    ("log", "--full"),
    ("blame", "m"),
    ("show", "m@1.0.0"),
]


@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("data", [None, b"", b"rubbish"], ids=["missing", "empty", "rubbish"])
@pytest.mark.parametrize("name", ["HEAD", "HEAD:", "HEAD:registry"])
def test_a_damaged_commit_or_tree_is_named_and_what_finds_out_more(
    repository: Repository, name: str, data: bytes | None, words: tuple[str, ...]
) -> None:
    for revision in ("1.1.0", "1.2.0"):
        repository.commit({"registry/m.json": contract("m", revision, MORE)})
    oid, head = repository.git("rev-parse", name), repository.git("rev-parse", "HEAD")
    damage(repository, oid, data)
    done = repository.run(*words)
    error, hint = done.stderr.splitlines()
    assert (done.exit_code, done.stdout, hint) == (3, b"", "hint: git fsck")
    named = (
        oid,
        f"{oid[:2]}/{oid[2:]}",
        f"object {head} cannot be read",
        "HEAD names a commit that is missing or damaged",
    )
    assert any(one in error for one in named)


def test_a_partial_clone_fetches_nothing(repository: Repository, clone: Clone) -> None:
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    partial = clone(repository, "--filter=blob:none")
    first = partial.git("rev-parse", "HEAD~1")
    missing = repository.git("rev-parse", "HEAD~1:registry/m.json")
    said = refused(partial, "--from", first)
    assert missing in said
    assert said.endswith("\nhint: git fetch --refetch --no-filter\n")


def test_programs_of_the_configuration_are_not_run(repository: Repository, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", encoding="ascii")
    program.chmod(0o755)
    repository.commit({".gitattributes": b"*.json diff=x filter=x\n", "registry/n.json": contract("n", "1.0.0")})
    for key in ("core.fsmonitor", "diff.x.textconv", "diff.x.command", "filter.x.clean", "filter.x.smudge"):
        repository.git("config", key, str(program))
    for key in ("diff.external", "gpg.program", "core.pager", "pager.log", "core.hooksPath"):
        repository.git("config", key, str(program))
    repository.git("config", "log.showSignature", "true")
    repository.git("-c", "core.fsmonitor=false", "-c", "filter.x.clean=cat", "rm", "-q", "--cached", "registry/m.json")
    (tmp_path / "ran").unlink(missing_ok=True)
    for words in ((), ("--worktree",), ("--from", "HEAD~1", "--transitive")):
        repository.light(*words, environ={"GIT_PAGER": str(program), "GIT_EXTERNAL_DIFF": str(program)})
    assert not (tmp_path / "ran").exists()


SETTINGS = [
    "diff.noprefix=true",
    "diff.relative=true",
    "diff.ignoreSubmodules=all",
    "diff.orderFile=/nonexistent",
    "diff.renames=copies",
    "core.quotePath=false",
    "color.ui=always",
    "log.showRoot=false",
    "log.diffMerges=off",
    "log.follow=true",
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_a_person_change_no_answer(repository: Repository, setting: str) -> None:
    repository.commit({"registry/m.json": contract("m", "1.1.0", MORE)})
    repository.commit({"registry/m.json": contract("m", "1.2.0")})
    repository.stage({"registry/m.json": contract("m", "1.3.0", "a: string; b: integer opt"), "sub/x": b"1"})
    words = ("check", "--transitive")
    plain = repository.run(*words, below="sub")
    repository.git("config", *setting.split("=", 1))
    traced = {"GIT_TRACE": "1", "GIT_LITERAL_PATHSPECS": "1", "LANGUAGE": "de", "GIT_DIFF_OPTS": "-u0"}
    assert repository.run(*words, below="sub", environ=traced) == plain
    assert codes(plain) == ["chain.breaking"]


def test_an_interpreter_without_the_libraries_of_the_command_line_runs_the_hook(repository: Repository) -> None:
    repository.stage({"registry/m.json": BAD})
    blocker = "import sys; sys.modules.update(dict.fromkeys(['typer', 'rich', 'git', 'dataclasses', 'packaging'])); "
    code = f"{blocker}from protocolarc.hook import main; sys.exit(main([]))"
    (repository.top / "run.py").write_text(code, encoding="ascii")
    done = repository.git("-c", f"alias.run=!{sys.executable} run.py; echo $?", "run")
    assert done.endswith("\n2")


@pytest.mark.parametrize("module", ["hook", "cli.main"])
def test_where_the_end_of_a_process_is_kept_secret_nothing_passes(repository: Repository, module: str) -> None:
    repository.stage({"registry/m.json": BAD})
    code = "import signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); sys.argv[1:] = sys.argv[2:]; "
    code += f"from protocolarc.{module} import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "-", *([] if module == "hook" else ["check"])],
        cwd=repository.top,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr == (
        b"error: git has ended, and the system does not say how: SIGCHLD is ignored\n"
        b"hint: start this command with the signal's default action\n"
    )
