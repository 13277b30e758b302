"""The gate judges the raw body, as ``validate --raw`` does, before anything else sees it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.routes import create_jsonrpc_routes, create_rest_routes
from a2a.server.routes.common import DefaultServerCallContextBuilder
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from protocolarc.bridge import AgentDefinition
from protocolarc.bridge.gate import LARGE_BODY_BYTES, MAX_BODY_BYTES, ContractGate
from protocolarc.bridge.judgement import JUDGEMENT_KEY, Judgement
from protocolarc.bridge.refusals import jsonrpc_answer
from tests.bridge.core_support import CANARY, Caller, end_of, serving
from tests.support.cli import run
from tests.support.repository import contract

FIELDS = (
    'jsonrpc: string ["2.0"]; id: integer; method: string ["SendMessage", "SendStreamingMessage"]; params: object; '
    'params.message.parts[*].text: string; params.metadata.n: integer opt; params.metadata.kind: string opt ["a", "b"]'
)
SECRET = "secret-value"


def body(**changes: Any) -> dict[str, Any]:
    """Return a request that keeps the contract, with some members changed or, by ``None``, left out."""
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "hello"}]}
    whole = {"jsonrpc": "2.0", "id": 7, "method": "SendMessage", "params": {"message": message}} | changes
    return {key: value for key, value in whole.items() if value is not None}


def params(**metadata: Any) -> dict[str, Any]:
    """Return parameters with metadata."""
    return {"message": body()["params"]["message"], "metadata": metadata}


BODIES = [
    json.dumps(body()).encode(),
    json.dumps(body(method="SendStreamingMessage")).encode(),
    json.dumps(body(id=SECRET)).encode(),
    json.dumps(body(params=params(n=42))).encode(),
    json.dumps(body(params=params(n=42.5))).encode(),
    json.dumps(body(params=params(kind=SECRET))).encode(),
    json.dumps(body(params=params() | {"extra": SECRET})).encode(),
    json.dumps(body(params={"message": {"parts": [{"text": 7}, {}]}})).encode(),
    json.dumps(body(params=params(n=1))).replace("1}", "4.20e1}").encode(),
    json.dumps(body(id=7.5)).encode(),
    b'{"jsonrpc": "2.0", "id": 7, "id": 8, "method": "SendMessage", "params": {}}',
    b'{"jsonrpc": "2.0", "id": NaN, "method": "SendMessage", "params": {}}',
    json.dumps(body()).encode("utf-16"),
    b"\xef\xbb\xbf" + json.dumps(body()).encode(),
    b'["batch"]',
    b"[" * 100_000,
    b"",
]


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A directory with one contract, of a request."""
    (tmp_path / "send.json").write_bytes(contract("send", "1.0.0", FIELDS, strict=True))
    return tmp_path


DEFINITION = AgentDefinition("echo", "1.0.0", request_contract="send")


@pytest.mark.requirement("N1", "N2")
@pytest.mark.parametrize("data", BODIES, ids=range(len(BODIES)))
def test_the_gate_finds_what_validate_finds(data: bytes, registry: Path) -> None:
    recorded = registry / "body.jsonl"
    recorded.write_bytes(data + b"\n" if b"\n" not in data else data)
    done = run("validate", str(registry / "send.json"), str(recorded), "--raw", "--format", "json")
    results = json.loads(done.stdout)["results"]

    async def scenario() -> None:
        async with serving(definition=DEFINITION, registry=registry) as (bridge, runner):
            response = await Caller(bridge).http.post("/", content=data)
            answer: dict[str, Any] = (
                response.json() if "event-stream" not in response.headers["content-type"] else {"result": 1}
            )
            if not results:  # an empty line is no document to ``validate``, an empty body is none to a server
                assert (data, answer["error"]["code"]) == (b"", -32700)
                return
            (result,) = results
            if result["ok"]:
                assert ("result" in answer, len(runner.calls)) == (True, 1)
                return
            assert (runner.calls, bridge.store.live) == ([], frozenset())
            assert SECRET not in json.dumps({**answer, "id": None})
            told = answer["error"]["data"][0]["metadata"]["errors"]
            if "error" in result:
                code = -32600 if result["error"]["code"].startswith("envelope.") else -32700
                offset = f"@byte {result['error']['offset']}"
                assert (answer["error"]["code"], told) == (
                    code,
                    [{"field": offset, "message": result["error"]["code"]}],
                )
                return
            errors = [item for item in result["findings"] if item["severity"] == "error"]
            assert answer["error"]["code"] == -32602
            assert told == [{"field": item["field"], "message": item["rule"]} for item in errors]

    asyncio.run(scenario())


