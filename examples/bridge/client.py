"""Calls the counting agent with the official client: an answer, a refusal by the contract, a refused caller.

Run ``python client.py URL`` with the URL that the server printed.
"""

from __future__ import annotations

import asyncio
import sys

import httpx
from a2a.client import A2ACardResolver, A2AClientError, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, SendMessageRequest, Task, TaskState
from a2a.utils.errors import A2AError
from google.protobuf.json_format import MessageToJson


async def ask(url: str, token: str, text: str, **metadata: object) -> str:
    """Send a text and return, in one line, what became of it."""
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        client = ClientFactory(ClientConfig(streaming=False, httpx_client=http)).create(card)
        message = Message(message_id="m1", role=Role.ROLE_USER, parts=[Part(text=text)])
        message.metadata.update(metadata)
        try:
            answers = [answer async for answer in client.send_message(SendMessageRequest(message=message))]
        except (A2AError, A2AClientError) as error:
            return f"refused: {error}"
        return show(answers[-1].task)


def show(task: Task) -> str:
    """Return the artifact of a task, or why there is none."""
    if task.status.state == TaskState.TASK_STATE_COMPLETED:
        (artifact,) = task.artifacts
        contract = artifact.metadata["protocolarc.contract"]
        answer = MessageToJson(artifact.parts[0].data, indent=None, sort_keys=True)
        return f"{answer} by {contract['name']} {contract['revision']}"
    message = task.status.message
    return f"{message.metadata['protocolarc']['code']}: {message.parts[0].text}"


async def main(url: str) -> None:
    """Ask four times."""
    print(await ask(url, "ada-token", "contracts cross trust boundaries"))
    print(await ask(url, "ada-token", "shrug"))
    print(await ask(url, "ada-token", "hello", trace="three"))
    print(await ask(url, "a stranger's", "hello"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
