"""Validation as a whole process against a bare ``json.loads`` loop, and its memory: ``python benchmarks/validate.py``.

Both read the same generated log. Rounds are interleaved and the figure is the median of the ratios of each
round, so that what else the machine does cancels out. With ``--memory`` only the peaks are compared, and the
exit code is 1 when a hundred times the lines take more than 1.1 times the memory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from traffic import write_log

ROOT = Path(__file__).parent.parent
CONTRACTS = ROOT / "examples" / "contracts"
CONTRACT = str(CONTRACTS / "mcp_tool_call_1.0.0.json")
LOOP = "import json, sys\nfor line in open(sys.argv[1], 'rb'):\n    json.loads(line)\n"
MAX_MEMORY_RATIO = 1.1


def run(*words: str) -> tuple[float, int]:
    """Run a process; return its CPU seconds and its peak memory in KiB."""
    running = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, cwd=ROOT)
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode not in (0, 1):
        sys.exit(f"{words} ended with {running.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def commands(log: str) -> dict[str, list[str]]:
    """Return the ways to read a log that are measured."""
    module = ["-m", "protocolarc"]
    return {
        "validate text": [*module, "validate", CONTRACT, log],
        "validate json": [*module, "validate", CONTRACT, log, "--format", "json"],
        "validate jsonl": [*module, "validate", CONTRACT, log, "--format", "jsonl"],
        "matrix, 4 contracts": [*module, "matrix", "--contracts", str(CONTRACTS), "--envelopes", log],
    }


def compare_time(log: str, rounds: int) -> None:
    """Print the CPU time of each command as a ratio to the bare loop."""
    ratios: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, words in commands(log).items():
            before, _ = run("-c", LOOP, log)
            spent, _ = run(*words)
            after, _ = run("-c", LOOP, log)
            ratios.setdefault(name, []).append(2 * spent / (before + after))
    for name, found in ratios.items():
        print(f"{name:20} {median(found):5.2f} x json.loads loop  ({min(found):.2f} to {max(found):.2f})")


def compare_memory(folder: Path, lines: int) -> bool:
    """Print the peak memory of each command as a ratio to a hundredth of the lines; true when all are flat."""
    short, long = str(folder / "short.jsonl"), str(folder / "long.jsonl")
    write_log(Path(short), lines // 100)
    write_log(Path(long), lines)
    flat = True
    for (name, small), large in zip(commands(short).items(), commands(long).values(), strict=True):
        peaks = run(*small)[1], run(*large)[1]
        ratio = peaks[1] / peaks[0]
        flat = flat and ratio <= MAX_MEMORY_RATIO
        print(f"{name:20} {ratio:5.2f} x the memory of {lines // 100} lines  ({peaks[0]} and {peaks[1]} KiB)")
    return flat


def main() -> int:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", action="store_true", help="compare memory only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flat = compare_memory(folder, options.lines)
        if not options.memory:
            compare_time(str(folder / "long.jsonl"), options.rounds)
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())
