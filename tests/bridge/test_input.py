"""What may come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from a2a.types import Message, Part, Role
from a2a.utils.errors import A2AError, InvalidParamsError
from google.protobuf.struct_pb2 import Value

from tests.bridge.events import code, state, story
from tests.bridge.runners import Runner, echo
from tests.bridge.scene import over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Kind, everything, opened
from tests.bridge.wire import Binding, Caller, played, said

LIMIT = 65_536


async def answer(caller: Caller, message: Message) -> str:
    """Return how a message is answered: the end of its task, with its code, or the error."""
    try:
        task = await caller.task(message)
    except A2AError as error:
        return type(error).__name__
    return f"{state(task.status)} {code(task)}".strip()


@pytest.mark.requirement("R2")
@over_both_bindings
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["a" * LIMIT], "COMPLETED"),
        (["a" * (LIMIT + 1)], "REJECTED input_too_large"),
        (["\u20ac" * 21845 + "a"], "COMPLETED"),
        (["\u20ac" * 21846], "REJECTED input_too_large"),
        (["a" * 32_768, "b" * 32_767], "COMPLETED"),
        (["a" * 32_768, "b" * 32_768], "REJECTED input_too_large"),
        (["\\" * LIMIT], "COMPLETED"),
    ],
    ids=["limit", "one over", "three bytes each", "one character over", "two parts", "two parts, one over", "escaped"],
)
@played
async def test_text_is_counted_in_bytes_over_all_parts(binding: Binding, texts: list[str], expected: str) -> None:
    # The runner gets the parts joined by a line feed, and that is what is counted.
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store) as scene:
        assert await answer(await scene.caller(binding), said(*texts)) == expected
    assert len(runner.calls) == (expected == "COMPLETED")


@pytest.mark.requirement("R4")
@over_both_bindings
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"parts": [Part(raw=b"hello")]}, "REJECTED unsupported_part"),
        ({"parts": [Part(url="https://example.com/hello")]}, "REJECTED unsupported_part"),
        ({"parts": [Part(data=Value(string_value="hello"))]}, "REJECTED unsupported_part"),
        ({"parts": [Part(text="hello"), Part(url="https://example.com")]}, "REJECTED unsupported_part"),
        ({"parts": [Part()]}, "REJECTED unsupported_part"),
        ({"parts": [Part(text=" \t\r\n\u2003")]}, "REJECTED empty_input"),
        ({"parts": [Part(text="")]}, "REJECTED empty_input"),
        ({"parts": []}, "InvalidParamsError"),
        ({"role": Role.ROLE_AGENT}, "REJECTED invalid_role"),
        ({"role": Role.ROLE_UNSPECIFIED}, "InvalidParamsError"),
    ],
    ids=["raw", "url", "data", "text and url", "nothing in a part", "blank", "empty", "no parts", "agent", "no role"],
)
@played
async def test_only_text_of_the_user_reaches_the_runner(
    binding: Binding, fields: dict[str, Any], expected: str
) -> None:
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store) as scene:
        assert await answer(await scene.caller(binding), said("hello", **fields)) == expected
    assert runner.calls == []


@pytest.mark.requirement("N6")
@over_both_bindings
@with_both_stores
@played
async def test_the_id_of_a_context_is_bounded(binding: Binding, kind: Kind, tmp_path: Path) -> None:
    runner = Runner(echo)
    async with opened(kind, tmp_path) as store, serving(runner, store) as scene:
        caller = await scene.caller(binding)
        task = await caller.task(said("hello", context_id="c" * 36))
        assert task.context_id == "c" * 36
        with pytest.raises(InvalidParamsError):
            await caller.send(said("hello", context_id="c" * 37))
    assert len(runner.calls) == 1


@pytest.mark.requirement("N7")
@over_both_bindings
@with_both_stores
@pytest.mark.parametrize(
    "fields",
    [{"parts": [Part(text="canary" * 68_000)]}, {"parts": [Part(raw=b"canary"), Part(text="canary")]}],
    ids=["too much", "not text"],
)
@played
async def test_rejected_input_is_not_stored(
    binding: Binding, kind: Kind, fields: dict[str, Any], tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as store, serving(Runner(echo), store) as scene:
        caller = await scene.caller(binding)
        events = await caller.send(said(**fields, metadata={"note": "canary"}))
        assert story(events)[-1] == "REJECTED"
        kept = await everything(store)
        assert "REJECTED" in kept
        assert "canary" not in kept
        assert len(kept) < 2_000


@pytest.mark.requirement("R4")
@over_both_bindings
@played
async def test_a_message_that_the_sdk_cannot_read_is_an_error_and_runs_nothing(binding: Binding) -> None:
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store) as scene:
        caller = await scene.caller(binding)
        for body in (b"", b"[]", b"{", b'{"message": 1}', b"\xff"):
            answered = await caller.post(body)
            assert b"error" in answered.content
    assert runner.calls == []
