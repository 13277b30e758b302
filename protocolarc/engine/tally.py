"""Counting results as they pass, so that a stream can be summed up when it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocolarc.values.finding import Result, Severity


class Tally:
    """How many documents passed, failed and were malformed, how many warnings there were, and which codes."""

    def __init__(self) -> None:
        self.passed = self.failed = self.malformed = self.warnings = 0
        self.codes: dict[str, None] = {}

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """Count each result and pass it on."""
        for result in results:
            if result.fault is not None:
                self.malformed += 1
                self.codes[result.fault.code] = None
            elif not result.findings:
                self.passed += 1
            else:
                self.passed += result.ok
                self.failed += not result.ok
                self.warnings += sum(finding.severity is Severity.WARNING for finding in result.findings)
            yield result

    def sentence(self) -> str:
        """Sum up in one line: ``6 documents: 4 passed, 1 failed, 1 malformed; 2 warnings``."""
        return (
            f"{self.total} documents: {self.passed} passed, {self.failed} failed, "
            f"{self.malformed} malformed; {self.warnings} warnings"
        )

    @property
    def total(self) -> int:
        """How many documents there were."""
        return self.passed + self.failed + self.malformed

    @property
    def exit_code(self) -> int:
        """What ``validate`` exits with: 3 for a malformed document, 1 for a failed one, else 0."""
        return 3 if self.malformed else int(self.failed > 0)
