"""Calling an agent from Google's Agent Development Kit."""

from __future__ import annotations

from a2a.types import AgentCard
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent


def remote_agent(name: str, agent_card: AgentCard | str, description: str, timeout_seconds: float) -> RemoteA2aAgent:
    """Return the kit's remote agent, on its present client: the one that it still uses by default repeats chunks."""
    return RemoteA2aAgent(
        name=name, agent_card=agent_card, description=description, timeout=timeout_seconds, use_legacy=False
    )
