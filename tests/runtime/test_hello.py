from __future__ import annotations

import sys

import pytest

from protocolarc import __version__
from protocolarc.runtime.errors import RuntimeMissingError
from protocolarc.runtime.hello import connect
from tests.support.runtimes import fake_command


def test_a_runtime_of_this_version_is_connected_to() -> None:
    with connect(fake_command(), __version__) as client:
        client.bye()


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("old", "has version '0.0.1', not"),
        ("profile", "has profile 2, not 1"),
        ("nameless", "does not say who it is"),
    ],
)
def test_another_runtime_is_refused(mode: str, reason: str) -> None:
    with pytest.raises(RuntimeMissingError, match=reason):
        connect(fake_command(mode), __version__)


def test_a_program_that_is_no_runtime_is_refused() -> None:
    with pytest.raises(RuntimeMissingError, match=r"is not the \.NET runtime of ProtocolArc"):
        connect((sys.executable, "-c", "print('hello')"), __version__)
