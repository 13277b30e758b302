"""Loading what the command line names, and saying on standard error what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from protocolarc.cli.output import fail, note, say
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.inputs import Source, base_name, find_sources, read_file, reason_of
from protocolarc.render.text import render_problem
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Problem


class UnloadedContractError(Exception):
    """A contract file that gave no contract. Its problems were said already."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__()
        self.problems = problems


def load(path: str, label: str | None = None) -> Contract:
    """Load a contract file.

    Raises:
        UnloadedContractError: the file cannot be read or holds no contract.
    """
    problems: tuple[Problem, ...]
    try:
        return load_contract(read_file(path))
    except OSError as error:
        problems = (Problem(None, "", "input.unreadable", reason_of(error)),)
    except ContractError as error:
        problems = error.problems
    for problem in problems:
        say(render_problem(label or base_name(path), problem))
    raise UnloadedContractError(problems)


class ContractSet:
    """The contracts of a directory or list of files; ``complete`` is false when one of them gave none."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.complete = True
        self.contracts: list[Contract] = []
        first: dict[tuple[str, str], str] = {}
        for source in find_sources(arguments, (".json",)):
            contract = self._load(source)
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

    def _load(self, source: Source) -> Contract | None:
        try:
            if source.fault is None:
                return load(source.path, source.label)
            say(render_problem(source.label, Problem(None, "", source.fault.code, source.reason)))
        except UnloadedContractError:
            pass
        self.complete = False
        return None
