"""Where things are: the names of the runtime's files, and the folder that builds are kept in."""

from __future__ import annotations

import os
import sys

ASSEMBLY = "ProtocolArc.Runtime"
PROJECT = f"{ASSEMBLY}.csproj"


def cache_folder() -> str:
    """Return the user's cache for this program, by the custom of the platform; XDG_CACHE_HOME wins everywhere."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):  # the XDG specification: a relative path is ignored
        return os.path.join(base, "protocolarc")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "protocolarc", "Cache")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches/protocolarc")
    return os.path.expanduser("~/.cache/protocolarc")
