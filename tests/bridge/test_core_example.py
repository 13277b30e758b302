"""The example, as its pages say to run it: three processes on the loopback."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette

from tests.support.cli import ROOT

EXAMPLE = ROOT / "examples" / "bridge"
TEXT = "Request failed, there is no answer: the agent could not do it."


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, str(EXAMPLE / "server.py"), "--trust-network"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as server:
        assert server.stdout is not None
        yield server.stdout.readline().decode().strip()
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)


def test_the_lines_of_the_readme_make_an_application(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```py\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    made: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec"), made)
    assert isinstance(made["app"], Starlette)
    asyncio.run(made["bridge"].aclose())


def call(script: str, url: str) -> list[str]:
    done = subprocess.run([sys.executable, str(EXAMPLE / script), url], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


def test_the_client_gets_an_answer_and_three_refusals(url: str) -> None:
    assert call("client.py", url) == [
        '{"longest": "boundaries", "words": 4.0} by count.answer 1.0.0',
        f"run_failed: {TEXT}",
        "refused: The message violates its contract",
        "not_authorised: Request refused: the caller may not use this agent.",
    ]


@pytest.mark.requirement("R20")
def test_the_kit_gets_an_answer_and_a_refusal_that_reads_as_one(url: str) -> None:
    pytest.importorskip("google.adk", reason="install protocolarc[google-adk] for the caller from Google ADK")
    answered, refused = call("adk_caller.py", url)
    found = re.fullmatch(r"answer: <a2a_datapart_json>(.*)</a2a_datapart_json>", answered)
    assert found is not None
    assert json.loads(found[1]) == {"words": 4, "longest": "boundaries"}
    assert refused == f"run_failed: {TEXT}"
