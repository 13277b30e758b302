"""Repositories of the registry's tests: one template, copied, so that each costs no process."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.repository import Repository, contract


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit: ``m`` 1.0.0 in ``registry/m.json``."""
    repository = Repository(tmp_path_factory.mktemp("template") / "repository")
    repository.commit({"registry/m.json": contract("m", "1.0.0"), "README.md": b"words\n"})
    return repository.top


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Repository:
    """A copy of the template."""
    shutil.copytree(template, tmp_path / "repository", symlinks=True)
    return Repository.at(tmp_path / "repository")


@pytest.fixture
def empty(tmp_path: Path) -> Repository:
    """A repository without a commit."""
    return Repository(tmp_path / "empty")


Clone = Callable[..., Repository]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """Clone a repository, with more words for ``git clone``."""

    def make(origin: Repository, *words: str, name: str = "clone") -> Repository:
        origin.git("clone", "-q", *words, f"file://{origin.top}", str(tmp_path / name))
        return Repository.at(tmp_path / name)

    return make
