"""The registry's commands on a generated repository against git itself: ``python benchmarks/registry.py``.

1,000 contracts of 8 to 16 fields, and commits of which half touch one of them. CPU time of a process and its
children; rounds are interleaved and a figure is the median of their ratios, with the least and the most. Where a
ratio to git counts, what the interpreter, Typer and GitPython take to start is measured apart and subtracted.
``--growth 20000`` compares with a longer history.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CONTRACTS = 1000
ADDED = 8
"""Fields that come and go. Documents that only grew would have a longer history cost more than its commits."""
PYTHON = [sys.executable, "-c", "pass"]
TOOL = [sys.executable, "-m", "protocolarc"]
START = [*TOOL, "--version"]
# The same with GitPython, which log loads as well; like this it asks git for nothing.
LOG_START = [
    sys.executable,
    "-c",
    """
import os, sys
os.environ.update(GIT_PYTHON_GIT_EXECUTABLE=os.devnull, GIT_PYTHON_REFRESH="quiet")
import git
from protocolarc.cli.main import main
sys.argv = ["protocolarc", "--version"]
main()
""",
]
# What the installed script does.
HOOK = [sys.executable, "-c", "import sys; from protocolarc.hook import main; sys.exit(main())"]
RAW = ["git", "log", "--raw", "-z", "--no-abbrev", "--no-renames"]
RANGE = ["--from", "HEAD~2"]
"""The last commits: one of them touches a contract."""
BUSIEST = "c500"
"""The contract that most commits touch. It stands in the middle of the folder: the first is cheapest for git."""

FIELDS: list[dict[str, object]] = [
    {"name": "jsonrpc", "type": "string", "enum": ["2.0"]},
    {"name": "id", "type": ["string", "integer"]},
    {"name": "method", "type": "string", "enum": ["tools/call"]},
    {"name": "params.name", "type": "string", "doc": "Name of the tool."},
    {"name": "params.arguments", "type": "object", "required": False},
    {"name": "params._meta", "type": "object", "required": False},
    {"name": "params._meta.progressToken", "type": ["string", "integer"], "required": False},
    {"name": "params.tags[*]", "type": "string"},
]
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "tags": []}}
ENVELOPE = json.dumps({"contract": f"bench.{BUSIEST}", "data": CALL}).encode() + b"\n"
"""What every revision accepts, so that a search for the first that rejects it ends with the last one."""


class Cost(NamedTuple):
    """What a process took, its children included: CPU seconds, and the largest memory of one of them in KiB."""

    cpu: float
    memory: int


def name_of(rank: int) -> str:
    """Name contracts so that those of high rank stand anywhere in the folder."""
    return f"c{(rank * 617 + 500) % CONTRACTS:03}"


def document(name: str, minor: int) -> bytes:
    """Return one revision of one contract: each adds an optional field or, when there are enough, takes one away."""
    turn = minor % (2 * ADDED)
    added = range(max(0, turn - ADDED), min(turn, ADDED))
    more = [{"name": f"params.field_{number}", "type": "integer", "required": False} for number in added]
    text = {"name": f"bench.{name}", "revision": f"1.{minor}.0", "kind": "mcp", "title": "A call", "doc": "Of a tool."}
    return json.dumps({**text, "fields": [*FIELDS, *more]}, indent=2).encode() + b"\n"


def history(commits: int) -> Iterator[bytes]:
    """Yield a stream for ``git fast-import``."""
    random, minors = Random(1), [0] * CONTRACTS
    yield b"reset refs/heads/main\n"
    for number in range(commits):
        who = b"Bench <bench@example.org> %d +0000" % (1_700_000_000 + number * 60)
        yield b"commit refs/heads/main\nauthor %s\ncommitter %s\ndata 1\nx\n" % (who, who)
        if number == 0:
            files = [(f"registry/{name_of(rank)}.json", document(name_of(rank), 0)) for rank in range(CONTRACTS)]
        elif number % 2:
            files = [(f"src/{random.randrange(500)}.txt", str(number).encode())]
        else:
            rank = min(int(random.expovariate(8) * CONTRACTS), CONTRACTS - 1)
            minors[rank] += 1
            files = [(f"registry/{name_of(rank)}.json", document(name_of(rank), minors[rank]))]
        for path, data in files:
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
        yield b"\n"


def build(folder: Path, commits: int) -> None:
    """Make the repository."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    stream = b"".join(history(commits))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=stream, check=True)
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=folder, check=True)
    subprocess.run(["git", "gc", "-q"], cwd=folder, check=True)


