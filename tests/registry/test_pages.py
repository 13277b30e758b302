"""What the pages about the registry show can be copied: it is read, and run, by those it is for."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from protocolarc import __version__
from protocolarc.config.policy import read_policy
from protocolarc.config.waivers import read_waivers
from protocolarc.render.formats import CHECK
from protocolarc.rules.registry import CODES
from tests.registry.test_hooks import BAD
from tests.support.cli import ROOT
from tests.support.hooks import CONFIG, MANIFEST, RUNNERS, Hooked
from tests.support.repository import Repository, codes, environment

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "registry.md").read_text(encoding="utf-8")
HISTORY = (ROOT / "docs" / "history.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("runner", RUNNERS[1:])
@pytest.mark.parametrize("page", [PAGE, README], ids=["page", "readme"])
def test_the_hook_is_an_entry_that_runners_take(page: str, runner: str, empty: Repository, tmp_path: Path) -> None:
    entry = blocks(page, "yaml")[0]
    assert len(entry.splitlines()) <= 5
    empty.write({CONFIG: f"repos:\n{entry}"})
    done = Hooked(empty, runner, tmp_path).run(runner, "validate-config", CONFIG)
    assert (done.exit_code, "warning" in done.text.lower()) == (0, False), done.text
    offered = re.findall(r"^- id: (\S+)$", MANIFEST.read_text(encoding="ascii"), re.MULTILINE)
    assert "repo: local" in entry or set(re.findall(r"- id: (\S+)", entry)) <= set(offered)


@pytest.mark.parametrize("page", [PAGE, README], ids=["page", "readme"])
def test_the_gate_is_ten_lines(page: str, repository: Repository) -> None:
    workflow = blocks(page, "yaml")[1]
    steps = workflow.partition("steps:\n")[2]
    assert len(workflow.splitlines()) <= 10
    assert "fetch-depth: 0" in steps
    (command,) = re.findall(r"- run: protocolarc (.*)", steps)
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": BAD})
    done = repository.run(*command.split())
    assert (done.exit_code, codes(done)) == (2, ["bump.missing"])


def test_the_job_of_gitlab_judges_and_leaves_a_report(repository: Repository) -> None:
    (job,) = (block for block in blocks(PAGE, "yaml") if "GIT_DEPTH: 0" in block)
    (command, report) = re.findall(r"- protocolarc (.*) > (\S+)", job)[0]
    assert f"codequality: {report}\n" in job
    repository.git("checkout", "-q", "-b", "topic")
    head = repository.commit({"registry/m.json": BAD})
    environ = {"GITLAB_CI": "true", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_COMMIT_SHA": head}
    done = repository.run(*command.split(), environ=environ)
    assert (done.exit_code, json.loads(done.stdout)[0]["check_name"]) == (2, "bump.missing")


def test_the_stage_of_jenkins_fetches_what_it_compares_with(repository: Repository, tmp_path: Path) -> None:
    (stage,) = blocks(PAGE, "groovy")
    fetch, _, judge = re.findall(r"sh '(.*)'", stage)
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"registry/m.json": BAD})
    words = ("--single-branch", "-b", "topic", f"file://{repository.top}", str(tmp_path / "clone"))
    repository.git("clone", "-q", *words)
    clone = Repository.at(tmp_path / "clone")
    target = {"CHANGE_TARGET": "main"}
    subprocess.run(["sh", "-c", fetch], cwd=clone.top, env=environment(target), check=True, capture_output=True)
    command = judge.removeprefix(".gate/bin/protocolarc ").replace("$CHANGE_TARGET", "main").replace('"', "")
    done = clone.run(*command.partition(" > ")[0].split())
    assert (done.exit_code, b'type="bump.missing"' in done.stdout) == (2, True)


@pytest.mark.parametrize("format_name", CHECK)
def test_what_compared_nothing_leaves_no_report(repository: Repository, format_name: str) -> None:
    done = repository.run("gate", "--from", "HEAD", "--format", format_name)
    assert (done.exit_code, done.stdout) == (3, b"")
    assert done.stderr.startswith("error: nothing to compare: ")


def test_the_policy_file_of_the_page_names_every_key() -> None:
    (text,) = (block for block in blocks(PAGE, "toml") if "paths" in block)
    read_policy(text.encode(), None, __version__)
    assert tomllib.loads(text).keys() == {
        "paths",
        "published",
        "tag-pattern",
        "zero",
        "immutable",
        "open-content",
        "transitive",
        "retired",
        "required-version",
        "fixtures",
        "severity",
    }


def test_the_waiver_of_the_page_is_one() -> None:
    (text,) = (block for block in blocks(PAGE, "toml") if "[[waiver]]" in block)
    assert [waiver.contract for waiver in read_waivers(text.encode())] == ["mcp.tool_call"]


def test_the_page_tells_every_code() -> None:
    untold = {code.entry.id for code in CODES if f"`{code.entry.id}`" not in PAGE}
    assert untold == {"contract.symlink", "contract.submodule", "contract.lfs", "contract.unmerged"}  # told in words


def test_the_action_takes_what_the_page_gives_it() -> None:
    (steps,) = (block for block in blocks(HISTORY, "yaml") if "fetch-depth" in block)
    _, step, upload = steps.split("\n- uses: ")
    given = re.findall(r"^    (\S+):", step, re.MULTILINE)
    offered = re.findall(r"^  (\S+):$", (ROOT / "action.yml").read_text(encoding="ascii"), re.MULTILINE)
    assert given
    assert set(given) <= set(offered)
    (written,) = re.findall("sarif-file: (.+)", step)
    assert f"\n  if: always() && hashFiles('{written}') != ''\n" in upload  # after a gate that failed, too
    assert f"sarif_file: {written}\n" in upload
