"""The bridge over real HTTP. Without the extras every module here is skipped, and the reason says what to install."""

import pytest

pytest.importorskip("a2a.server.routes", reason="install protocolarc[a2a] for the tests of the bridge")
pytest.importorskip("uvicorn", reason="install uvicorn for the tests of the bridge")
