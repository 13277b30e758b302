"""Settings that all tests share."""

from __future__ import annotations

import gc

from hypothesis import HealthCheck, settings

# The same cases on every run, and no clock: a slow machine is no reason to fail.
settings.register_profile(
    "everyday", derandomize=True, deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("everyday")


def pytest_collection_finish() -> None:
    """Take what is loaded out of the garbage collector's sight: it stays to the end, and is much to go through."""
    gc.freeze()
