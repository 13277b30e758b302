"""What goes out is held to its contract, too, and the contract stays what it was."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from protocolarc.bridge import ContractLookupError, a2a_bridge
from tests.bridge.contracts import answer_contract, judged
from tests.bridge.events import artifacts, code, story
from tests.bridge.runners import Runner, echo, giving
from tests.bridge.scene import DEFINITION, bearer, over_both_bindings, serving, with_both_stores
from tests.bridge.stores import Kind, everything, opened
from tests.bridge.wire import Binding, card, played, said
from tests.support.repository import Repository

ANSWERS: list[tuple[Any, bool]] = [
    ({"total": 3, "unit": "km"}, True),
    ({"total": 3.0}, True),
    ({"total": 3, "more": "canary"}, True),  # an undeclared key is a warning
    ({"unit": "km", "note": "canary"}, False),
    ({"total": "canary"}, False),
    ({"total": 3, "unit": "canary"}, False),
    ({}, False),
    ('{"total": 3}', True),
    ('{"total": "canary"}', False),
    ("canary", False),
]


@pytest.mark.requirement("N3")
@over_both_bindings
@with_both_stores
@pytest.mark.parametrize(("answer", "holds"), ANSWERS, ids=lambda value: str(value)[:24])
@played
async def test_an_answer_that_breaks_its_contract_fails_the_task_and_is_not_sent(
    binding: Binding, kind: Kind, answer: Any, holds: bool, tmp_path: Path
) -> None:
    definition = judged(tmp_path, answers=True)
    runner = Runner(giving(answer))
    async with opened(kind, tmp_path) as store, serving(runner, store, definition=definition) as scene:
        caller = await scene.caller(binding)
        events = await caller.send(said("hello"))
        task = await caller.get(events[0].task.id)
        if holds:
            assert story(events)[2:] == ["artifact_update", "COMPLETED"]
            assert len(task.artifacts) == 1
        else:
            assert story(events) == ["SUBMITTED", "WORKING", "FAILED"]
            assert (code(task), list(task.artifacts)) == ("output_contract_violation", [])
            assert b"canary" not in scene.tap.sent
            assert "canary" not in await everything(store)


@pytest.mark.requirement("N4")
@over_both_bindings
@played
async def test_a_contract_is_pinned_and_its_revision_and_digest_stand_beside_the_artifact(
    binding: Binding, tmp_path: Path
) -> None:
    repository = Repository(tmp_path / "work")
    first = answer_contract()
    place = "registry/a2a/test.answer.json"
    repository.commit({place: first})
    definition = replace(DEFINITION, artifact_contract="test.answer")
    expected = {"name": "test.answer", "revision": "1.0.0", "digest": f"sha256:{hashlib.sha256(first).hexdigest()}"}
    runner = Runner(giving({"total": 1}))
    registry = tmp_path / "work"
    async with (
        opened(Kind.MEMORY, Path()) as store,
        serving(runner, store, definition=definition, registry=registry) as scene,
    ):
        caller = await scene.caller(binding)
        for change in (first, answer_contract("2.0.0"), b"no contract", None):
            if change != first:
                repository.commit({place: change})
            (artifact,) = artifacts(await caller.send(said("hello")))
            assert MessageToDict(artifact.metadata)["protocolarc.contract"] == expected


@pytest.mark.requirement("N4")
@pytest.mark.parametrize("key", ["request_contract", "rest_contract", "artifact_contract"])
@played
async def test_a_contract_that_is_not_there_is_an_error_before_anything_is_served(key: str, tmp_path: Path) -> None:
    (tmp_path / "no.json").write_bytes(b"{}")
    for name in ("missing.json", "no.json"):
        changed: dict[str, Any] = {key: str(tmp_path / name)}
        definition = replace(DEFINITION, **changed)
        async with opened(Kind.MEMORY, Path()) as store:
            with pytest.raises(ContractLookupError, match=name):
                a2a_bridge(Runner(echo), definition, card("http://127.0.0.1"), store, resolve=bearer)
