"""Asking the deployment who calls: once per request, in bounded time, and nobody unless the answer is right."""

from __future__ import annotations

import asyncio
import logging
import secrets
import weakref
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from protocolarc.bridge.identity import Principal

if TYPE_CHECKING:
    from a2a.server.context import ServerCallContext

PrincipalResolver: TypeAlias = "Callable[[ServerCallContext], Awaitable[Principal]]"
"""Returns the verified principal of a call, out of what the server knows: headers, ``auth``, the user.

It raises, or answers late or anything else, when there is none.
"""

_KEY = "protocolarc.caller"
_log = logging.getLogger(__name__)


class Caller:
    """Who calls in one request. Without a principal it is nobody, whose partition no one else ever has.

    ``absent`` holds the ids that the store was asked for in this request and did not have, ``lost`` those of tasks
    that it would not take.
    """

    __slots__ = ("absent", "lost", "owner", "principal")

    def __init__(self, principal: Principal | None) -> None:
        self.principal = principal
        self.owner = secrets.token_hex(32) if principal is None else principal.owner
        self.absent: set[str] = set()
        self.lost: set[str] = set()


class _Known(NamedTuple):
    context: weakref.ref[ServerCallContext]
    caller: Caller


class Resolver:
    """The one place where identity comes from, for sending, reading, listing, cancelling and subscribing."""

    def __init__(self, resolve: PrincipalResolver, timeout_seconds: float) -> None:
        self.resolve = resolve
        self._timeout = timeout_seconds

    async def caller(self, context: ServerCallContext) -> Caller:
        """Return who calls; the answer is kept for this request and no other, even where a state is shared."""
        known = context.state.get(_KEY)
        if isinstance(known, _Known) and known.context() is context:
            return known.caller
        caller = Caller(await self._ask(context))
        context.state[_KEY] = _Known(weakref.ref(context), caller)
        return caller

    async def _ask(self, context: ServerCallContext) -> Principal | None:
        # The tenant of a call context is what the caller wrote into its request, so the resolver never sees it.
        shown = context.model_copy(update={"tenant": ""})
        question = asyncio.create_task(_answer(self.resolve, shown))
        question.add_done_callback(_forget)
        try:
            await asyncio.wait((question,), timeout=self._timeout)
        finally:
            question.cancel()  # a resolver that ignores it is left behind, not waited for
        if not question.done():
            _log.error("the resolver of identities took more than %s seconds", self._timeout)
            return None
        error = None if question.cancelled() else question.exception()
        if error is not None or question.cancelled():
            # Its text may hold what the caller sent as its credentials.
            _log.warning("the resolver of identities raised %s", type(error or asyncio.CancelledError()).__name__)
            _log.debug("the resolver of identities raised", exc_info=error)
            return None
        principal = question.result()
        if type(principal) is not Principal:
            _log.error("the resolver of identities answered with %s, no Principal", type(principal).__name__)
            return None
        return None if principal.expired() else principal


async def _answer(resolve: PrincipalResolver, context: ServerCallContext) -> object:
    return await resolve(context)


def _forget(question: asyncio.Task[object]) -> None:
    if not question.cancelled():
        question.exception()  # seen, so that asyncio does not report it again
