"""Runtimes for tests: one that is faked in Python, and the real one where it can be had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from protocolarc import __version__
from protocolarc.runtime.errors import RuntimeMissingError
from protocolarc.runtime.find import dotnet, find_runtime
from protocolarc.runtime.hello import connect
from tests.support.cli import ROOT

REQUIRED = os.environ.get("PROTOCOLARC_REQUIRE_DOTNET") == "1"
"""Set where a test that needs the real runtime has to fail when there is none."""

_FAKE = Path(__file__).parent / "fake_runtime.py"


def fake_command(mode: str = "honest") -> tuple[str, ...]:
    """Return the words that start a faked runtime."""
    return (sys.executable, str(_FAKE), mode)


def fake_executable(folder: Path, mode: str = "honest") -> Path:
    """Write a faked runtime as one executable file."""
    path = folder / f"runtime-{mode}"
    words = " ".join(f"'{word}'" for word in fake_command(mode))
    path.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec {words} \"$@\"\n", encoding="ascii")
    path.chmod(0o755)
    return path


def real_command() -> tuple[str, ...]:
    """Return the words that start the real runtime; skip or fail the test where there is none."""
    try:
        command = find_runtime(None, lambda _text: None)
        with connect(command, __version__) as client:
            client.bye()
    except RuntimeMissingError as error:
        _go_without(str(error))
    return command


def sdk() -> str:
    """Return the path of a ``dotnet`` that can build; skip or fail the test where there is none."""
    try:
        found = dotnet()
    except RuntimeMissingError as error:
        _go_without(str(error))
    if subprocess.run([found, "--version"], capture_output=True, check=False).returncode:
        _go_without("dotnet is there without an SDK")
    return found


def _go_without(reason: str) -> NoReturn:
    if REQUIRED:
        pytest.fail(f"PROTOCOLARC_REQUIRE_DOTNET is set, but {reason}")
    pytest.skip(reason)
