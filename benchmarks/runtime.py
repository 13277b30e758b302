"""The .NET runtime as a whole process against its peers: ``python benchmarks/runtime.py RUNTIME``.

RUNTIME is the native executable (or a .dll). All read the same generated log of tool calls, start-up included;
rounds are interleaved, and the figure is the median of the ratios of each round. Peers that are not installed are
left out and said: orjson (``pip install orjson``), ajv (``npm install ajv`` in ``benchmarks/peers``), and the
programs of ``benchmarks/peers/dotnet`` (built here when an SDK with its packages is there).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from traffic import write_log

HERE = Path(__file__).parent
PEERS = HERE / "peers"
CONTRACT = HERE.parent / "examples" / "contracts" / "mcp_tool_call_1.0.0.json"
MAX_MEMORY_RATIO = 1.1

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["contract", "data"],
    "properties": {
        "contract": {"const": "mcp.tool_call"},
        "revision": {"type": "string"},
        "data": {
            "type": "object",
            "required": ["jsonrpc", "id", "method", "params"],
            "properties": {
                "jsonrpc": {"const": "2.0"},
                "id": {"type": ["string", "integer"]},
                "method": {"enum": ["tools/call"]},
                "params": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
                },
            },
        },
    },
}
"""The contract as JSON Schema, for the peers that check."""


def run(words: list[str]) -> float:
    """Run a process; return its CPU seconds."""
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode not in (0, 1):
        sys.exit(f"{words} ended with {running.returncode}")
    return usage.ru_utime + usage.ru_stime


def peak(words: list[str]) -> int:
    """Run a process; return its peak memory in KiB. GNU time forks it: a child of ours would begin at our own peak."""
    done = subprocess.run(
        ["/usr/bin/time", "-f", "%M", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    return int(done.stderr.split()[-1])


def validate(runtime: str, log: Path) -> list[str]:
    """Return the command that is measured."""
    start = ["dotnet", runtime] if runtime.endswith(".dll") else [runtime]
    return [*start, "validate", str(CONTRACT), str(log), "--jsonl"]


def peers(folder: Path, log: Path) -> dict[str, list[str]]:
    """Return the commands of the peers that are there."""
    schema = folder / "schema.json"
    schema.write_text(json.dumps(SCHEMA), encoding="ascii")
    found: dict[str, list[str]] = {}
    if find_spec("orjson"):
        found["orjson.loads loop"] = [sys.executable, str(PEERS / "orjson_loop.py"), str(log)]
    if shutil.which("node") and (PEERS / "node_modules" / "ajv").is_dir():
        found["node JSON.parse + ajv"] = ["node", str(PEERS / "ajv.mjs"), str(log), str(schema)]
    program = build_peers(folder)
    if program is not None:
        found["Utf8JsonReader loop"] = ["dotnet", str(program), "reader", str(log)]
        found["JsonSchema.Net"] = ["dotnet", str(program), "jsonschema", str(log), str(schema)]
    for name in {"orjson.loads loop", "node JSON.parse + ajv", "Utf8JsonReader loop", "JsonSchema.Net"} - found.keys():
        print(f"left out, not installed: {name}")
    return found


def build_peers(folder: Path) -> Path | None:
    """Build the .NET peers outside the checkout."""
    if shutil.which("dotnet") is None:
        return None
    source, out = folder / "source", folder / "peers"
    shutil.copytree(PEERS / "dotnet", source, ignore=shutil.ignore_patterns("bin", "obj"))
    words = [
        "dotnet",
        "publish",
        str(source),
        "-c",
        "Release",
        "-v",
        "quiet",
        "-p:UseSharedCompilation=false",
        "-o",
        str(out),
    ]
    done = subprocess.run(words, capture_output=True, check=False)
    return out / "Peers.dll" if done.returncode == 0 else None


def compare_time(runtime: str, folder: Path, lines: int, rounds: int) -> None:
    """Print the CPU time of the runtime as a ratio to each peer."""
    log = folder / f"{lines}.jsonl"
    write_log(log, lines)
    for name, words in peers(folder, log).items():
        ratios = [run(validate(runtime, log)) / run(words) for _ in range(rounds)]
        print(f"{lines:>9} lines  {median(ratios):5.2f} x {name}  ({min(ratios):.2f} to {max(ratios):.2f})")
    shutil.rmtree(folder / "source", ignore_errors=True)


def compare_memory(runtime: str, folder: Path, lines: int) -> bool:
    """Print the peak memory as a ratio to a hundredth of the lines; true when it is flat."""
    peaks = []
    for count in (lines // 100, lines):
        log = folder / f"memory-{count}.jsonl"
        write_log(log, count)
        peaks.append(peak(validate(runtime, log)))
        log.unlink()
    ratio = peaks[1] / peaks[0]
    print(f"{lines:>9} lines  {ratio:5.2f} x the memory of {lines // 100} lines  ({peaks[0]} and {peaks[1]} KiB)")
    return ratio <= MAX_MEMORY_RATIO


def main() -> int:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runtime")
    parser.add_argument("--lines", type=int, nargs="+", default=[200_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flat = compare_memory(options.runtime, folder, max(options.lines))
        for lines in options.lines:
            compare_time(options.runtime, folder, lines, options.rounds)
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())
