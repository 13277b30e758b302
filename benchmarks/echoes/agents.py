"""The two agents. Both say what they hear, after as long a pause as it takes to have so many tasks active."""

from __future__ import annotations

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part, Task, TaskState, TaskStatus
from starlette.applications import Starlette
from starlette.types import ASGIApp

from echoes.times import Times
from protocolarc.bridge import AgentDefinition, CancellationToken, Principal, RunResult, a2a_bridge
from protocolarc.bridge.resolution import Caller

CONTRACT = {
    "name": "bench.send",
    "revision": "1.0.0",
    "kind": "a2a",
    "fields": [
        {"name": "jsonrpc", "type": "string", "enum": ["2.0"]},
        {"name": "method", "type": "string"},
        {"name": "params.message.messageId", "type": "string"},
        {"name": "params.message.role", "type": "string", "enum": ["ROLE_USER"]},
        {"name": "params.message.parts", "type": "array"},
        {"name": "params.message.parts[*].text", "type": "string"},
    ],
}


class Timed(AgentExecutor):
    """An executor around another one that takes the time."""

    def __init__(self, inner: AgentExecutor, times: Times) -> None:
        self.inner = inner
        self.times = times

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        begun = self.times.clock()
        await self.inner.execute(context, event_queue)
        self.times.inside[context.task_id or ""] = self.times.clock() - begun

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await self.inner.cancel(context, event_queue)


class Bare(AgentExecutor):
    """The least that echoes."""

    def __init__(self, times: Times, seconds: float) -> None:
        self.times = times
        self.seconds = seconds

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task, conversation, message = context.task_id, context.context_id, context.message
        if task is None or conversation is None or message is None:
            raise ValueError("the handler gives all three")
        status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
        await event_queue.enqueue_event(Task(id=task, context_id=conversation, status=status, history=[message]))
        updater = TaskUpdater(event_queue, task, conversation)
        await updater.start_work()
        await self.times.pause(task, self.seconds)
        await updater.add_artifact([Part(text=context.get_user_input())], artifact_id="answer", last_chunk=True)
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Nothing is cancelled here."""


class Echo:
    """The same agent behind the bridge."""

    def __init__(self, times: Times, seconds: float) -> None:
        self.times = times
        self.seconds = seconds

    async def run(
        self,
        definition: AgentDefinition,  # noqa: ARG002 - what a runner is given
        text: str,
        *,
        run_id: str,
        principal: Principal,  # noqa: ARG002 - what a runner is given
        cancellation: CancellationToken,  # noqa: ARG002 - what a runner is given
    ) -> RunResult:
        await self.times.pause(run_id, self.seconds)
        return RunResult.completed(text)


def card() -> AgentCard:
    url = "http://127.0.0.1/"
    return AgentCard(
        name="echo",
        description="Says what it hears",
        version="1.0.0",
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        skills=[AgentSkill(id="echo", name="echo", description="Says what it hears", tags=["echo"])],
    )


async def anybody(_: object) -> Principal:
    return Principal(tenant="acme", subject="ann")


def bare(times: Times, seconds: float) -> ASGIApp:
    """Return an application without the bridge."""
    handler = DefaultRequestHandler(Timed(Bare(times, seconds), times), InMemoryTaskStore(), card())
    return Starlette(routes=[*create_jsonrpc_routes(handler, "/")])


def bridged(times: Times, seconds: float, contract: str) -> ASGIApp:
    """Return an application with the bridge and a contract for what is sent."""
    definition = AgentDefinition("echo", "1.0.0", request_contract=contract)
    bridge = a2a_bridge(Echo(times, seconds), definition, card(), InMemoryTaskStore(), resolve=anybody)
    registry = bridge.handler._active_task_registry  # noqa: SLF001 - the one place that calls execute()
    registry._agent_executor = Timed(registry._agent_executor, times)  # noqa: SLF001 - the same
    store = bridge.store.begin

    async def begin(task: Task, caller: Caller) -> None:
        begun = times.clock()
        await store(task, caller)
        times.stored[task.id] = times.clock() - begun

    bridge.store.begin = begin  # type: ignore[method-assign]  # to take the time
    return bridge.app()
