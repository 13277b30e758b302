"""What runs an agent, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from protocolarc.bridge.cancellation import CancellationToken
from protocolarc.bridge.definition import AgentDefinition
from protocolarc.bridge.identity import Principal

_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")


class RunState(Enum):
    """How a run ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class RunResult:
    """The end of a run. Text is sent as text, a mapping as JSON.

    ``code`` says in one word why a run failed; it is public.

    Raises:
        ValueError: a completed run has no output, another one has some, or the code is no word of ``a-z 0-9 _``.
    """

    state: RunState
    output: str | Mapping[str, Any] | None = None
    code: str = ""

    def __post_init__(self) -> None:
        if (self.state is RunState.COMPLETED) != isinstance(self.output, (str, Mapping)):
            raise ValueError("a completed run has text or a mapping as its output, any other run has none")
        if self.code and _CODE.fullmatch(self.code) is None:
            raise ValueError("a code is one word of a-z 0-9 _ that begins with a letter")

    @classmethod
    def completed(cls, output: str | Mapping[str, Any]) -> RunResult:
        """Return the end of a run that has an answer."""
        return cls(RunState.COMPLETED, output)

    @classmethod
    def failed(cls, code: str = "") -> RunResult:
        """Return the end of a run that has none."""
        return cls(RunState.FAILED, None, code)


class AgentRunner(Protocol):
    """The agent itself. It is called once per accepted task, never for a refused one."""

    async def run(
        self,
        definition: AgentDefinition,
        text: str,
        *,
        run_id: str,
        principal: Principal,
        cancellation: CancellationToken,
    ) -> RunResult:
        """Answer the text.

        ``run_id`` is the id of the A2A task. What is raised ends the task as failed, with a fixed text; the reason
        goes to the log.
        """
