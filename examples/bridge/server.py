"""An agent that counts words, served over A2A with a contract on the way in and one on the way out.

Run ``python server.py``; it prints where it listens, and serves until it is interrupted. With ``--trust-network``
callers without a token are one neighbour, as behind a sidecar that lets nobody else through.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import uvicorn
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill

from protocolarc.bridge import AgentDefinition, CancellationToken, Principal, RunResult, a2a_bridge

REGISTRY = Path(__file__).parent / "registry"
"""In a deployment: the repository of the contracts, such as ``a2a_bridge(..., registry="/srv/contracts")``."""

TOKENS = {"ada-token": Principal("acme", "ada"), "bob-token": Principal("acme", "bob")}
"""In a deployment: whatever verifies a token."""

NEIGHBOUR = Principal("acme", "neighbour")
"""Who calls without a token, where the network is trusted. All who do are one owner, and see the same tasks."""

DEFINITION = AgentDefinition(
    "counter", "1.0.0", request_contract="count.request", artifact_contract="count.answer@1.0.0"
)


class Counter:
    """Counts the words of a text. It needs no model; one that does is called the same way."""

    async def run(
        self,
        definition: AgentDefinition,
        text: str,
        *,
        run_id: str,
        principal: Principal,
        cancellation: CancellationToken,
    ) -> RunResult:
        """Return how many words there are, and the longest of them."""
        del definition, run_id, principal, cancellation
        words = text.split()
        if words == ["shrug"]:
            return RunResult.failed("no_idea")
        return RunResult.completed({"words": len(words), "longest": max(words, key=len, default=None)})


async def resolve(context: ServerCallContext) -> Principal:
    """Say who calls, by the token of the request; without a known one it raises, and nothing is run."""
    return TOKENS[context.state["headers"]["authorization"].removeprefix("Bearer ")]


async def resolve_trusting(context: ServerCallContext) -> Principal:
    """Say who calls, and take a caller without a token for the neighbour."""
    return await resolve(context) if "authorization" in context.state["headers"] else NEIGHBOUR


def make_card(url: str) -> AgentCard:
    """Return the card, which says where and how the agent is reached."""
    return AgentCard(
        name=DEFINITION.name,
        description="Counts the words of a text.",
        version=DEFINITION.version,
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["application/json"],
        skills=[AgentSkill(id="count", name="count", description="Counts words.", tags=["text"])],
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
    )


def main() -> None:
    """Serve on a free port of the loopback."""
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    who = resolve_trusting if "--trust-network" in sys.argv[1:] else resolve
    bridge = a2a_bridge(Counter(), DEFINITION, make_card(url), InMemoryTaskStore(), resolve=who, registry=REGISTRY)
    # With a limit here, a run that hangs cannot keep the server from closing the bridge.
    server = uvicorn.Server(uvicorn.Config(bridge.app(), log_level="warning", timeout_graceful_shutdown=5))
    print(url, flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
