"""Google ADK's remote agent as the caller: no model, no network."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="install protocolarc[google-adk] for the tests with Google ADK")

from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.events import Event
from google.adk.runners import Runner as AdkRunner
from google.adk.sessions import InMemorySessionService
from google.genai.types import Content
from google.genai.types import Part as TextPart

from protocolarc.bridge import RunState, google_adk_remote_agent
from tests.bridge.runners import Runner, Script, echo, giving
from tests.bridge.scene import anybody, serving
from tests.bridge.stores import Kind, opened
from tests.bridge.wire import card, played, within

# ADK says of half its classes, once per process, that they are experimental. It is right, and not about the bridge.
# Its oldest version that works deprecates a class of its own, and uses it.
pytestmark = [
    pytest.mark.filterwarnings(r"ignore:\[EXPERIMENTAL\]:UserWarning"),
    pytest.mark.filterwarnings("ignore:BaseAgentConfig is deprecated:DeprecationWarning"),
]


async def ask(agent: RemoteA2aAgent, *questions: str) -> list[list[Event]]:
    """Ask an agent in one session; return the events of every turn."""
    sessions = InMemorySessionService()
    runner = AdkRunner(app_name="test", agent=agent, session_service=sessions)
    session = await sessions.create_session(app_name="test", user_id="ann")
    turns = []
    for question in questions:
        message = Content(role="user", parts=[TextPart(text=question)])
        running = runner.run_async(user_id="ann", session_id=session.id, new_message=message)
        turns.append([event async for event in running])
    await runner.close()
    await agent.cleanup()
    return turns


def texts(events: list[Event]) -> list[str]:
    """Return what the events say."""
    return [part.text for event in events if event.content for part in event.content.parts or [] if part.text]


@pytest.mark.requirement("R20", "R13")
@pytest.mark.parametrize("by", ["card", "url"])
@played
async def test_adk_gets_the_answer_in_one_piece_turn_by_turn(by: str) -> None:
    runner = Runner(echo)
    async with opened(Kind.MEMORY, Path()) as store, serving(runner, store, resolve=anybody) as scene:
        where: Any = card(scene.url) if by == "card" else f"{scene.url}/.well-known/agent-card.json"
        agent = google_adk_remote_agent(name="remote", agent_card=where, description="Says what it hears")
        first, second = await within(ask(agent, "hello", "again"), "two turns")
    assert texts(first) == ["hello"]
    assert texts(second) == ["again"]
    assert [call.text for call in runner.calls] == ["hello", "again"]


@pytest.mark.requirement("R20")
@pytest.mark.parametrize(
    ("script", "question", "expected"),
    [
        (giving(None, RunState.FAILED, "no_luck"), "hello", "run_failed"),
        (echo, "x" * 65_537, "input_too_large"),
    ],
    ids=["failed", "rejected"],
)
@played
async def test_what_adk_shows_of_a_refusal_reads_as_one_and_carries_its_code(
    script: Script, question: str, expected: str
) -> None:
    async with opened(Kind.MEMORY, Path()) as store, serving(Runner(script), store, resolve=anybody) as scene:
        agent = google_adk_remote_agent(name="remote", agent_card=card(scene.url))
        (events,) = await within(ask(agent, question), "the turn")
    said = " ".join(texts(events))
    assert said
    assert question not in said
    assert expected in str([event.custom_metadata for event in events])


@pytest.mark.requirement("R20")
def test_the_agent_is_not_the_legacy_one() -> None:
    agent = google_adk_remote_agent(name="remote", agent_card=card("http://127.0.0.1"), timeout_seconds=1.5)
    assert isinstance(agent, RemoteA2aAgent)
    assert "use_legacy" in inspect.signature(RemoteA2aAgent.__init__).parameters
    assert not getattr(agent, "_use_legacy", False)
    for seconds in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="timeout"):
            google_adk_remote_agent(name="remote", agent_card=card("http://127.0.0.1"), timeout_seconds=seconds)
