"""What is left when tasks have ended: nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bridge.leaks import leftovers
from tests.bridge.stores import Kind, opened
from tests.bridge.wire import played


@pytest.mark.requirement("R19", "R7")
@played
async def test_nothing_is_left_of_tasks_that_have_ended() -> None:
    async with opened(Kind.MEMORY, Path()) as store:
        assert await leftovers(store, 400) == {}
