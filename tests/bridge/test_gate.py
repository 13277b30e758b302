"""The gate: the raw body is judged before anything else sees it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.bridge.contracts import judged
from tests.bridge.runners import Runner, echo
from tests.bridge.scene import ANN, DEFINITION, over_both_bindings, serving
from tests.bridge.stores import Kind, everything, opened
from tests.bridge.wire import Binding, played, steps, within
from tests.support.cli import run

LIMIT = 512 * 1024


def body_of(binding: Binding, message: str) -> bytes:
    """Return the body of a request with a message that is given as JSON text, as it is written."""
    if binding is Binding.REST:
        return f'{{"message": {message}}}'.encode("utf-8", "surrogatepass")
    rpc = f'{{"jsonrpc": "2.0", "id": 7, "method": "SendMessage", "params": {{"message": {message}}}}}'
    return rpc.encode("utf-8", "surrogatepass")


def told(binding: Binding, answered: httpx.Response) -> list[dict[str, Any]]:
    """Return field and rule of each finding that an answer names."""
    error = answered.json()["error"]
    details = error["data"] if binding is Binding.JSONRPC else error["details"]
    (found,) = [detail["fieldViolations"] for detail in details if "fieldViolations" in detail]
    return [{"field": violation["field"], "rule": violation["description"]} for violation in found]


def text(number: str = "", metadata: str = "{}", role: str = '"ROLE_USER"', more: str = "") -> str:
    """Return a message as JSON text."""
    part = f'{{"data": {{"count": {number}}}}}' if number else '{"text": "hello"}'
    return f'{{"messageId": "m", "role": {role}, "parts": [{part}], "metadata": {metadata}{more}}}'


MESSAGES = {
    "good": text(),
    "missing": '{"role": "ROLE_USER", "parts": [{"text": "hello"}]}',
    "null": text(role="null"),
    "wrong type": text(role="1"),
    "not in the enum": text(role='"ROLE_AGENT"'),
    "secret not in the enum": text(metadata='{"unit": "canary"}'),
    "null in the enum": text(metadata='{"unit": null}'),
    "several": '{"messageId": 1, "role": "x", "parts": {}}',
    "an undeclared key": text(more=', "undeclared": 1'),
    "an integer": text("42"),
    "an integer as 42.0": text("42.0"),
    "an integer as 4.2e1": text("4.2e1"),
    "no integer": text("42.5"),
    "a large integer": text("9007199254740993"),
    "a large number that a double would round": text("9007199254740993.5"),
    "a boolean": text("true"),
    "an integer as text": text('"42"'),
    "a number in metadata": text(metadata='{"count": 1.5}'),
    "not an object": "5",
}


@pytest.mark.requirement("N1", "N2")
@over_both_bindings
@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
@played
async def test_the_gate_finds_what_validate_finds_before_a_task_exists(
    binding: Binding, message: str, tmp_path: Path
) -> None:
    body = body_of(binding, message)
    runner = Runner(echo)
    definition = judged(tmp_path)
    (tmp_path / "body.json").write_bytes(body)
    contract = tmp_path / ("rpc.json" if binding is Binding.JSONRPC else "rest.json")
    printed = run("validate", str(contract), str(tmp_path / "body.json"), "--raw", "--format", "json")
    (result,) = json.loads(printed.stdout)["results"]
    expected = [
        {"field": finding["field"], "rule": finding["rule"]}
        for finding in result["findings"]
        if finding["severity"] == "error"
    ]
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store, definition=definition) as scene:
        answered = await (await scene.caller(binding)).post(body)
        if expected:
            assert told(binding, answered) == expected
            assert answered.json()["error"]["code"] == (-32602 if binding is Binding.JSONRPC else 400)
            assert await everything(store) == "{}"
            assert runner.calls == []
            assert b"canary" not in answered.content
        else:
            assert "error" not in answered.json()
            assert await everything(store) != "{}"


BODIES = {
    "nothing": b"",
    "cut": b'{"message": {',
    "no object": b"[1]",
    "a batch": b'[{"message": {}}]',
    "no UTF-8": b'{"message": "\xff"}',
    "a mark of the byte order": b'\xef\xbb\xbf{"message": {}}',
    "the same key twice": b'{"message": {"role": "ROLE_AGENT", "role": "ROLE_USER"}}',
    "too deep": b'{"message": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a number that is none": b'{"message": NaN}',
    "a lone surrogate": b'{"message": "\\ud800"}',
}


@pytest.mark.requirement("N1", "R11")
@over_both_bindings
@pytest.mark.parametrize("contract", [True, False], ids=["contract", "no contract"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@played
async def test_a_body_that_is_no_sound_json_object_is_refused(
    binding: Binding, contract: bool, body: bytes, tmp_path: Path
) -> None:
    runner = Runner(echo)
    definition = judged(tmp_path) if contract else DEFINITION
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store, definition=definition) as scene:
        answered = await (await scene.caller(binding)).post(body)
        assert answered.json()["error"]["code"] in (-32700, -32600, 400)
        assert answered.status_code == (200 if binding is Binding.JSONRPC else 400)
        assert await everything(store) == "{}"
    assert runner.calls == []


@pytest.mark.requirement("N1")
@pytest.mark.parametrize("method", ["SendMessage", "SendStreamingMessage"])
@played
async def test_both_ways_to_send_are_judged_and_other_methods_are_not(method: str, tmp_path: Path) -> None:
    definition = judged(tmp_path)
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(echo), store, definition=definition) as scene:
        for binding in Binding:
            caller = await scene.caller(binding)
            body = body_of(binding, text(role='"x"')).replace(b"SendMessage", method.encode())
            answered = await caller.post(body, streaming=method == "SendStreamingMessage")
            assert told(binding, answered)
            assert await caller.list() == []


@pytest.mark.requirement("N1", "R6")
@pytest.mark.parametrize("path", ["/message:send", "/message:stream", "/evil/message:send", "/evil/message:stream"])
@played
async def test_no_path_leads_past_the_gate(path: str, tmp_path: Path) -> None:
    definition = judged(tmp_path)
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(echo), store, definition=definition) as scene:
        caller = await scene.caller(Binding.REST)
        answered = await caller.http.post(path, content=body_of(Binding.REST, text(role='"x"')))
        assert told(Binding.REST, answered) == [{"field": "message.role", "rule": "field.enum"}]


@pytest.mark.requirement("N5", "N1")
@over_both_bindings
@played
async def test_a_body_that_breaks_off_is_no_request_even_if_what_came_is_sound(binding: Binding) -> None:
    runner = Runner(echo)
    path = "/" if binding is Binding.JSONRPC else "/message:send"
    begun = body_of(binding, text())
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\na2a-version: 1.0\r\nauthorization: Bearer {ANN}\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(begun) + 1}\r\n\r\n"
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store) as scene:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(scene.url.rpartition(":")[2]))
        writer.write(head.encode() + begun)
        writer.write_eof()
        await within(reader.read(), "the end of the connection")
        writer.close()
        await writer.wait_closed()
        await steps(50)
        assert await everything(store) == "{}"
    assert runner.calls == []


@pytest.mark.requirement("N5")
@over_both_bindings
@pytest.mark.parametrize("announced", [True, False], ids=["length announced", "in chunks"])
@pytest.mark.parametrize(("size", "fits"), [(LIMIT, True), (LIMIT + 1, False), (LIMIT * 8, False)])
@played
async def test_a_body_is_capped_before_it_is_decoded(binding: Binding, announced: bool, size: int, fits: bool) -> None:
    runner = Runner(echo)
    sound = body_of(binding, text())
    body = sound + b" " * (size - len(sound)) if fits else b"{" * size  # what does not fit could not be decoded

    async def chunks() -> AsyncIterator[bytes]:
        for begin in range(0, size, 65_536):
            yield body[begin : begin + 65_536]

    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store) as scene:
        caller = await scene.caller(binding)
        answered = await caller.post(body if announced else chunks())
        if fits:
            assert answered.status_code == 200
            assert "error" not in answered.json()
        else:
            assert answered.status_code == 413
            assert "error" in answered.json()
            assert await everything(store) == "{}"
    assert len(runner.calls) == fits
