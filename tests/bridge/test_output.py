"""What may go out, and in which order."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from a2a.types import AgentCard, TaskPushNotificationConfig
from a2a.utils.errors import PushNotificationNotSupportedError
from google.protobuf.json_format import MessageToDict

from protocolarc.bridge import RunState, a2a_bridge
from tests.bridge.events import artifacts, code, state, story
from tests.bridge.runners import Runner, Script, echo, giving, raising, returning, until_cancelled
from tests.bridge.scene import DEFINITION, bearer, over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Kind, everything, opened
from tests.bridge.wire import Binding, card, played, said

LIMIT = 1_048_576
AROUND = len(json.dumps({"text": ""}, separators=(",", ":")))
"""Bytes of the JSON around the text of an answer."""


@pytest.mark.requirement("R3")
@over_both_bindings
@with_both_stores
@pytest.mark.parametrize(
    ("output", "fits"),
    [
        ("x" * LIMIT, True),
        ("x" * (LIMIT + 1), False),
        ("\u20ac" * (LIMIT // 3) + "x", True),
        ("\u20ac" * (LIMIT // 3 + 1), False),
        ({"text": "x" * (LIMIT - AROUND)}, True),
        ({"text": "x" * (LIMIT - AROUND + 1)}, False),
    ],
    ids=["text", "text, one over", "three bytes each", "one character over", "JSON", "JSON, one over"],
)
@played
async def test_an_artifact_that_is_too_large_fails_the_task_and_nothing_of_it_leaves(
    binding: Binding, kind: Kind, output: Any, fits: bool, tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as store, serving(Runner(giving(output)), store) as scene:
        caller = await scene.caller(binding)
        events = await caller.send(said("hello"))
        task = await caller.get(events[0].task.id)
        if fits:
            assert story(events)[2:] == ["artifact_update", "COMPLETED"]
            assert len(task.artifacts) == 1
        else:
            assert story(events) == ["SUBMITTED", "WORKING", "FAILED"]
            assert (code(task), list(task.artifacts)) == ("output_too_large", [])
            assert len(scene.tap.sent) < 10_000
            assert len(await everything(store)) < 10_000


SAID = ["SUBMITTED", "WORKING", "artifact_update", "COMPLETED"]
FAILED = ["SUBMITTED", "WORKING", "FAILED"]


def endless() -> dict[str, Any]:
    """Return JSON that holds itself."""
    found: dict[str, Any] = {}
    found["again"] = found
    return found


OUTCOMES: list[tuple[str, Script, list[str], str]] = [
    ("text", echo, SAID, ""),
    ("json", giving({"a": [1, None]}), SAID, ""),
    ("failed", giving(None, RunState.FAILED, "no_luck"), FAILED, "run_failed"),
    ("gave up", giving(None, RunState.CANCELLED), ["SUBMITTED", "WORKING", "CANCELED"], "cancelled"),
    ("raised", raising(ValueError("no")), FAILED, "execution_failed"),
    ("cancelled itself", raising(asyncio.CancelledError()), FAILED, "execution_failed"),
    ("no text", giving(b"bytes"), FAILED, "execution_failed"),
    ("nothing", giving(None), FAILED, "execution_failed"),
    ("no result", returning("hello"), FAILED, "execution_failed"),
    ("no JSON", giving({"a": {1, 2}}), FAILED, "output_invalid"),
    ("not a number", giving({"a": float("nan")}), FAILED, "output_invalid"),
    ("surrogate", giving("\ud800"), FAILED, "output_invalid"),
    ("endless", giving(endless()), FAILED, "output_invalid"),
]


@pytest.mark.requirement("R12")
@over_both_bindings
@with_both_stores
@pytest.mark.parametrize(("script", "end"), [(row[1], row[2:]) for row in OUTCOMES], ids=[row[0] for row in OUTCOMES])
@played
async def test_every_run_is_submitted_works_and_ends_once(
    binding: Binding, kind: Kind, script: Script, end: tuple[list[str], str], tmp_path: Path
) -> None:
    expected, reason = end
    async with opened(kind, tmp_path) as store, serving(Runner(script), store) as scene:
        caller = await scene.caller(binding)
        events = await caller.send(said("hello"))
        assert story(events) == expected
        task = await caller.get(events[0].task.id)
        assert (state(task.status), code(task)) == (expected[-1], reason)
        waiting = await scene.caller(binding, streaming=False)
        (answer,) = await waiting.send(said("hello"))
        assert (state(answer.task.status), code(answer.task)) == (expected[-1], reason)


@pytest.mark.requirement("R12")
@over_both_bindings
@played
async def test_a_rejected_message_goes_the_same_way(binding: Binding) -> None:
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(echo), store) as scene:
        events = await (await scene.caller(binding)).send(said(" "))
        assert story(events) == ["SUBMITTED", "WORKING", "REJECTED"]


@pytest.mark.requirement("R13")
@over_both_bindings
@pytest.mark.parametrize(
    ("output", "media_type"), [("hello\n", "text/plain"), ({"say": "hello", "n": 3}, "application/json")]
)
@played
async def test_the_answer_is_one_artifact_in_one_piece(binding: Binding, output: Any, media_type: str) -> None:
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(giving(output)), store) as scene:
        events = await (await scene.caller(binding)).send(said("hello"))
        (update,) = [event.artifact_update for event in events if event.HasField("artifact_update")]
        assert (update.append, update.last_chunk) == (False, True)
        (part,) = update.artifact.parts
        assert part.media_type == media_type
        assert (part.text if isinstance(output, str) else MessageToDict(part.data)) == output
        (waited,) = await (await scene.caller(binding, streaming=False)).send(said("hello"))
        assert [artifact.parts for artifact in waited.task.artifacts] == [update.artifact.parts]


FLAGS = {"push notifications": "push_notifications", "extended card": "extended_agent_card"}


@pytest.mark.requirement("R14")
@pytest.mark.parametrize("promise", FLAGS)
@played
async def test_a_card_that_promises_too_much_is_refused(promise: str) -> None:
    def build(made: AgentCard) -> None:
        a2a_bridge(Runner(echo), DEFINITION, made, store, resolve=bearer)

    async with opened(Kind.MEMORY, Path()) as store:
        build(card("http://127.0.0.1"))
        with pytest.raises(ValueError, match=promise):
            build(card("http://127.0.0.1", **{FLAGS[promise]: True}))


@pytest.mark.requirement("R14")
@over_both_bindings
@played
async def test_nobody_can_ask_for_push(binding: Binding) -> None:
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(until_cancelled), store) as scene:
        caller = await scene.caller(binding)
        task, _ = await caller.start(said("hello"))
        with pytest.raises(PushNotificationNotSupportedError):
            await caller.client.create_task_push_notification_config(
                TaskPushNotificationConfig(task_id=task, url="https://example.com/hook")
            )
        await caller.cancel(task)


@pytest.mark.requirement("R13", "R12")
@over_both_bindings
@played
async def test_a_task_that_ends_without_completing_has_no_artifact(binding: Binding) -> None:
    refusal = giving("secret", RunState.FAILED, "no_luck")
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(refusal), store) as scene:
        caller = await scene.caller(binding)
        events = await caller.send(said("hello"))
        assert artifacts(events) == []
        assert list((await caller.get(events[0].task.id)).artifacts) == []
        assert b"secret" not in scene.tap.sent
