"""How the gate refuses: rule and field, never a value, in the SDK's own shape of an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from a2a.server.jsonrpc_models import JSONParseError
from a2a.server.request_handlers.response_helpers import build_error_response
from a2a.utils.error_handlers import build_error_details, build_rest_error_payload
from a2a.utils.errors import A2AError, InvalidParamsError, InvalidRequestError, UnsupportedOperationError
from starlette.responses import JSONResponse

from protocolarc.values.envelope import Fault

MAX_TOLD = 50
"""Findings that one answer lists."""

_TOO_LARGE = 413


class Refusal(NamedTuple):
    """Why a body does not pass. ``call_id`` is that of the JSON-RPC call; ``status`` an unusual code of HTTP."""

    error: A2AError
    call_id: str | int | None = None
    status: int | None = None
    unparsed: bool = False


def too_large(limit: int) -> Refusal:
    """Refuse a body by its size, unread."""
    return Refusal(InvalidRequestError(f"The body has more than {limit} bytes"), status=_TOO_LARGE)


def fault_refusal(fault: Fault) -> Refusal:
    """Refuse a body that is no JSON object, or none that every reader reads alike."""
    told = {"errors": [{"field": f"@byte {fault.offset or 0}", "message": fault.code}]}
    if fault.code.startswith("envelope."):
        return Refusal(InvalidRequestError("The body is no JSON object", told))
    return Refusal(InvalidRequestError("The body is outside the JSON profile", told), unparsed=True)


def findings_refusal(contract: str, errors: Sequence[tuple[str, str]], call_id: object) -> Refusal:
    """Refuse a message that violates its contract, by field and rule of each error."""
    told = [{"field": field, "message": rule} for field, rule in errors[:MAX_TOLD]]
    data = {"contract": contract, "count": len(errors), "errors": told}
    return Refusal(InvalidParamsError("The message violates its contract", data), _wire_id(call_id))


def closed_refusal(call_id: object) -> Refusal:
    """Refuse a message over a binding that has no contract, while the other one has."""
    return Refusal(UnsupportedOperationError("The agent takes no messages over this binding"), _wire_id(call_id))


def _wire_id(call_id: object) -> str | int | None:
    return call_id if type(call_id) in (str, int) else None  # type: ignore[return-value]  # mypy does not narrow by it


def jsonrpc_answer(refusal: Refusal) -> JSONResponse:
    """Write a refusal as the error of a JSON-RPC call."""
    error: A2AError | JSONParseError = refusal.error
    if refusal.unparsed:
        error = JSONParseError(message=refusal.error.message, data=build_error_details(refusal.error))
    return JSONResponse(build_error_response(refusal.call_id, error), status_code=refusal.status or 200)


def rest_answer(refusal: Refusal) -> JSONResponse:
    """Write a refusal as an error of the REST binding."""
    content = build_rest_error_payload(refusal.error)
    if refusal.status is not None:
        content["error"]["code"] = refusal.status
    return JSONResponse(content, status_code=content["error"]["code"])
