"""The official conformance kit against the bridge: ``python -m tests.bridge.conformance [KIT]``.

KIT is a checkout of a2aproject/a2a-tck, branch 1.0-dev, named by the argument or by ``A2A_TCK``. Its own requirements
have to be installed in ``KIT/.venv`` or in the Python that ``A2A_TCK_PYTHON`` names. The kit runs as it is, in a child
process, over JSON-RPC and REST. ``conformance.txt`` lists the tests that are known to fail and why: a failure that it
does not list and a line whose test no longer fails both end with 1. Without the kit it says so and ends with 0.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from a2a.server.tasks import InMemoryTaskStore

from tests.bridge.runners import Runner, echo
from tests.bridge.scene import anybody, serving
from tests.bridge.wire import say, within

EXPECTED = Path(__file__).with_name("conformance.txt")
PATIENCE = 600.0


def main(words: list[str]) -> int:
    """Run the kit and compare; return the exit code."""
    place = words[0] if words else os.environ.get("A2A_TCK", "")
    if not place:
        return say("the conformance kit is not here: name its checkout or set A2A_TCK; nothing was run")
    kit = Path(place).resolve()
    if not (kit / "tests" / "compatibility").is_dir():
        return say(f"{place} is no checkout of the conformance kit; nothing was run")
    own = kit / ".venv" / "bin" / "python"
    python = os.environ.get("A2A_TCK_PYTHON") or (str(own) if own.exists() else sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "junit.xml"
        asyncio.run(_run(kit, python, report))
        if not report.exists():
            return say("the kit ended without a report: are its requirements installed?") + 1
        lines = compare(report.read_bytes(), EXPECTED.read_text(encoding="ascii"))
        return say(*lines) + (len(lines) > 1)


async def _run(kit: Path, python: str, report: Path) -> None:
    async with serving(Runner(echo), InMemoryTaskStore(), resolve=anybody) as scene:
        words = ["-m", "pytest", "tests/compatibility", "-q", "--tb=line", "-p", "no:cacheprovider"]
        words += [f"--sut-host={scene.url}", "--transport=jsonrpc,http_json", f"--junitxml={report}"]
        child = await asyncio.create_subprocess_exec(python, *words, cwd=kit)
        await within(child.wait(), "the end of the kit", PATIENCE)


def compare(report: bytes, listed: str) -> list[str]:
    """Return what differs between a JUnit report and the list of expected failures, and last the counts."""
    outcome = {
        f"{case.get('classname')}::{case.get('name')}": {child.tag for child in case}
        for case in ET.fromstring(report).iter("testcase")  # written by our own child process
    }
    failed = {name for name, tags in outcome.items() if tags & {"failure", "error"}}
    expected = {line.partition("  # ")[0] for line in listed.splitlines() if line}
    skipped = sum("skipped" in tags for tags in outcome.values())
    passed = len(outcome) - len(failed) - skipped
    lines = [f"new failure: {name}" for name in sorted(failed - expected)]
    lines += [f"stale line, it does not fail: {name}" for name in sorted(expected - failed)]
    lines += ["no test passed"] if not passed else []
    return [*lines, f"{passed} passed, {len(failed & expected)} failed as listed, {skipped} skipped by the kit"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