def run(words: Sequence[str], folder: Path, **more: str) -> Cost:
    """Run a process in the repository."""
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"PYTHONPATH": str(ROOT), **more}
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 2):
        sys.exit(f"{words} ended with {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss)


def processes(words: Sequence[str], folder: Path) -> int:
    """Count the git processes that a command starts, children of git among them."""
    with tempfile.TemporaryDirectory() as name:
        trace = Path(name) / "trace"
        run(words, folder, GIT_TRACE2_EVENT=str(trace))
        lines = trace.read_text(encoding="utf-8").splitlines() if trace.exists() else []
        events = [json.loads(line) for line in lines]
    return sum(event["event"] == "start" for event in events)


class Row(NamedTuple):
    """A comparison: a command, what it is compared with, and what its start is, which is subtracted."""

    title: str
    words: list[str]
    base: list[str]
    start: list[str] | None = None


def show(rows: Sequence[Row], folder: Path, rounds: int) -> None:
    """Print the ratios of some rows, measured in turn."""
    ratios: list[list[float]] = [[] for _ in rows]
    for row in rows:  # leaves compiled modules behind
        run(row.words, folder)
    for _ in range(rounds):
        for row, found in zip(rows, ratios, strict=True):
            start = run(row.start, folder).cpu if row.start else 0
            own, other = run(row.words, folder).cpu, run(row.base, folder).cpu
            found.append((own - start) / other)
    for row, found in zip(rows, ratios, strict=True):
        spread = f"({min(found):.2f} to {max(found):.2f})"
        print(f"{row.title:58} {median(found):6.2f}  {spread:18} {processes(row.words, folder):2} git processes")


def stage(folder: Path, count: int) -> None:
    """Stage a carried change of so many contracts."""
    for rank in range(CONTRACTS - count, CONTRACTS):
        path = folder / "registry" / f"{name_of(rank)}.json"
        held = json.loads(path.read_bytes())["revision"]
        path.write_bytes(document(name_of(rank), int(held.split(".")[1]) + 1))
    subprocess.run(["git", "add", "registry"], cwd=folder, check=True)


def grow(folder: Path, commits: int, longer: int, rounds: int) -> None:
    """Print what a longer history costs, time and memory."""
    with tempfile.TemporaryDirectory() as name:
        build(Path(name), longer)
        pairs = [
            (run([*TOOL, "log"], folder), run([*TOOL, "log"], Path(name)), run(LOG_START, folder))
            for _ in range(rounds)
        ]
        time = median((long.cpu - start.cpu) / (short.cpu - start.cpu) for short, long, start in pairs)
        memory = median(long.memory / short.memory for short, long, _ in pairs)
        most = max(long.memory for _, long, _ in pairs) / 1024
        print(f"log of all, {longer} / {commits} commits: time {time:.2f}, memory {memory:.2f} ({most:.0f} MiB)")
        raw = [*RAW, "--", "registry"]
        show(
            [Row(f"log of all / git log --raw -- registry, {longer} commits", [*TOOL, "log"], raw, LOG_START)],
            Path(name),
            rounds,
        )


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=5000)
    parser.add_argument("--growth", type=int, default=0, help="commits of a longer history")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    file = f"registry/{BUSIEST}.json"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, options.commits)
        print(f"{CONTRACTS} contracts, {options.commits} commits, {options.rounds} rounds: CPU ratios")
        one, all_of_them = [*RAW, "--", file], [*RAW, "--", "registry"]
        envelope = folder / ".git" / "envelope.json"  # where no command looks
        envelope.write_bytes(ENVELOPE)
        bisect = [*TOOL, "bisect", f"bench.{BUSIEST}", str(envelope)]
        logs = [
            Row("log of one file / git log --raw -- file", [*TOOL, "log", file], one, LOG_START),
            Row("log of one name / git log --raw -- file", [*TOOL, "log", f"bench.{BUSIEST}"], one, LOG_START),
            Row("log of all / git log --raw -- registry", [*TOOL, "log"], all_of_them, LOG_START),
            Row("blame / git log --raw -- registry", [*TOOL, "blame", f"bench.{BUSIEST}"], all_of_them, LOG_START),
            Row("bisect / git log --raw -- registry", bisect, all_of_them, LOG_START),
            Row("gate of two commits / git log --raw -- registry", [*TOOL, "gate", *RANGE], all_of_them, START),
        ]
        show(logs, folder, options.rounds)
        if options.growth:
            grow(folder, options.commits, options.growth, options.rounds)
        quick = [
            Row("hook, nothing staged / python -c pass", HOOK, PYTHON),
            Row("protocolarc check, nothing staged / python -c pass", [*TOOL, "check"], PYTHON),
            Row("protocolarc check of two commits / python -c pass", [*TOOL, "check", *RANGE], PYTHON),
            Row("protocolarc check of the disk / python -c pass", [*TOOL, "check", "--worktree"], PYTHON),
            Row("protocolarc --version / python -c pass", START, PYTHON),
        ]
        show(quick, folder, options.rounds * 3)
        stage(folder, 20)
        show([Row("hook, 20 staged contracts / python -c pass", HOOK, PYTHON)], folder, options.rounds * 3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, 1)
        small = ["show bench.c001", "blame bench.c001", "log registry/c001.json", "bump bench.c001"]
        titles = [Row(f"{words}, one commit / python -c pass", [*TOOL, *words.split()], PYTHON) for words in small]
        show(titles, folder, options.rounds)


if __name__ == "__main__":
    main()
