"""A generated log of tool calls: the same bytes for the same number of lines, about one in twenty rejected."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

_WORDS = ("get_weather", "search_files", "read_text_file", "create_issue", "list_directory", "resolve-library-id")


def line(random: Random, number: int) -> str:
    """Return one envelope of about 300 bytes."""
    data = {
        "jsonrpc": "2.0",
        "id": number if number % 2 else f"req-{number}",
        "method": "tools/call" if random.random() > 0.05 else "tools/list",
        "params": {
            "name": random.choice(_WORDS),
            "arguments": {
                "path": f"/srv/docs/{random.randrange(10**6)}.md",
                "limit": random.randrange(100),
                "ratio": random.random(),
                "recursive": random.random() < 0.5,
                "tags": [random.choice(_WORDS) for _ in range(3)],
            },
            "_meta": {"progressToken": f"t-{number}", "at": "2026-01-05T10:00:00Z"},
        },
    }
    return json.dumps({"contract": "mcp.tool_call", "revision": "1.0.0", "data": data}, separators=(",", ":"))


def write_log(path: Path, lines: int) -> None:
    """Write a log of so many lines."""
    random = Random(1)
    with path.open("w", encoding="ascii", newline="\n") as stream:
        for number in range(lines):
            stream.write(line(random, number) + "\n")


if __name__ == "__main__":
    write_log(Path(sys.argv[1]), int(sys.argv[2]))
