"""Building the runtime once per state of its sources and SDK, in the user's cache, never in the checkout."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator

from protocolarc.runtime.errors import RuntimeMissingError
from protocolarc.runtime.lock import locked

BUILD_SECONDS = 600.0

_OUTPUTS = frozenset({"bin", "obj"})
_VERSION_SOURCE = "../protocolarc/__init__.py"  # the project file reads the version there
_QUIET = {
    "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
    "DOTNET_NOLOGO": "1",
    # A worker that outlives the build would hold its pipes open.
    "DOTNET_CLI_USE_MSBUILD_SERVER": "0",
    "MSBUILDDISABLENODEREUSE": "1",
}
_PUBLISH = ("publish", "-c", "Release", "-v", "quiet", "-nodeReuse:false", "-p:UseSharedCompilation=false")
_NATIVE = ("--use-current-runtime", "-p:PublishAot=true")
_MANAGED = ("-p:PublishAot=false",)


def build(sources: str, cache: str, dotnet: str, tell: Callable[[str], None], *, native: bool = True) -> str:
    """Return the folder of the built runtime: ahead of time where this machine can, else as an assembly.

    Two builds at once are one; a build that was cut off leaves nothing that is taken for a whole one.

    Raises:
        RuntimeMissingError: there is no SDK, the sources do not build, or the cache cannot be written to.
    """
    home = os.path.join(cache, "runtime")
    try:
        return _build_once(home, sources, dotnet, tell, native=native)
    except OSError as error:
        where = error.filename or home
        raise RuntimeMissingError(f"the .NET runtime cannot be built: {where}: {error.strerror or error}") from None


def _build_once(home: str, sources: str, dotnet: str, tell: Callable[[str], None], *, native: bool) -> str:
    key = _fingerprint(sources, _sdk_version(dotnet), native=native)
    target = os.path.join(home, key)
    if os.path.isdir(target):
        return target
    os.makedirs(home, exist_ok=True)
    with locked(os.path.join(home, f"{key}.lock")):
        if os.path.isdir(target):
            return target
        _remove_leftovers(home, key)
        tell("building the .NET runtime, once for this state of its sources")
        with tempfile.TemporaryDirectory(dir=home, prefix=f"{key}.") as work:
            os.rename(_build_in(work, sources, dotnet, native=native), target)
    return target


def _build_in(work: str, sources: str, dotnet: str, *, native: bool) -> str:
    """Build a copy of the sources: a checkout may be read-only, and what is built is what was hashed."""
    copy, out = os.path.join(work, "runtime"), os.path.join(work, "out")
    for name in _source_files(sources):
        path = os.path.normpath(os.path.join(copy, name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(os.path.join(sources, name), path)
    if native and _run(dotnet, *_PUBLISH, *_NATIVE, "-o", out, cwd=copy).returncode == 0:
        return out
    shutil.rmtree(out, ignore_errors=True)
    done = _run(dotnet, *_PUBLISH, *_MANAGED, "-o", out, cwd=copy)
    if done.returncode:
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        reason = next((line.strip() for line in lines if "error" in line), f"exit code {done.returncode}")
        raise RuntimeMissingError(f"the .NET runtime does not build: {reason}")
    return out


def _sdk_version(dotnet: str) -> str:
    done = _run(dotnet, "--version")
    if done.returncode:
        raise RuntimeMissingError("there is a dotnet command but no SDK: install the .NET SDK 10 (https://dot.net)")
    return done.stdout.decode("ascii", "replace").strip()


def _run(*words: str, cwd: str | None = None) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603  # the user's own SDK
            words,
            cwd=cwd,
            env={**os.environ, **_QUIET},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except OSError as error:
        raise RuntimeMissingError(f"{words[0]} does not start: {error.strerror or error}") from None
    except subprocess.TimeoutExpired:
        raise RuntimeMissingError(f"{words[0]} {words[1]} took more than {BUILD_SECONDS:g} seconds") from None


def _fingerprint(sources: str, sdk: str, *, native: bool) -> str:
    """Return a name for what a build depends on: every source file, the SDK, and the kind of build."""
    digest = hashlib.sha256(f"{sdk}\0{native}\0".encode())
    for name in _source_files(sources):
        with open(os.path.join(sources, name), "rb") as stream:
            content = stream.read()
        digest.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
        digest.update(content)
    return digest.hexdigest()[:16]


def _source_files(folder: str) -> Iterator[str]:
    """Yield the relative paths of the sources, in one order; what an earlier build put beside them is none."""
    if os.path.isfile(os.path.join(folder, _VERSION_SOURCE)):
        yield _VERSION_SOURCE
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _OUTPUTS and not name.startswith("."))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")


def _remove_leftovers(home: str, key: str) -> None:
    """Remove what a build that was cut off left behind. The caller holds the lock, so none is under way."""
    for name in os.listdir(home):
        if name.startswith(f"{key}.") and name != f"{key}.lock":
            shutil.rmtree(os.path.join(home, name), ignore_errors=True)
