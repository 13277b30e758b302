"""The registry's commands on a generated repository against git itself: ``python benchmarks/registry.py``.

1,000 contracts, and commits of which half touch one of them. CPU time of a process and its children; rounds are
interleaved and the figure is the median of their ratios. Where a ratio to git counts, the interpreter's own start
with Typer (``protocolarc --version``) is measured apart and subtracted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

ROOT = Path(__file__).parent.parent
CONTRACTS = 1000
TOOL = [sys.executable, "-m", "protocolarc"]
CHECK = [sys.executable, "-m", "protocolarc.hook"]


def document(name: int, minor: int) -> bytes:
    """Return one revision of one contract: each adds an optional field."""
    fields: list[dict[str, object]] = [{"name": "id", "type": "string"}]
    fields += [{"name": f"field_{number}", "type": "integer", "required": False} for number in range(minor)]
    text = {"name": f"bench.c{name}", "revision": f"1.{minor}.0", "kind": "mcp", "fields": fields}
    return json.dumps(text, indent=2).encode() + b"\n"


def history(commits: int) -> Iterator[bytes]:
    """Yield a stream for ``git fast-import``."""
    random, minors = Random(1), [0] * CONTRACTS
    yield b"reset refs/heads/main\n"
    for number in range(commits):
        who = b"Bench <bench@example.org> %d +0000" % (1_700_000_000 + number * 60)
        yield b"commit refs/heads/main\nauthor %s\ncommitter %s\ndata 1\nx\n" % (who, who)
        if number == 0:
            files = [(f"registry/c{name}.json", document(name, 0)) for name in range(CONTRACTS)]
        elif number % 2:
            files = [(f"src/{random.randrange(500)}.txt", str(number).encode())]
        else:
            name = min(int(random.expovariate(8) * CONTRACTS), CONTRACTS - 1)
            minors[name] = min(minors[name] + 1, 200)
            files = [(f"registry/c{name}.json", document(name, minors[name]))]
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


def run(words: list[str], folder: Path) -> float:
    """Run a process in the repository; return its CPU seconds, children included."""
    before = getrusage(RUSAGE_CHILDREN)
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environ["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environ, check=False
    )
    if done.returncode not in (0, 1, 2):
        sys.exit(f"{words} ended with {done.returncode}: {done.stderr.decode()}")
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(  # noqa: PLR0913  # a row of the table
    title: str, words: list[str], base: list[str], folder: Path, rounds: int, *, start: bool = False
) -> None:
    """Print one ratio."""
    ratios = []
    for _ in range(rounds):
        own, other = run(words, folder), run(base, folder)
        ratios.append((own - (run([*TOOL, "--version"], folder) if start else 0)) / other)
    print(f"{title:58} {median(ratios):6.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")


def stage(folder: Path, count: int) -> None:
    """Stage a carried change of so many contracts."""
    for name in range(CONTRACTS - count, CONTRACTS):
        (folder / "registry" / f"c{name}.json").write_bytes(document(name, 201))
    subprocess.run(["git", "add", "registry"], cwd=folder, check=True)


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, options.commits)
        run([*TOOL, "log", "bench.c0"], folder)  # leaves compiled modules behind
        run(CHECK, folder)
        nothing = [sys.executable, "-c", "pass"]
        print(f"{CONTRACTS} contracts, {options.commits} commits, {options.rounds} rounds: CPU ratios")
        raw = ["git", "log", "--raw", "-z", "--no-abbrev", "--no-renames"]
        one = [*TOOL, "log", "bench.c0"]
        compare(
            "log of one contract / git log --raw -- path",
            one,
            [*raw, "--", "registry/c0.json"],
            folder,
            options.rounds,
            start=True,
        )
        compare(
            "log of all / git log --raw -- registry",
            [*TOOL, "log"],
            [*raw, "--", "registry"],
            folder,
            options.rounds,
            start=True,
        )
        compare("hook, nothing staged / python -c pass", CHECK, nothing, folder, options.rounds)
        compare("check, nothing staged / python -c pass", [*TOOL, "check"], nothing, folder, options.rounds)
        stage(folder, 20)
        compare("hook, 20 staged contracts / python -c pass", CHECK, nothing, folder, options.rounds)


if __name__ == "__main__":
    main()
