"""The executor: what happens between an accepted request and the end of its task."""

from __future__ import annotations

import asyncio
import logging

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.types import Artifact
from a2a.utils.errors import TaskNotFoundError

from protocolarc.bridge import codes
from protocolarc.bridge.admission import admit_caller, read_text
from protocolarc.bridge.codes import Outcome
from protocolarc.bridge.contracts import Pinned
from protocolarc.bridge.definition import AgentDefinition
from protocolarc.bridge.identity import Principal, RunScope, run_scope
from protocolarc.bridge.judgement import judgement_of
from protocolarc.bridge.output import make_artifact
from protocolarc.bridge.resolution import Resolver
from protocolarc.bridge.runner import AgentRunner, RunResult, RunState
from protocolarc.bridge.runs import Run
from protocolarc.bridge.store import TERMINAL, BoundTaskStore, StoreUnavailableError

_log = logging.getLogger(__name__)


class BridgeExecutor(AgentExecutor):
    """Runs one agent for the SDK's handler. It holds one ``Run`` per active task and nothing for any other."""

    def __init__(  # noqa: PLR0913  # every part of the wiring, by name
        self,
        runner: AgentRunner,
        definition: AgentDefinition,
        *,
        resolver: Resolver,
        store: BoundTaskStore | None,
        artifact_contract: Pinned | None,
        max_input_bytes: int,
        max_artifact_bytes: int,
    ) -> None:
        self._runner = runner
        self._definition = definition
        self._resolver = resolver
        self._store = store
        self._artifact_contract = artifact_contract
        self._max_input_bytes = max_input_bytes
        self._max_artifact_bytes = max_artifact_bytes
        self._runs: dict[str, Run] = {}
        self._work: set[asyncio.Task[None]] = set()
        self.interrupted = False

    @property
    def active(self) -> int:
        """How many tasks are in the hands of the bridge."""
        return len(self._runs)

    def holds(self, task_id: str) -> bool:
        """Tell whether a task is in the hands of the bridge."""
        return task_id in self._runs

    @property
    def working(self) -> int:
        """How many runners are at work, those included that were told to stop and have not yet."""
        return len(self._work)

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one request: judge, run, judge the answer, and end the task exactly once."""
        task_id, context_id = context.task_id or "", context.context_id or ""
        caller = await self._resolver.caller(context.call_context)
        run = self._runs[task_id] = Run(caller, task_id, context_id, event_queue, self._store)
        try:
            await self._attempt(run, context, caller.principal)
        except StoreUnavailableError:
            raise  # its text is public, and the SDK tells the caller
        except Exception:  # noqa: BLE001  # its text must not reach the caller
            _log.exception("task %s: the bridge failed", task_id)
            await run.close(codes.EXECUTION_FAILED)
        finally:
            del self._runs[task_id]
            if self._store is not None and not run.closed:
                self._store.forget(task_id)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:  # noqa: ARG002  # the run has its queue
        """End a run as cancelled, unless it has ended by itself; then that end is in the queue on return.

        Raises:
            TaskNotFoundError: the caller does not own the task.
        """
        caller = await self._resolver.caller(context.call_context)
        run = self._runs.get(context.task_id or "")
        if run is None:
            return
        if run.owner != caller.owner:
            raise TaskNotFoundError
        run.token.cancel()
        await run.close(codes.CANCELLED)

    async def interrupt(self) -> None:
        """End every run as interrupted, and take no more: the server shuts down."""
        self.interrupted = True
        for run in list(self._runs.values()):
            run.token.cancel("interrupted")
            await run.close(codes.INTERRUPTED)
            run.settle(None)

    async def _attempt(self, run: Run, context: RequestContext, principal: Principal | None) -> None:
        task_id = context.task_id or ""
        task = context.current_task
        if task is not None and task.status.state in TERMINAL:  # a message that waited for the end of its task
            run.closed = True
            return
        if task is not None:  # stored as active, and no run behind it: the process was another one
            run.resume()
            await run.close(codes.INTERRUPTED)
            return
        text = admit_caller(principal, self._definition) or read_text(context.message, self._max_input_bytes)
        if principal is None or isinstance(text, Outcome):
            await run.close(text if isinstance(text, Outcome) else codes.NOT_AUTHORISED)
            return
        if self.interrupted:
            await run.close(codes.INTERRUPTED)
            return
        await run.open(context.message)
        if run.closed:
            return
        scope = RunScope(principal, task_id, context.context_id or "")
        judgement = judgement_of(context.call_context)
        await self._finish(run, await self._call(run, text, scope), judgement.contract if judgement else None)

    async def _call(self, run: Run, text: str, scope: RunScope) -> RunResult | None:
        """Return what the runner returns, or nothing when that is no result.

        The runner has a task of its own: one that ignores its cancellation is left behind and holds nobody up. It is
        made before the task is announced, so that the agent does not wait for what the SDK makes of that.
        """
        with run_scope(scope):
            work = asyncio.create_task(self._work_on(run, text, scope))
        self._work.add(work)
        work.add_done_callback(self._work.discard)
        try:
            await run.announce()
            return await run.returned
        finally:
            work.cancel()  # it is over, unless this was cancelled, or a shutdown waits for no runner

    async def _work_on(self, run: Run, text: str, scope: RunScope) -> None:
        """Call the runner, and hand over what it returns if anybody still waits for that."""
        result: RunResult | None = None
        try:
            result = await self._runner.run(
                self._definition,
                text,
                run_id=scope.run_id,
                principal=scope.principal,
                cancellation=run.token,
            )
            if type(result) is not RunResult:
                _log.error("task %s: the runner returned %s, no RunResult", scope.run_id, type(result).__name__)
                result = None
        except (Exception, asyncio.CancelledError):  # noqa: BLE001  # its text must not reach the caller
            if not run.returned.done():
                _log.exception("task %s: the runner raised", scope.run_id)
        finally:
            run.settle(result)

    async def _finish(self, run: Run, result: RunResult | None, request_contract: Pinned | None) -> None:
        if result is None:
            await run.close(codes.EXECUTION_FAILED)
        elif result.state is RunState.CANCELLED:
            await run.close(codes.CANCELLED)
        elif result.output is None:
            await run.close(codes.RUN_FAILED, detail=result.code)
        else:
            made = make_artifact(result.output, self._max_artifact_bytes, self._artifact_contract, request_contract)
            if isinstance(made, Artifact):
                await run.close(codes.COMPLETED, made)
            else:
                await run.close(made)
