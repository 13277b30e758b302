"""The pass over the input that ``matrix`` and ``report`` share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocolarc.cli.exit_codes import ERRORS, INPUT, OK, worst
from protocolarc.cli.inputs import ContractSet, say_remedies
from protocolarc.cli.output import Output
from protocolarc.cli.progress import watching
from protocolarc.engine.matrix import Matrix, Verdict
from protocolarc.loader.inputs import find_sources, read_documents


class MatrixRun:
    """A matrix over the contracts and envelopes that the command line names."""

    def __init__(self, contracts: Sequence[str], envelopes: Sequence[str], at: str | None = None) -> None:
        self._contracts = ContractSet(contracts, at)
        self._sources = find_sources(envelopes)
        loaded = self._contracts
        self.matrix = Matrix(loaded.contracts, loaded.problems, complete=loaded.complete)

    def verdicts(self, output: Output) -> Iterator[Verdict]:
        """Yield what the matrix says of each document, as it is read."""
        with watching(self._sources, output) as watcher:
            for document in read_documents(self._sources, watcher=watcher):
                yield self.matrix.add(document)
        say_remedies(self.matrix.codes)

    def finish(self, output: Output) -> None:
        """Read everything."""
        for _ in self.verdicts(output):
            pass

    @property
    def exit_code(self) -> int:
        """The code of the documents that were read so far."""
        failed = self.matrix.failed_cells or self.matrix.untargeted.count
        malformed = self.matrix.malformed.count or not self._contracts.complete
        return worst(ERRORS if failed else OK, INPUT if malformed else OK)
