"""The code quality report of GitLab: a JSON array of issues."""

from __future__ import annotations

import json

from protocolarc.render.statements import nearest_path, statements
from protocolarc.values.judgement import CheckResult

_SEVERITY = ("info", "major", "critical", "blocker")


def render_check(result: CheckResult) -> str:
    """Return an issue per statement. There are no lines: an issue is about a contract, so it stands at the first."""
    issues = [
        {
            "description": item.message,
            "check_name": item.rule,
            "fingerprint": item.fingerprint,
            "severity": _SEVERITY[item.weight],
            "location": {"path": nearest_path(item.judgement.path), "lines": {"begin": 1}},
        }
        for item in statements(result)
    ]
    return json.dumps(issues, indent=2) + "\n"
