"""Settings that all tests share."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# The same cases on every run, and no clock: a slow machine is no reason to fail.
settings.register_profile(
    "everyday", derandomize=True, deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("everyday")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what is loaded now: it stays to the end, and is much to go through each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
