"""Findings: what a rule says about one place of one envelope, and the one order in which they stand."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from protocolarc.values.envelope import Fault


class Severity(Enum):
    """How much a finding weighs. Only an error makes an envelope fail."""

    ERROR = "error"
    WARNING = "warning"


class Finding(NamedTuple):
    """One statement about an envelope. ``field`` is a concrete canonical path, or ``@contract`` and its like."""

    rule: str
    field: str
    severity: Severity
    message: str


class Result(NamedTuple):
    """What validation says of one document: its findings, or the fault that kept it from being read."""

    label: str
    findings: tuple[Finding, ...] = ()
    fault: Fault | None = None

    @property
    def ok(self) -> bool:
        """True when the document was read and no finding is an error."""
        if self.fault is not None:
            return False
        return not self.findings or all(finding.severity is not Severity.ERROR for finding in self.findings)
