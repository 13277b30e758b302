"""The token that tells a run to stop."""

from __future__ import annotations

import asyncio


class CancellationToken:
    """Set once, when the caller cancels or the server shuts down; the run is cancelled as a task right after."""

    __slots__ = ("_event", "_reason")

    def __init__(self) -> None:
        self._event: asyncio.Event | None = None  # most runs never wait for it
        self._reason: str | None = None

    @property
    def cancelled(self) -> bool:
        """True from the moment on that the run shall stop."""
        return self._reason is not None

    @property
    def reason(self) -> str:
        """Why the run shall stop: ``cancelled`` or ``interrupted``; empty before."""
        return self._reason or ""

    def cancel(self, reason: str = "cancelled") -> None:
        """Tell the run to stop. The first reason stays."""
        if self._reason is None:
            self._reason = reason
            if self._event is not None:
                self._event.set()

    async def wait(self) -> str:
        """Wait until the run shall stop, and return why."""
        if self._reason is None:
            if self._event is None:
                self._event = asyncio.Event()
            await self._event.wait()
        return self.reason
