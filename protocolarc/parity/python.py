"""The Python engine, asked as the runtime is: a request in memory, or files on disk."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from protocolarc.engine.tally import Tally
from protocolarc.engine.validate import Validator
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.envelopes import read_document, read_lines
from protocolarc.loader.inputs import Watcher, find_sources, read_documents, read_file, split_lines
from protocolarc.render.json import render_unloaded_contract, stream_results
from protocolarc.runtime.wire import Answer, Request
from protocolarc.values.envelope import Document, Problem

Loaded: TypeAlias = Validator | tuple[Problem, ...]
"""A contract ready for use, or what is wrong with it."""

_UNLOADED = 3


class PythonSide:
    """Answers requests with the engine of this package. Keeps the last contract, since batches share one."""

    def __init__(self) -> None:
        self._contract: bytes | None = None
        self._loaded: Loaded = ()

    def loads(self, contract: bytes) -> bool:
        """Tell whether these bytes are a contract."""
        return isinstance(self._load(contract), Validator)

    def validate(self, request: Request) -> Answer:
        """Return the exit code and the report of one request."""
        report = Report(self._load(request.contract), _documents(request))
        pieces = "".join(report.pieces())
        return Answer(report.exit_code, pieces.encode("ascii"))

    def _load(self, contract: bytes) -> Loaded:
        if contract != self._contract:
            self._contract, self._loaded = contract, _load(contract)
        return self._loaded


class Report:
    """A JSON report that is made as it is read; its exit code is known when it was read to the end."""

    def __init__(self, loaded: Loaded, documents: Iterable[Document]) -> None:
        self._loaded = loaded
        self._documents = documents
        self._tally = Tally()

    def pieces(self) -> Iterator[str]:
        """Yield the pieces of the report."""
        if isinstance(self._loaded, tuple):
            yield render_unloaded_contract(self._loaded)
        else:
            yield from stream_results(
                self._loaded.contract, self._tally.watch(map(self._loaded.judge, self._documents))
            )

    @property
    def exit_code(self) -> int:
        """What ``validate`` exits with."""
        return _UNLOADED if isinstance(self._loaded, tuple) else self._tally.exit_code

    @property
    def count(self) -> int:
        """How many documents were read."""
        return self._tally.total


def report_files(contract: str, envelopes: Sequence[str], *, raw: bool) -> Report:
    """Return the report that ``validate --format json`` gives of these files."""
    loaded: Loaded
    try:
        loaded = _load(read_file(contract))
    except OSError as error:
        loaded = (Problem(None, "", "input.unreadable", error.strerror or str(error)),)
    return Report(loaded, read_documents(find_sources(envelopes), raw=raw))


def _load(contract: bytes) -> Loaded:
    try:
        return Validator(load_contract(contract))
    except ContractError as error:
        return error.problems


def _documents(request: Request) -> Iterator[Document]:
    if request.format == "json":
        return read_document(request.label, request.input, raw=request.raw)
    return read_lines(request.label, split_lines(io.BytesIO(request.input), Watcher()), raw=request.raw)
