"""Contracts of the registry, looked up once and pinned: the bridge never sees a later revision."""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple, TypeAlias

from protocolarc.bridge.errors import ContractLookupError
from protocolarc.config.policy import ConfigError
from protocolarc.engine.validate import Validator
from protocolarc.gitstore.plumbing import Git, GitError, open_repository
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.envelopes import read_envelope
from protocolarc.loader.inputs import find_sources, read_file, reason_of
from protocolarc.registry import refs, sources
from protocolarc.registry.find import NotFoundError, find_document, listed
from protocolarc.registry.snapshots import parse
from protocolarc.registry.sources import encode_paths
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Fault
from protocolarc.values.finding import Finding

RegistryPath: TypeAlias = "str | os.PathLike[str]"


class Pinned(NamedTuple):
    """One revision of a contract, ready to judge, with the digest of the document that it came from."""

    contract: Contract
    digest: str
    validator: Validator

    def judge(self, body: bytes) -> Fault | tuple[Finding, ...]:
        """Return what ``validate --raw`` says of a body: its findings, or why it is no document."""
        envelope = read_envelope(body, raw=True)
        return envelope if isinstance(envelope, Fault) else self.validator.validate(envelope)

    def record(self) -> dict[str, str]:
        """Say which document this is, for the metadata of an artifact."""
        return {"name": self.contract.name, "revision": self.contract.revision.text, "digest": self.digest}


def pin(argument: str | None, registry: RegistryPath | None) -> Pinned | None:
    """Look a contract up and keep it; of no argument, nothing.

    Without a registry the argument is a file. With one it is a name: looked up as on the command line when the
    registry is the top of a work tree or a bare repository, else among the contracts below that directory.

    Raises:
        ContractLookupError: it is not there, or is no contract.
    """
    if argument is None:
        return None
    try:
        data = read_file(argument) if registry is None else _look_up(os.fspath(registry), argument)
        contract = load_contract(data)
    except OSError as error:
        raise ContractLookupError(f"{argument}: {reason_of(error)}") from None
    except ContractError as error:
        raise ContractLookupError(f"{argument} is no contract: {error}") from None
    except (NotFoundError, ConfigError) as error:
        raise ContractLookupError(f"{argument}: {error}") from None
    except GitError as error:
        raise ContractLookupError(f"{argument}: {error.reason}") from None
    return Pinned(contract, f"sha256:{hashlib.sha256(data).hexdigest()}", Validator(contract))


def _look_up(registry: str, argument: str) -> bytes:
    if not os.path.isdir(registry):
        raise ContractLookupError(f"the registry {registry!r} is no directory")
    try:
        git = open_repository(registry, bare=True)
    except GitError:
        if os.path.lexists(os.path.join(registry, ".git")):  # a repository that git refuses is no mere directory
            raise
        return _below(registry, argument)
    with git:
        if git.top is not None and not os.path.samefile(git.top, registry):
            return _below(registry, argument)
        return _in_repository(git, argument)


def _in_repository(git: Git, argument: str) -> bytes:
    reader = sources.from_commit(git, refs.head_point(git)) if git.top is None else sources.from_disk(git.top)
    return find_document(git, encode_paths(sources.decide(reader).policy), argument)


def _below(directory: str, argument: str) -> bytes:
    """Return the document of a name among the files below a directory: the highest revision, or the one it says."""
    name, _, revision = argument.partition("@")
    found: dict[str, tuple[Contract, bytes]] = {}
    names: set[str] = set()
    for source in find_sources([directory], (".json",)):
        if source.fault is not None:
            continue
        data = read_file(source.path)
        contract = parse(data)
        if not isinstance(contract, Contract):
            continue
        names.add(contract.name)
        if contract.name == name:
            if contract.revision.text in found:
                raise ContractLookupError(f"{contract.label} is there twice below {directory}")
            found[contract.revision.text] = contract, data
    if not found:
        raise ContractLookupError(f"there is no contract {name!r} below {directory}; {listed(name, names, 'it holds')}")
    if revision:
        if revision not in found:
            raise ContractLookupError(f"there is no revision {revision} of {name}; {listed(revision, found, 'it has')}")
        return found[revision][1]
    return max(found.values(), key=lambda item: item[0].revision.precedence)[1]