def test_the_rest_binding_is_judged_with_and_without_a_tenant_in_its_path(registry: Path) -> None:
    (registry / "rest.json").write_bytes(contract("rest", "1.0.0", "message: object; message.parts[*].text: string"))
    definition = AgentDefinition("echo", "1.0.0", request_contract="send", rest_contract="rest")
    good, bad = params(), {"message": {"parts": [{"text": 7}]}}

    async def scenario() -> None:
        async with serving(definition=definition, registry=registry) as (bridge, runner):
            http = Caller(bridge).http
            for path in ("/message:send", "/acme/message:send", "/message:stream", "/acme/message%3Asend"):
                assert (await http.post(path, json=good)).status_code == 200
                refused = await http.post(path, json=bad)
                error = refused.json()["error"]
                assert (refused.status_code, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
                violation = {"field": "message.parts[0].text", "description": "field.type"}
                assert error["details"][1]["fieldViolations"] == [violation]
            assert len(runner.calls) == 4

    asyncio.run(scenario())


@pytest.mark.requirement("N1")
@pytest.mark.parametrize(
    "fields", [FIELDS, "params.message.metadata.n: integer opt", "message.metadata.n: integer opt"]
)
@pytest.mark.parametrize("which", ["request_contract", "rest_contract"])
def test_a_binding_without_a_contract_is_closed_where_the_other_one_has_one(
    which: str, fields: str, tmp_path: Path
) -> None:
    (tmp_path / "one.json").write_bytes(contract("one", "1.0.0", fields))
    definition = AgentDefinition("echo", "1.0.0", **{which: "one"})  # type: ignore[arg-type]  # one key of many
    text = "The agent takes no messages over this binding"

    async def scenario() -> None:
        async with serving(definition=definition, registry=tmp_path) as (bridge, runner):
            http = Caller(bridge).http
            if which == "request_contract":
                for path in ("/message:send", "/message:stream", "/acme/message:send"):
                    refused = await http.post(path, json=params(n="not an int"))
                    assert (refused.status_code, refused.json()["error"]["message"]) == (400, text)
            else:
                for method in ("SendMessage", "SendStreamingMessage"):
                    refused = await http.post("/", json=body(method=method, params=params(n="not an int")))
                    assert refused.json()["error"]["message"] == text
                    assert (refused.json()["id"], refused.json()["error"]["code"]) == (7, -32004)
            assert (await http.get("/tasks/x")).status_code == 404
            assert await Caller(bridge).error("GetTask", id="x") == -32001
            assert runner.calls == []

    asyncio.run(scenario())


def test_other_methods_pass_without_being_judged(registry: Path) -> None:
    async def scenario() -> None:
        async with serving(definition=DEFINITION, registry=registry) as (bridge, _):
            caller = Caller(bridge)
            assert await caller.error("GetTask", id="x") == -32001
            assert await caller.error("Nothing") == -32601
            assert (await caller.http.post("/tasks/x:cancel")).status_code == 404
            assert (await caller.http.get("/.well-known/agent-card.json")).json()["name"] == "echo"

    asyncio.run(scenario())


def test_a_message_that_comes_past_the_gate_is_refused(registry: Path) -> None:
    async def scenario() -> None:
        async with serving(definition=DEFINITION, registry=registry) as (bridge, runner):
            routes = [*create_jsonrpc_routes(bridge.handler, "/"), *create_rest_routes(bridge.handler)]
            http = Caller(bridge, app=Starlette(routes=routes)).http
            assert (await http.post("/", json=body())).json()["error"]["code"] == -32603
            assert (await http.post("/message:send", json=params())).status_code == 500
            assert runner.calls == []
        async with serving(definition=DEFINITION, registry=registry, gate=False) as (bridge, _):
            assert end_of(await Caller(bridge).send("hello")) == ("COMPLETED", "")

    asyncio.run(scenario())


OTHER = [
    ({"configuration": {"return_immediately": True}}, "params.configuration.return_immediately"),
    ({"message": body()["params"]["message"] | {"context_id": "c"}}, "params.message.context_id"),
    (
        {
            "message": {
                "messageId": "m",
                "role": "ROLE_USER",
                "parts": [{"text": "x"}, {"text": "x", "media_type": "x"}],
            }
        },
        "params.message.parts[1].media_type",
    ),
    ({"message": body()["params"]["message"] | {"metadata": {"message_id": {"task_id": 1}}}}, None),
]


@pytest.mark.parametrize(("changes", "place"), OTHER, ids=[str(place) for _, place in OTHER])
def test_a_member_under_its_protobuf_name_does_not_pass_a_contract(
    changes: dict[str, Any], place: str | None, registry: Path
) -> None:
    async def scenario() -> None:
        async with serving(definition=DEFINITION, registry=registry) as (bridge, _):
            sent = params() | changes
            answer = (await Caller(bridge).http.post("/", json=body(params=sent))).json()
            if place is None:
                assert "result" in answer
                return
            assert answer["error"]["code"] == -32602
            assert answer["error"]["data"][0]["metadata"]["errors"] == [{"field": place, "message": "gate.spelling"}]

    asyncio.run(scenario())


def chunks(size: int, of: int = 4096) -> Iterable[bytes]:
    """Yield a JSON text of that size in pieces."""
    text = b'{"pad": "' + b"x" * (size - 11) + b'"}'
    return (text[start : start + of] for start in range(0, size, of))


CAPPED = [(MAX_BODY_BYTES, 200), (MAX_BODY_BYTES + 1, 413), (8 * MAX_BODY_BYTES, 413)]


@pytest.mark.requirement("N5")
@pytest.mark.parametrize("gate", [True, False])
@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize(("size", "status"), CAPPED)
@pytest.mark.parametrize(
    "asked",
    [
        ("POST", "/", 200),
        ("GET", "/tasks/x:subscribe", 404),
        ("HEAD", "/tasks/x:subscribe", 404),
        ("GET", "/acme/tasks/x:subscribe", 404),
        ("DELETE", "/tasks/x/pushNotificationConfigs/x", 400),
    ],
)
def test_the_body_is_capped_before_it_is_decoded(
    asked: tuple[str, str, int], size: int, status: int, declared: bool, gate: bool
) -> None:
    method, path, found = asked

    async def scenario() -> None:
        async with serving(gate=gate) as (bridge, _):
            pieces = list(chunks(size))
            taken: list[bytes] = []
            sent: list[Message] = []

            async def receive() -> Message:
                taken.append(pieces.pop(0))
                return {"type": "http.request", "body": taken[-1], "more_body": bool(pieces)}

            async def send(message: Message) -> None:
                sent.append(message)

            length = [(b"content-length", str(size).encode())] if declared else [(b"transfer-encoding", b"chunked")]
            scope = {
                "type": "http",
                "method": method,
                "path": path,
                "headers": [(b"a2a-version", b"1.0"), *length],
                "query_string": b"",
            }
            await bridge.app()(scope, receive, send)
            assert sent[0]["status"] == (found if status == 200 else status)
            assert sum(map(len, taken)) <= (0 if declared and status == 413 else MAX_BODY_BYTES + 4096)
            if status == 413 and method != "HEAD":
                assert json.loads(sent[1]["body"])["error"]["code"] == (-32600 if path == "/" else 413)

    asyncio.run(scenario())


def test_text_of_the_greatest_size_passes_in_its_longest_spelling() -> None:
    text = "\\u0041" * 65536

    async def scenario() -> None:
        async with serving() as (bridge, runner):
            data = json.dumps(body()).replace("hello", text).encode()
            assert len(data) > 6 * 65536
            response = await Caller(bridge).http.post("/", content=data)
            assert response.json()["result"]["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
            assert runner.calls[0][1] == "A" * 65536

    asyncio.run(scenario())


@pytest.mark.requirement("N1")
def test_a_large_body_is_judged_beside_the_loop_and_one_at_a_time() -> None:
    loop_goes_on = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []
    started = asyncio.Event()
    at_work: list[bytes] = []
    most: list[int] = []

    def judge(data: bytes) -> Judgement:
        at_work.append(data)
        loops[0].call_soon_threadsafe(started.set)
        most.append(len(at_work))
        assert len(data) < LARGE_BODY_BYTES or loop_goes_on.wait(30)
        at_work.remove(data)
        return Judgement(None)

    async def scenario() -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            seen.append(scope[JUDGEMENT_KEY])

        async def call(data: bytes) -> None:
            async def receive() -> Message:
                return {"type": "http.request", "body": data, "more_body": False}

            await gate({"type": "http", "method": "POST", "headers": []}, receive, _drop)

        seen: list[Judgement] = []
        loops.append(asyncio.get_running_loop())
        gate = ContractGate(app, answer=jsonrpc_answer, judge=judge, turn=asyncio.Semaphore(1))
        large = [asyncio.create_task(call(b"x" * LARGE_BODY_BYTES)) for _ in range(3)]
        await asyncio.wait_for(started.wait(), 30)
        loop_goes_on.set()
        await asyncio.gather(*large)
        await call(b"small")
        assert (seen, most) == ([Judgement(None)] * 4, [1] * 4)

    asyncio.run(scenario())


async def _drop(message: Message) -> None:
    raise AssertionError(message)


@pytest.mark.requirement("N1")
def test_the_findings_of_a_large_body_are_those_of_validate(registry: Path) -> None:
    parts = [{"text": "x" * 100}] * 600 + [{"text": 7}]
    large = body(params={"message": {"messageId": "m", "role": "ROLE_USER", "parts": parts}})

    async def scenario() -> None:
        async with serving(definition=DEFINITION, registry=registry) as (bridge, _):
            answer = (await Caller(bridge).http.post("/", json=large)).json()
            told = answer["error"]["data"][0]["metadata"]["errors"]
            assert told == [{"field": "params.message.parts[600].text", "message": "field.type"}]

    assert len(json.dumps(large)) > LARGE_BODY_BYTES
    asyncio.run(scenario())


class _Builder(DefaultServerCallContextBuilder):
    """Fails with an error that says what nobody should read."""

    def build(self, request: Request) -> ServerCallContext:
        raise ValueError(CANARY, request)


@pytest.mark.requirement("R11")
def test_what_a_builder_of_call_contexts_raises_stays_here() -> None:
    async def scenario() -> None:
        async with serving() as (bridge, _):
            caller = Caller(bridge, app=bridge.app(context_builder=_Builder()))
            answer = await caller.call("GetTask", id="x")
            assert answer.json()["error"] == {"code": -32603, "message": "Internal error"} | (
                {"data": answer.json()["error"]["data"]} if "data" in answer.json()["error"] else {}
            )
            assert CANARY not in answer.text
            refused = await caller.http.get("/tasks/x")
            assert (refused.status_code, CANARY in refused.text) == (500, False)

    asyncio.run(scenario())
