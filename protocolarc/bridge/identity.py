"""Who calls: the principal that the deployment vouches for, and the run that it is bound into."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller whose identity the deployment has verified. Two are the same owner by tenant and subject alone.

    ``expires_at`` is in seconds since the epoch, as the ``exp`` of a token.

    Raises:
        ValueError: tenant or subject is blank, a scope is no text, or the time is no finite number.
    """

    tenant: str
    subject: str
    scopes: frozenset[str] = frozenset()
    expires_at: float | None = None

    def __post_init__(self) -> None:
        for name in ("tenant", "subject"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise ValueError(f"the {name} of a principal is text that is not blank")
        if isinstance(self.scopes, str):
            raise ValueError("the scopes of a principal are a set of texts")  # noqa: TRY004  # one kind of error here
        object.__setattr__(self, "scopes", frozenset(self.scopes))
        if not all(isinstance(scope, str) for scope in self.scopes):
            raise ValueError("the scopes of a principal are a set of texts")
        time_of = self.expires_at
        if time_of is not None and not (type(time_of) in (int, float) and math.isfinite(time_of)):
            raise ValueError("expires_at is a finite number of seconds")

    @property
    def owner(self) -> str:
        """The partition of the task store: a hash of tenant and subject, with no way to write one into the other."""
        return _digest(self.tenant, self.subject)

    def expired(self, now: float | None = None) -> bool:
        """Tell whether the time is over; without a time it never is."""
        return self.expires_at is not None and self.expires_at <= (time.time() if now is None else now)


@dataclass(frozen=True, slots=True)
class RunScope:
    """What is bound into a run: who asked, the id of the task, and the conversation it belongs to.

    ``context_id`` is what the caller wrote, and two callers may write the same: keep nothing under it. The key of a
    conversation is ``conversation``.
    """

    principal: Principal
    run_id: str
    context_id: str

    @property
    def conversation(self) -> str:
        """A name of 64 characters for the conversation: the same for one owner and one context id, for no others."""
        return _digest(self.principal.owner, self.context_id)


def _digest(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


_scope: ContextVar[RunScope | None] = ContextVar("protocolarc_run", default=None)


def current_run() -> RunScope | None:
    """Return what is bound into the run that this code belongs to; outside of a run, nothing."""
    return _scope.get()


def current_principal() -> Principal | None:
    """Return the caller on whose behalf this code runs; outside of a run, nothing."""
    scope = _scope.get()
    return None if scope is None else scope.principal


@contextmanager
def run_scope(scope: RunScope) -> Iterator[None]:
    """Bind a run for the time of the block, and for what is started in it."""
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)
