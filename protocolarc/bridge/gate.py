"""The contract gate: an ASGI layer that sees the raw body before anything else does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol, TypeAlias

from a2a.server.context import ServerCallContext
from a2a.server.routes.common import DefaultServerCallContextBuilder, ServerCallContextBuilder
from a2a.utils.errors import InternalError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from protocolarc.bridge.contracts import Pinned
from protocolarc.bridge.judgement import JUDGEMENT_KEY, Judgement
from protocolarc.bridge.refusals import Refusal, closed_refusal, fault_refusal, findings_refusal, too_large
from protocolarc.bridge.spelling import other_spelling
from protocolarc.loader.envelopes import read_envelope
from protocolarc.values.envelope import Fault
from protocolarc.values.finding import Finding, Severity

MAX_BODY_BYTES = 512 * 1024
"""Largest body. JSON may spell a byte of text with six, and 64 KiB of text have to pass."""

LARGE_BODY_BYTES = 32 * 1024
"""From this size on a body is judged in a thread: a hostile one takes a second, in which the loop has to go on."""

SPELLING_RULE = "gate.spelling"
"""A member under its protobuf name, in a message that has no other fault."""

SEND_METHODS = ("SendMessage", "SendStreamingMessage")

_log = logging.getLogger(__name__)


Judge: TypeAlias = Callable[[bytes], "Judgement | Refusal | None"]
"""Looks at a body: a judgement, a refusal, or nothing where the body sends no message."""


class _GoneError(Exception):
    """The client left before its body was complete."""


class Answer(Protocol):
    """Writes a refusal in the shape of a binding."""

    def __call__(self, refusal: Refusal) -> ASGIApp:
        """Return the response."""


class ContractGate:
    """Caps every body before it is decoded, and judges that of a POST. What passes reaches the application unchanged.

    Whoever holds ``turn`` judges a large body; gates of one server share it, so that few threads are at work.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        answer: Answer,
        judge: Judge | None,
        turn: asyncio.Semaphore,
        max_body_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._app = app
        self._answer = answer
        self._judge = judge
        self._turn = turn
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except _GoneError:
            return
        found = too_large(self._max_body_bytes) if body is None else await self._weigh(scope["method"], body)
        if isinstance(found, Refusal):
            await self._answer(found)(scope, receive, send)
            return
        scope[JUDGEMENT_KEY] = found
        await self._app(scope, _replay(body or b"", receive), send)

    async def _weigh(self, method: str, body: bytes) -> Judgement | Refusal | None:
        if self._judge is None or method != "POST":
            return None
        if len(body) < LARGE_BODY_BYTES:
            return self._judge(body)
        async with self._turn:
            return await asyncio.to_thread(self._judge, body)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the whole body; nothing for one that is, or says that it is, over the limit."""
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        if declared.isdigit() and int(declared[:20]) > self._max_body_bytes:
            return None
        parts: list[bytes] = []
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                raise _GoneError
            part = message.get("body", b"")
            size += len(part)
            if size > self._max_body_bytes:
                return None
            parts.append(part)
            more = message.get("more_body", False)
        return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a channel that gives the body once more, then whatever follows it."""
    pending = [body]

    async def channel() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return channel


def judge_jsonrpc(contract: Pinned | None, *, closed: bool = False) -> Judge:
    """Return the judge of JSON-RPC bodies: all must be sound JSON objects; those that send must keep the contract.

    Where the binding is closed nothing is sent.
    """

    def judge(body: bytes) -> Judgement | Refusal | None:
        envelope = read_envelope(body, raw=True)
        if isinstance(envelope, Fault):
            return fault_refusal(envelope)
        if envelope.data.get("method") not in SEND_METHODS:
            return None
        if closed:
            return closed_refusal(envelope.data.get("id"))
        if contract is None:
            return Judgement(None)
        other = other_spelling(envelope.data.get("params"), ("params",))
        return _weigh(contract, contract.validator.validate(envelope), other, envelope.data.get("id"))

    return judge


def judge_rest(contract: Pinned | None, *, closed: bool = False) -> Judge:
    """Return the judge of REST bodies that send a message. Where the binding is closed nothing is sent."""

    def judge(body: bytes) -> Judgement | Refusal | None:
        envelope = read_envelope(body, raw=True)
        if isinstance(envelope, Fault):
            return fault_refusal(envelope)
        if closed:
            return closed_refusal(None)
        if contract is None:
            return Judgement(None)
        return _weigh(contract, contract.validator.validate(envelope), other_spelling(envelope.data), None)

    return judge


def _weigh(contract: Pinned, findings: tuple[Finding, ...], other: str | None, call_id: object) -> Judgement | Refusal:
    told = [(finding.field, finding.rule) for finding in findings if finding.severity is Severity.ERROR]
    if other is not None and not told:
        told = [(other, SPELLING_RULE)]
    if told:
        return findings_refusal(contract.contract.label, told, call_id)
    for finding in findings:
        _log.info("a message passes with a warning: %s", finding.rule)
    return Judgement(contract, findings)


class JudgedContextBuilder(ServerCallContextBuilder):
    """Hands what the gate found on to the call context, after the deployment's own builder has made it."""

    def __init__(self, builder: ServerCallContextBuilder | None) -> None:
        self._builder = builder or DefaultServerCallContextBuilder()

    def build(self, request: Request) -> ServerCallContext:
        """Return the context of a request."""
        try:
            context = self._builder.build(request)
        except Exception:  # noqa: BLE001  # its text must not reach the caller
            _log.exception("the builder of call contexts raised")
            raise InternalError from None
        context.state[JUDGEMENT_KEY] = request.scope.get(JUDGEMENT_KEY)
        return context
