"""SARIF 2.1.0, for code scanning. The rules are those of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from protocolarc.render.json import dump
from protocolarc.render.statements import Statement, nearest_path, statements
from protocolarc.rules.catalogue import catalogue
from protocolarc.values.judgement import CheckResult
from protocolarc.values.label import one_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 5000
"""Results that a report holds, the worst first: GitHub keeps no more of one run."""

_LEVEL = ("note", "error", "error", "error")
_MARKUP = re.compile(r"\{(?=\d+\})|\](?=\()")
"""What begins a placeholder or ends the text of a link in a message of SARIF: data that looks so is set apart."""


def render_check(result: CheckResult) -> str:
    """Return one run with a result per statement and the rules that these name."""
    ranked = sorted(statements(result), key=lambda item: -item.weight)
    kept = ranked[:MAX_RESULTS]
    ids = sorted({item.rule for item in kept})
    notes = [*result.notes, *([f"... and {len(ranked) - len(kept)} more results"] if len(ranked) > len(kept) else [])]
    notifications = [{"level": "note", "message": {"text": _plain(one_line(note))}} for note in notes]
    run = {
        "tool": {"driver": {"name": "ProtocolArc", "rules": _rules(ids)}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
        "results": [_result(item, ids.index(item.rule)) for item in kept],
    }
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rules(ids: Iterable[str]) -> list[dict[str, Any]]:
    entries = {item.entry.id: item.entry for item in catalogue()}
    rules: list[dict[str, Any]] = []
    for rule_id in ids:
        entry = entries.get(rule_id)
        if entry is None:
            rules.append({"id": rule_id})
            continue
        rules.append(
            {
                "id": rule_id,
                "shortDescription": {"text": entry.summary},
                "fullDescription": {"text": entry.explanation},
                "help": {"text": f"{entry.remedy} Example: {entry.example}"},
            }
        )
    return rules


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda match: f"{match[0]} ", text)


def _result(item: Statement, index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": item.rule,
        "ruleIndex": index,
        "level": _LEVEL[item.weight],
        "message": {"text": _plain(item.message)},
        "partialFingerprints": {"contractRuleField/v1": item.fingerprint},
        "properties": {"contract": item.judgement.contract, "field": item.field, "breaking": item.weight == 2},  # noqa: PLR2004  # as in ``weight``
    }
    if item.judgement.path:
        place = {"uri": quote(nearest_path(item.judgement.path)), "uriBaseId": "%SRCROOT%"}
        result["locations"] = [{"physicalLocation": {"artifactLocation": place, "region": {"startLine": 1}}}]
    return result
