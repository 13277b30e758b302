"""What a run returned, as the one part of the one artifact, or why it may not be sent."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from a2a.types import Artifact, Part
from google.protobuf.json_format import Parse, ParseError
from google.protobuf.message import DecodeError
from google.protobuf.struct_pb2 import Value

from protocolarc.bridge import codes
from protocolarc.bridge.codes import Outcome
from protocolarc.bridge.contracts import Pinned
from protocolarc.bridge.nesting import fits
from protocolarc.values.envelope import Fault
from protocolarc.values.finding import Severity

ARTIFACT_NAME = "answer"
CONTRACT_KEY = "protocolarc.contract"
REQUEST_CONTRACT_KEY = "protocolarc.request_contract"
MAX_EXACT_INTEGER = 2**53
"""Beyond it a data part, whose numbers are doubles, would change an integer."""

_log = logging.getLogger(__name__)


def make_artifact(
    output: str | Mapping[str, Any], max_bytes: int, contract: Pinned | None, request_contract: Pinned | None
) -> Artifact | Outcome:
    """Return the artifact of an output, or why there is none. The limit is in bytes of UTF-8.

    With a contract a text has to be a JSON document, too. What is judged is what is sent.
    """
    try:
        document = encode(output)
    except (TypeError, ValueError, RecursionError) as error:
        _log.error("an output cannot be sent: %s", type(error).__name__)  # its text may hold values
        return codes.OUTPUT_INVALID
    if len(document) > max_bytes:
        return codes.OUTPUT_TOO_LARGE
    if contract is not None and not _holds(contract, document):
        return codes.OUTPUT_CONTRACT_VIOLATION
    try:
        artifact = Artifact(artifact_id=ARTIFACT_NAME, name=ARTIFACT_NAME, parts=[_part(output, document)])
    except (ParseError, DecodeError):
        _log.error("an output is nested too deeply for a data part, or has a key twice")
        return codes.OUTPUT_INVALID
    if not fits(artifact=artifact):
        _log.error("an output is nested too deeply for a list of tasks")
        return codes.OUTPUT_INVALID
    for key, pinned in ((CONTRACT_KEY, contract), (REQUEST_CONTRACT_KEY, request_contract)):
        if pinned is not None:
            artifact.metadata[key] = pinned.record()
    return artifact


def encode(output: str | Mapping[str, Any]) -> bytes:
    """Return the UTF-8 of a text, or the compact JSON of a mapping.

    Raises:
        TypeError: the mapping holds what JSON has no value for.
        ValueError: a lone surrogate, a number that is not finite, or an integer that would not arrive as it is.
        RecursionError: the nesting has no end.
    """
    if isinstance(output, str):
        return output.encode("utf-8")
    text = json.dumps(dict(output), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    json.loads(text, parse_int=_exact)
    return text.encode("utf-8")


def _exact(digits: str) -> None:
    if abs(int(digits)) > MAX_EXACT_INTEGER:
        raise ValueError("an integer beyond 2^53")


def _holds(contract: Pinned, document: bytes) -> bool:
    findings = contract.judge(document)
    if isinstance(findings, Fault):
        _log.error("an output violates %s: %s", contract.contract.label, findings.code)
        return False
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    for finding in errors:
        _log.error("an output violates %s: %s", contract.contract.label, finding.rule)
    return not errors


def _part(output: str | Mapping[str, Any], document: bytes) -> Part:
    if isinstance(output, str):
        return Part(text=output, media_type="text/plain")
    return Part(data=Parse(document, Value()), media_type="application/json")
