"""The load: messages to an application in this process, without the sockets and clients that would cost the most."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from time import perf_counter

from starlette.types import ASGIApp, Message, Scope

from echoes.times import Times


async def load(app: ASGIApp, times: Times, rate: float, tasks: int) -> None:
    """Start so many tasks, so many a second."""

    async def one(number: int) -> None:
        begun = times.clock()
        task = await call(app, number)
        times.whole[task] = times.clock() - begun

    started = perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(tasks):
            await asyncio.sleep(max(0.0, started + number / rate - perf_counter()))
            group.create_task(one(number))


async def call(app: ASGIApp, number: int) -> str:
    """Send one message and return the id of its task."""
    message = {"messageId": f"m-{number}", "role": "ROLE_USER", "parts": [{"text": "hello " * 40}]}
    request = {"jsonrpc": "2.0", "id": number, "method": "SendMessage", "params": {"message": message}}
    body = json.dumps(request).encode()
    messages: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])
    answer = bytearray()

    async def receive() -> Message:
        message = next(messages, None)
        if message is None:
            await asyncio.Event().wait()  # the caller stays, and has no more to say
        return message or {}

    async def send(message: Message) -> None:
        answer.extend(message.get("body", b""))

    await app(scope_of(body), receive, send)
    task = json.loads(answer)["result"]["task"]
    if task["status"]["state"] != "TASK_STATE_COMPLETED":
        sys.exit(f"a task ended as {task['status']}")
    return str(task["id"])


def scope_of(body: bytes) -> Scope:
    """Return what a server says of a request with this body."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "root_path": "",
        "headers": [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"a2a-version", b"1.0"),
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
