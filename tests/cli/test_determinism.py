"""The same input gives the same bytes, whatever surrounds the process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.cli import ROOT, run, spawn

EXAMPLES = ROOT / "examples"
CONTRACT = str(EXAMPLES / "contracts" / "mcp_tool_call_1.0.0.json")
COMMANDS = [
    ["validate", CONTRACT, str(EXAMPLES / "fixtures")],
    ["validate", CONTRACT, str(EXAMPLES / "fixtures"), "--format", "json"],
    ["matrix", "--contracts", str(EXAMPLES / "contracts"), "--envelopes", str(EXAMPLES / "fixtures")],
    ["report", "--contracts", str(EXAMPLES / "contracts"), "--envelopes", str(EXAMPLES / "fixtures")],
    ["diff", CONTRACT, str(EXAMPLES / "contracts" / "mcp_tool_call_2.0.0.json"), "--format", "json"],
    ["describe", CONTRACT],
    ["rules", "--format", "json"],
    ["demo"],
]
ENVIRONMENTS = st.fixed_dictionaries(
    {
        "PYTHONHASHSEED": st.integers(0, 4294967295).map(str),
        "LC_ALL": st.sampled_from(["C", "C.UTF-8", "POSIX", "tr_TR.UTF-8"]),
        "TZ": st.sampled_from(["UTC", "Asia/Kathmandu"]),
        "COLUMNS": st.sampled_from(["20", "80", "400"]),
        "TERM": st.sampled_from(["dumb", "xterm-256color"]),
        "NO_COLOR": st.sampled_from(["", "1"]),
        "PYTHONUTF8": st.sampled_from(["0", "1"]),
        "PYTHONIOENCODING": st.sampled_from(["ascii", "latin-1", "utf-16"]),
    }
)


@pytest.mark.property
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:1] + words[-1:])[:24].replace("/", "_"))
@settings(max_examples=4)
@given(ENVIRONMENTS)
def test_hash_seed_locale_zone_and_terminal_do_not_change_a_byte(words: list[str], environ: dict[str, str]) -> None:
    here = run(*words)
    there = spawn(*words, environ=environ)
    assert (there.exit_code, there.stdout) == (here.exit_code, here.stdout)
    assert here.stdout.isascii()
    assert b"\r" not in here.stdout


@pytest.mark.property
@settings(max_examples=25)
@given(st.permutations([f"{name}.json" for name in "aAzB_-0"]), st.booleans())
def test_the_order_in_which_files_were_made_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], nested: bool
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    for name in names:
        path = folder / ("sub/" * nested) / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"{}")
    done = run("validate", CONTRACT, str(folder))
    labels = [line.split()[1].decode() for line in done.stdout.splitlines()]
    assert labels == sorted(names, key=os.fsencode)


def test_a_work_folder_does_not_matter(tmp_path: Path) -> None:
    assert spawn("validate", CONTRACT, str(EXAMPLES / "fixtures"), cwd=tmp_path) == run(
        "validate", CONTRACT, str(EXAMPLES / "fixtures")
    )
