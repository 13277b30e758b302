"""Validation: the findings of an envelope, bounded in number and in one order."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.engine.program import Hit, compile_places, passes, trace
from protocolarc.rules.validation import RULES
from protocolarc.rules.validation.kinds import EnvelopeCheck, EnvelopeRule
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Document, Envelope, Fault
from protocolarc.values.finding import Finding, Result, Severity
from protocolarc.values.path import Instance, render_key, render_path

MAX_PER_RULE = 100
"""Findings of one rule on one declared path of one envelope that are kept."""

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1}
_SortKey = tuple[int, str, tuple[int, tuple[tuple[int, str], ...]], str]


class Validator:
    """A contract, compiled once and used for any number of envelopes. It keeps no state between them."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self._root = compile_places(contract)
        self._checks: tuple[tuple[EnvelopeRule, EnvelopeCheck], ...] = tuple(
            (rule, check) for rule in RULES if isinstance(rule, EnvelopeRule) and (check := rule.compile(contract))
        )
        self._tests = tuple(check for _, check in self._checks)

    def validate(self, envelope: Envelope) -> tuple[Finding, ...]:
        """Return the findings of one envelope, sorted: severity, declared path, instance, rule."""
        for check in self._tests:
            if check(envelope):  # nothing, or an iterable that is known to give something
                break
        else:
            if passes(self._root, envelope.data):
                return ()
        keyed = [*self._envelope_findings(envelope), *self._field_findings(envelope)]
        keyed.sort(key=lambda pair: pair[0])
        return tuple(finding for _, finding in keyed)

    def accepts(self, envelope: Envelope) -> bool:
        """Tell whether an envelope has no error finding, without making any."""
        for rule, check in self._checks:
            if rule.severity is Severity.ERROR and check(envelope):
                return False
        return passes(self._root, envelope.data) or not any(
            hit.severity is Severity.ERROR for hit in trace(self._root, envelope.data, ())
        )

    def judge(self, document: Document) -> Result:
        """Return the result of one document of a stream; a structural fault passes through as it is."""
        if isinstance(document.content, Fault):
            return Result(document.label, (), document.content)
        return Result(document.label, self.validate(document.content))

    def _envelope_findings(self, envelope: Envelope) -> Iterator[tuple[_SortKey, Finding]]:
        for rule, check in self._checks:
            rule_id, rank = rule.entry.id, _RANK[rule.severity]
            last, count = "", 0
            for count, (field, message) in enumerate(check(envelope), 1):  # the total is the point
                if count <= MAX_PER_RULE:
                    last = max(last, field)
                    yield (rank, field, (0, ()), rule_id), Finding(rule_id, field, rule.severity, message)
            if count > MAX_PER_RULE:
                yield (rank, last, (1, ()), rule_id), _overflow(rule_id, "*", rule.severity, count)

    def _field_findings(self, envelope: Envelope) -> Iterator[tuple[_SortKey, Finding]]:
        counts: dict[tuple[str, str], int] = {}
        severities: dict[str, Severity] = {}
        for hit in trace(self._root, envelope.data, ()):
            group = (hit.rule, hit.declared)
            counts[group] = count = counts.get(group, 0) + 1
            severities[hit.rule] = hit.severity
            if count <= MAX_PER_RULE:
                yield _sort_key(hit), Finding(hit.rule, render_path(hit.instance), hit.severity, hit.message)
        for (rule_id, declared), count in counts.items():
            if count > MAX_PER_RULE:
                severity = severities[rule_id]
                yield (
                    (_RANK[severity], declared, (1, ()), rule_id),
                    _overflow(rule_id, declared, severity, count),
                )


def _sort_key(hit: Hit) -> _SortKey:
    return _RANK[hit.severity], hit.declared, (0, _instance_key(hit.instance)), hit.rule


def _instance_key(instance: Instance) -> tuple[tuple[int, str], ...]:
    """Order instances of one declared path step by step: indices by number, keys by their rendered form."""
    return tuple((step, "") if isinstance(step, int) else (0, render_key(step)) for step in instance)


def _overflow(rule_id: str, field: str, severity: Severity, count: int) -> Finding:
    return Finding(rule_id, field, severity, f"... and {count - MAX_PER_RULE} more")
