"""Finding the .NET runtime: what the user names, else what the project's own sources build."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from protocolarc.runtime.build import build
from protocolarc.runtime.errors import RuntimeMissingError
from protocolarc.runtime.place import ASSEMBLY, PROJECT, cache_folder

VARIABLE = "PROTOCOLARC_RUNTIME"

_INSTALL = (
    "there is no .NET runtime: install the .NET SDK 10 (https://dot.net) beside a checkout of ProtocolArc, "
    f"or name a built runtime with --runtime or {VARIABLE}"
)


def find_runtime(named: str | None, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Return the words that start the runtime: of ``named``, of the variable, or of the sources beside the package.

    A build is announced through ``tell``, since it takes a while.

    Raises:
        RuntimeMissingError: there is none, and nothing to build one from or with.
    """
    path = named or os.environ.get(VARIABLE) or own_sources()
    if not path:
        raise RuntimeMissingError(_INSTALL)
    return command_of(path, tell)


def own_sources() -> str | None:
    """Return the folder of the runtime's sources in a checkout; an installed package has none."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = os.path.join(os.path.dirname(package), "runtime")
    return folder if os.path.isfile(os.path.join(folder, PROJECT)) else None


def command_of(path: str, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Return the words that start what a path names: an executable, an assembly, or a folder of either or of sources.

    Raises:
        RuntimeMissingError: it names none of these.
    """
    if os.path.isdir(path):
        return _command_in(path, tell)
    if not os.path.isfile(path):
        raise RuntimeMissingError(f"there is no runtime {path}")
    if path.lower().endswith(".dll"):
        return dotnet(), os.path.abspath(path)
    if not os.access(path, os.X_OK):
        raise RuntimeMissingError(f"{path} is neither an executable nor an assembly (.dll)")
    return (os.path.abspath(path),)


def _command_in(folder: str, tell: Callable[[str], None]) -> tuple[str, ...]:
    if os.path.isfile(os.path.join(folder, PROJECT)):
        folder = build(folder, cache_folder(), dotnet(), tell)
    # The assembly first: a launcher beside it looks for .NET in fewer places than the search path has.
    for name in (f"{ASSEMBLY}.dll", f"{ASSEMBLY}.exe", ASSEMBLY):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return command_of(path, tell)
    raise RuntimeMissingError(f"{folder} holds neither {ASSEMBLY} nor {ASSEMBLY}.dll")


def dotnet() -> str:
    """Return the path of the ``dotnet`` command.

    Raises:
        RuntimeMissingError: it is not installed.
    """
    folders = [os.environ.get("DOTNET_ROOT", ""), os.environ.get("PATH", os.defpath)]
    found = shutil.which("dotnet", path=os.pathsep.join(filter(None, folders)))
    if found is None:
        raise RuntimeMissingError(_INSTALL)
    return found
