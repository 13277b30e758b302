"""Loading what the command line names, and saying on standard error what is wrong with it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from protocolarc.cli.exit_codes import INPUT
from protocolarc.cli.output import StopError, fail, note, say
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.inputs import Source, base_name, find_sources, read_file, reason_of
from protocolarc.render.text import render_problem
from protocolarc.rules.structural import REMEDIES
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem
from protocolarc.values.label import escape_label, one_line

_TOLD_ALREADY = ("input.unreadable", "input.empty")

_NAMED = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_./-]*+(?:@[0-9A-Za-z.+-]++)?")


class UnloadedContractError(Exception):
    """A contract file that gave no contract. Its problems were said already."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__()
        self.problems = problems


class _NowhereError(Exception):
    """An argument that leads to no contract; the text says why."""


def load(argument: str, label: str | None = None, at: str | None = None) -> Contract:
    """Load the contract that an argument names: an existing file, else a name or a path in the repository.

    Raises:
        UnloadedContractError: it cannot be read, is not there, or is no contract.
    """
    problems: tuple[Problem, ...]
    try:
        return load_contract(_read(argument, at))
    except OSError as error:
        problems = (Problem(None, "", "input.unreadable", escape_label(reason_of(error))),)
    except _NowhereError as error:
        label = label or argument
        problems = (Problem(None, "", "input.unreadable", one_line(str(error))),)
    except ContractError as error:
        problems = error.problems
    for problem in problems:
        say(render_problem(escape_label(label or base_name(argument)), problem))
    raise UnloadedContractError(problems)


def try_load(
    argument: str, problems: list[tuple[str, Problem]] | None = None, *, at: str | None = None
) -> Contract | None:
    """Load a contract; ``None`` when there is none, whose problems were said, and are added to the list."""
    try:
        return load(argument, None if problems is None else argument, at)
    except UnloadedContractError as error:
        if problems is not None:
            problems += [(argument, problem) for problem in error.problems]
        return None


def name_of(argument: str) -> str:
    """Return the name of the contract that an argument leads to; one that can only be a name stands for itself.

    Raises:
        StopError: a file, of the disk or of a commit, or a revision that is named gives no contract, which was said.
    """
    if not (is_file(argument) or ":" in argument or named_revision(argument)):
        return argument
    try:
        return load(argument).name
    except UnloadedContractError:
        raise StopError(INPUT) from None


def named_revision(argument: str) -> str:
    """Return the revision that ``NAME@REVISION`` names; nothing for any other argument."""
    return "" if is_file(argument) or ":" in argument else argument.partition("@")[2]


@contextmanager
def contract_file(argument: str, at: str | None = None) -> Iterator[str]:
    """Yield a file that holds the contract of an argument, for a program that reads files alone.

    An argument that is no name stands for itself, whether it can be read or not.

    Raises:
        StopError: the name leads to no contract.
    """
    if not _is_name(argument):
        yield argument
        return
    try:
        data = _read(argument, at)
    except (OSError, _NowhereError) as error:
        raise fail(f"{argument}: {error}") from None
    with tempfile.TemporaryDirectory(prefix="protocolarc-") as folder:
        path = os.path.join(folder, "contract.json")
        with open(path, "wb") as stream:
            stream.write(data)
        yield path


def _read(argument: str, at: str | None) -> bytes:
    """Return a document; git is asked only for what is no file and may be a name."""
    if not _is_name(argument):
        return read_file(argument)
    from protocolarc.cli.repository import room
    from protocolarc.gitstore.plumbing import GitError
    from protocolarc.registry.find import NotFoundError, find_document

    try:
        with room() as repository:
            return find_document(repository.git, repository.paths, argument, at)
    except NotFoundError as error:
        raise _NowhereError(f"no file, and {error}") from None
    except GitError as error:
        raise _NowhereError(f"no file, and no registry: {error.reason}") from None


def is_file(argument: str) -> bool:
    """Tell whether an argument is an existing file, which it means then; of a directory nothing can be read."""
    return os.path.lexists(argument) and not os.path.isdir(argument)


def _is_name(argument: str) -> bool:
    """Tell whether an argument is no file and may name a contract, or a file of a commit."""
    if is_file(argument):
        return False
    if ":" in argument:
        return True
    return _NAMED.fullmatch(argument) is not None and not argument.endswith(".json")


class ContractSet:
    """The contracts of directories, files and names; ``at`` is the commit in which names are looked up.

    ``problems`` holds what is wrong with those that gave none, with their labels; ``complete`` is false when
    there is any, or a revision is there twice.
    """

    def __init__(self, arguments: Sequence[str], at: str | None = None) -> None:
        self.complete = True
        self.contracts: list[Contract] = []
        self.problems: list[tuple[str, Problem]] = []
        first: dict[tuple[str, str], str] = {}
        for source in find_sources(arguments, (".json",)):
            if source.fault is None and _is_name(source.path):
                source = source._replace(label=source.path)  # noqa: PLW2901  # a name is told whole
            contract = self._load(source, at)
            if contract is None:
                continue
            key = (contract.name, contract.revision.text)
            if key in first:
                self.complete = False
                note(f"error: {contract.label} is in {first[key]} and again in {source.label}; the first one is used")
                continue
            first[key] = source.label
            self.contracts.append(contract)
        if not self.contracts:
            raise fail("there is no contract to check against")

    def _load(self, source: Source, at: str | None) -> Contract | None:
        if source.fault is not None:
            problems: tuple[Problem, ...] = (Problem(None, "", source.fault.code, escape_label(source.reason)),)
            say(render_problem(escape_label(source.label), problems[0]))
        else:
            try:
                return load(source.path, source.label, at)
            except UnloadedContractError as error:
                problems = error.problems
        self.complete = False
        self.problems += [(source.label, problem) for problem in problems]
        return None


def say_remedies(codes: Iterable[str]) -> None:
    """Say once for each structural code what to do about it."""
    for code in codes:
        if code not in _TOLD_ALREADY:
            say(f"hint: {code}: {REMEDIES[code]}")
