"""A server in a process of its own, to be killed: ``python -m tests.bridge.child FOLDER``. It prints its URL."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from protocolarc.bridge import RunResult
from tests.bridge.runners import Call, Runner, echo, until_cancelled
from tests.bridge.scene import serving
from tests.bridge.stores import database


async def script(call: Call) -> RunResult:
    """Answer, or work until the process ends."""
    return await (until_cancelled(call) if call.text == "work" else echo(call))


async def main(folder: Path) -> None:
    """Serve the tasks of a folder for ever."""
    async with database(folder) as store, serving(Runner(script), store) as scene:
        sys.stdout.write(f"{scene.url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
