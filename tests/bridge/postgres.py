"""The store tests of the bridge against a real PostgreSQL: ``python -m tests.bridge.postgres [pytest arguments]``.

Makes a private cluster in a temporary folder, owned by an unprivileged user and reached over the loopback alone, runs
the tests with ``PROTOCOLARC_TEST_DATABASE`` set to it, and removes it. Where PostgreSQL or its driver is not
installed it says so and ends with 0.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tests.bridge.wire import say

STORE_TESTS = [f"tests/bridge/test_{name}.py" for name in ("cancel", "handler", "identity", "store")]
UNPRIVILEGED = ("postgres", "nobody")
"""PostgreSQL refuses to run as root; these users exist where Debian's package does."""


def programs() -> Path | None:
    """Return the folder of the newest ``initdb``, which Debian keeps off the path."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parent.parent.name))
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def account() -> str | None:
    """Return the user who has to own the cluster, or None for the one who runs this."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in names)


@contextmanager
def cluster(binaries: Path) -> Iterator[str]:
    """Run a cluster of its own; give the URL of its database for SQLAlchemy."""
    user = account()
    with tempfile.TemporaryDirectory() as name, socket.socket() as probe:
        if user is not None:
            shutil.chown(name, user)
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        data = f"{name}/data"

        def run(program: str, *words: str) -> None:
            command = [str(binaries / program), *words]
            done = subprocess.run(command, user=user, cwd=name, stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{program} failed:\n{done.stdout}")

        run("initdb", "-D", data, "-U", "bridge", "-A", "trust", "-E", "UTF8", "--no-sync")
        settings = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={name} -c fsync=off"
        run("pg_ctl", "-D", data, "-l", f"{name}/log", "-o", settings, "-w", "start")
        try:
            yield f"postgresql+asyncpg://bridge@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def main(words: list[str]) -> int:
    """Run the tests that use a database; return pytest's exit code."""
    binaries = programs()
    if binaries is None:
        return say("PostgreSQL is not installed: its store tests were left out (apt-get install postgresql)")
    if find_spec("asyncpg") is None:
        return say("asyncpg is not installed: the store tests on PostgreSQL were left out (pip install asyncpg)")
    with cluster(binaries) as url:
        command = [sys.executable, "-m", "pytest", *STORE_TESTS, "-k", "database", *words]
        return subprocess.run(command, env={**os.environ, "PROTOCOLARC_TEST_DATABASE": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
