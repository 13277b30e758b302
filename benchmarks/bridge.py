"""What the bridge adds to a bare executor: ``python benchmarks/bridge.py``.

Both agents echo, after as long a pause as it takes to have the wanted number of tasks active at the wanted rate. They
are called as ASGI applications in this process, without sockets and clients, which would cost more than what is
measured. Three times are taken of every task, all without the time in which the agent itself works: inside
``execute()``; the same without the wait until the store has the task, before which the bridge lets no agent begin; and
from the request to the answer. The agents take turns (ABAB), and the figure is the median over the rounds. The garbage
collector runs between the rounds and not during them: its pauses, of several milliseconds, are those of the process and
hit whoever runs. ``--collector`` leaves it on.

``--race N`` runs N cancellations around the end of a run and ``--leaks N`` so many tasks, with the code of the tests.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part, Task, TaskState, TaskStatus
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Scope

from protocolarc.bridge import AgentDefinition, CancellationToken, Principal, RunResult, a2a_bridge
from protocolarc.bridge.resolution import Caller

ROOT = Path(__file__).parent.parent
MAX_ADDED_MS = 2.0
MAX_OWN_MS = 10.0

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


@dataclass
class Times:
    """Seconds of every task: of the agent's own work, inside ``execute()``, waiting for the store, of the request."""

    work: dict[str, float] = field(default_factory=dict)
    inside: dict[str, float] = field(default_factory=dict)
    stored: dict[str, float] = field(default_factory=dict)
    whole: dict[str, float] = field(default_factory=dict)

    async def pause(self, task: str, seconds: float) -> None:
        """Do the agent's work."""
        begun = perf_counter()
        await asyncio.sleep(seconds)
        self.work[task] = perf_counter() - begun

    def rows(self) -> dict[str, list[float]]:
        """Return milliseconds that were not the agent's own work."""
        return {
            "inside execute()": [(spent - self.work[task]) * 1000 for task, spent in self.inside.items()],
            "without the store": [
                (spent - self.work[task] - self.stored.get(task, 0.0)) * 1000 for task, spent in self.inside.items()
            ],
            "whole request": [(spent - self.work[task]) * 1000 for task, spent in self.whole.items()],
        }


class Timed(AgentExecutor):
    """An executor around another one that takes the time."""

    def __init__(self, inner: AgentExecutor, times: Times) -> None:
        self.inner = inner
        self.times = times

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        begun = perf_counter()
        await self.inner.execute(context, event_queue)
        self.times.inside[context.task_id or ""] = perf_counter() - begun

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


def bare(seconds: float) -> tuple[ASGIApp, Times]:
    times = Times()
    handler = DefaultRequestHandler(Timed(Bare(times, seconds), times), InMemoryTaskStore(), card())
    return Starlette(routes=[*create_jsonrpc_routes(handler, "/")]), times


def bridged(seconds: float, contract: str) -> tuple[ASGIApp, Times]:
    times = Times()
    definition = AgentDefinition("echo", "1.0.0", request_contract=contract)
    bridge = a2a_bridge(Echo(times, seconds), definition, card(), InMemoryTaskStore(), resolve=anybody)
    registry = bridge.handler._active_task_registry  # noqa: SLF001 - the one place that calls execute()
    registry._agent_executor = Timed(registry._agent_executor, times)  # noqa: SLF001 - the same
    store = bridge.store.begin

    async def begin(task: Task, caller: Caller) -> None:
        begun = perf_counter()
        await store(task, caller)
        times.stored[task.id] = perf_counter() - begun

    bridge.store.begin = begin  # type: ignore[method-assign]  # to take the time
    return bridge.app(), times


async def call(app: ASGIApp, number: int) -> str:
    """Send one message and return the id of its task."""
    message = {"messageId": f"m-{number}", "role": "ROLE_USER", "parts": [{"text": "hello " * 40}]}
    request = {"jsonrpc": "2.0", "id": number, "method": "SendMessage", "params": {"message": message}}
    body = json.dumps(request).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"a2a-version", b"1.0"),
    ]
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    messages: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])
    answer = bytearray()

    async def receive() -> Message:
        message = next(messages, None)
        if message is None:
            await asyncio.Event().wait()  # the caller stays, and has no more to say
        return message or {}

    async def send(message: Message) -> None:
        answer.extend(message.get("body", b""))

    await app(scope, receive, send)
    task = json.loads(answer)["result"]["task"]
    if task["status"]["state"] != "TASK_STATE_COMPLETED":
        sys.exit(f"a task ended as {task['status']}")
    return str(task["id"])


