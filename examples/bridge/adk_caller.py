"""Calls the counting agent from Google's Agent Development Kit, without a model.

Run ``python adk_caller.py URL`` with the URL that the server printed.
"""

from __future__ import annotations

import asyncio
import sys

from google.adk.events import Event
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part

from protocolarc.bridge import google_adk_remote_agent


async def ask(url: str, text: str) -> str:
    """Let the kit send a text and return, in one line, how the task ended and what it shows."""
    agent = google_adk_remote_agent(name="counter", agent_card=f"{url}.well-known/agent-card.json")
    runner = InMemoryRunner(agent=agent, app_name="example")
    session = await runner.session_service.create_session(app_name="example", user_id="ada")
    message = Content(role="user", parts=[Part(text=text)])
    events = [event async for event in runner.run_async(user_id="ada", session_id=session.id, new_message=message)]
    shown = [part for event in events for part in _parts(event)]
    return f"{end_of(events[-1])}: {' '.join(shown)}"


def _parts(event: Event) -> list[str]:
    parts = event.content.parts if event.content and event.content.parts else []
    data = [part.inline_data.data.decode() for part in parts if part.inline_data and part.inline_data.data]
    return [part.text for part in parts if part.text] + data


def end_of(event: Event) -> str:
    """Return the code of a task without an answer, else ``answer``.

    The kit shows a refusal as any other text of the agent, with no error; only this tells them apart.
    """
    status = (event.custom_metadata or {})["a2a:response"]["status"]
    metadata = status.get("message", {}).get("metadata", {})
    return str(metadata.get("protocolarc", {}).get("code", "answer"))


async def main(url: str) -> None:
    """Ask twice."""
    print(await ask(url, "contracts cross trust boundaries"))
    print(await ask(url, "shrug"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
