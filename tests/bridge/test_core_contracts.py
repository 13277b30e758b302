"""Contracts are looked up once and pinned."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from protocolarc.bridge.contracts import pin
from protocolarc.bridge.errors import ContractLookupError
from tests.support.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with t 1.0.0, then 1.1.0 in the same file, and u in two files."""
    repository = Repository(tmp_path / "work")
    repository.put("registry/t.json", "a: string")
    repository.put("registry/u/1.0.0.json", "a: string", "1.0.0", name="u")
    repository.put("registry/u/2.0.0.json", "a: integer", "2.0.0", name="u")
    repository.commit()
    repository.put("registry/t.json", "a: string; b: string opt", "1.1.0")
    repository.commit()
    return repository


NAMED = [
    (".", "t", "t@1.1.0"),
    (".", "t@1.0.0", "t@1.0.0"),
    (".", "HEAD~1:registry/t.json", "t@1.0.0"),
    (".", "u", "u@2.0.0"),
    (".", "u@1.0.0", "u@1.0.0"),
    ("registry", "t", "t@1.1.0"),
    ("registry", "u", "u@2.0.0"),
    ("registry/u", "u@1.0.0", "u@1.0.0"),
]


@pytest.mark.parametrize(("registry", "argument", "label"), NAMED)
def test_a_name_is_looked_up_in_a_repository_or_below_a_directory(
    repository: Repository, registry: str, argument: str, label: str
) -> None:
    pinned = pin(argument, repository.top / registry)
    assert pinned is not None
    assert pinned.contract.label == label


def test_a_bare_repository_is_a_registry(repository: Repository, tmp_path: Path) -> None:
    repository.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    pinned = pin("t@1.0.0", tmp_path / "bare")
    assert pinned is not None
    assert pinned.contract.label == "t@1.0.0"


def test_a_file_is_a_contract_without_a_registry_and_its_digest_is_that_of_its_bytes(repository: Repository) -> None:
    path = repository.top / "registry/t.json"
    pinned = pin(str(path), None)
    assert pinned is not None
    digest = f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
    assert pinned.record() == {"name": "t", "revision": "1.1.0", "digest": digest}
    assert pinned == pin("t", repository.top)._replace(validator=pinned.validator)  # type: ignore[union-attr]  # it is there


@pytest.mark.requirement("N4")
def test_a_later_revision_does_not_reach_what_is_pinned(repository: Repository) -> None:
    pinned = pin("t", repository.top)
    assert pinned is not None
    repository.put("registry/t.json", "a: integer", "2.0.0")
    repository.commit()
    assert (pinned.contract.label, pinned.judge(b'{"a": "x"}')) == ("t@1.1.0", ())


ABSENT = [
    (".", "t@3.0.0", "there is no revision 3.0.0 of t; it has"),
    (".", "missing", "there is no contract 'missing' in the registry; it holds"),
    (".", "HEAD:nothing.json", "there is no file 'nothing.json' at HEAD"),
    (".", "v9:registry/t.json", "'v9' names no commit"),
    ("registry", "t@1.0.0", "there is no revision 1.0.0 of t; it has 1.1.0"),
    ("registry", "v", "there is no contract 'v' below"),
    ("nowhere", "t", "is no directory"),
    (None, "t", "No such file"),
]


@pytest.mark.parametrize(("registry", "argument", "said"), ABSENT)
def test_a_contract_that_is_not_there_is_said_at_construction(
    repository: Repository, registry: str | None, argument: str, said: str
) -> None:
    with pytest.raises(ContractLookupError) as caught:
        pin(argument, None if registry is None else repository.top / registry)
    assert said in str(caught.value)


def test_what_is_no_contract_is_refused(repository: Repository) -> None:
    repository.write({"loose/t.json": '{"name": "t"}'})
    with pytest.raises(ContractLookupError, match=r"is no contract: contract\.key_missing"):
        pin(str(repository.top / "loose/t.json"), None)
    repository.put("twice/a.json", "a: string")
    repository.put("twice/b.json", "a: string")
    with pytest.raises(ContractLookupError, match="twice below"):
        pin("t", repository.top / "twice")


def test_a_repository_that_git_refuses_is_no_mere_directory(repository: Repository) -> None:
    repository.write({".git/config": "[core\n"})
    with pytest.raises(ContractLookupError, match="t: git"):
        pin("t", repository.top)


def test_no_contract_is_none() -> None:
    assert pin(None, None) is None