async def load(app: ASGIApp, times: Times, rate: float, tasks: int) -> None:
    """Start so many tasks at a rate."""

    async def one(number: int) -> None:
        begun = perf_counter()
        task = await call(app, number)
        times.whole[task] = perf_counter() - begun

    started = perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(tasks):
            await asyncio.sleep(max(0.0, started + number / rate - perf_counter()))
            group.create_task(one(number))


def p99(values: list[float]) -> float:
    return quantiles(values, n=100, method="inclusive")[98]


def compare(active: int, rate: float, tasks: int, rounds: int, *, collector: bool) -> tuple[float, float]:
    """Print one line per time; return the added p99 and the p99 of the bridge's own time inside ``execute()``."""
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        contract = Path(folder) / "send.json"
        contract.write_text(json.dumps(CONTRACT), encoding="ascii")
        makers: list[Callable[[], tuple[ASGIApp, Times]]] = [
            lambda: bare(active / rate),
            lambda: bridged(active / rate, str(contract)),
        ]
        for _ in range(rounds):
            both = []
            for make in makers:
                app, times = make()
                gc.collect()
                if not collector:
                    gc.disable()
                asyncio.run(load(app, times, rate, tasks))
                gc.enable()
                both.append(times)
            plain, bridge = (times.rows() for times in both)
            for name, one in plain.items():
                other = bridge[name]
                rows.setdefault(name, []).append((median(one), p99(one), median(other), p99(other)))
    print(f"{active} active, {rate:g} starts/s, {tasks} tasks, {rounds} rounds; ms, median of the rounds")
    print(f"{'':18} {'bare p50':>9} {'p99':>7} {'bridge p50':>11} {'p99':>7} {'added p50':>10} {'added p99':>10}")
    added: dict[str, float] = {}
    for name, figures in rows.items():
        middle = [median(column) for column in zip(*figures, strict=True)]
        more = [median(row[2] - row[0] for row in figures), median(row[3] - row[1] for row in figures)]
        added[name] = more[1]
        columns = zip([*middle, *more], (9, 7, 11, 7, 10, 10), strict=True)
        print(f"{name:18} " + " ".join(f"{figure:{width}.2f}" for figure, width in columns))
    return added["inside execute()"], median(row[3] for row in rows["inside execute()"])


def main() -> int:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tasks", type=int, default=300, help="of a round")
    parser.add_argument("--active", type=int, default=100, help="tasks at once")
    parser.add_argument("--rate", type=float, default=20, help="starts a second")
    parser.add_argument("--load", type=int, default=5, help="so many times as much of all of these, reported alone")
    parser.add_argument("--collector", action="store_true", help="leave the garbage collector on")
    parser.add_argument("--race", type=int, default=0)
    parser.add_argument("--leaks", type=int, default=0)
    options = parser.parse_args()
    if options.race or options.leaks:
        wanted = {"tests.bridge.race": options.race, "tests.bridge.leaks": options.leaks}
        return max(
            subprocess.run([sys.executable, "-m", name, str(count)], cwd=ROOT, check=False).returncode
            for name, count in wanted.items()
            if count
        )
    active, rate, tasks, more = options.active, options.rate, options.tasks, options.load
    added, own = compare(active, rate, tasks, options.rounds, collector=options.collector)
    if more:
        compare(active * more, rate * more, tasks * more, 1, collector=options.collector)
    print(f"added p99 {added:.2f} ms (limit {MAX_ADDED_MS:g}), own p99 {own:.2f} ms (limit {MAX_OWN_MS:g})")
    return 0 if added < MAX_ADDED_MS and own < MAX_OWN_MS else 1


if __name__ == "__main__":
    sys.exit(main())
