from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from protocolarc.runtime.build import build
from protocolarc.runtime.errors import RuntimeMissingError

DOTNET = """#!{python}
import os, pathlib, sys
home = pathlib.Path({home!r})
if sys.argv[1] == "--version":
    print((home / "version").read_text())
    sys.exit((home / "no-sdk").exists())
native = "-p:PublishAot=true" in sys.argv
with (home / "log").open("a") as log:
    log.write("native\\n" if native else "managed\\n")
for step in ("started", "go"):
    if (home / step).exists():
        (home / step).open("w" if step == "started" else "r").close()
out = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
out.mkdir()
(out / "half").touch()
if (home / "die").exists():
    os.kill(os.getppid(), 9)
if (home / ("no-native" if native else "no-managed")).exists():
    print("  Program.cs(1,1): error CS0001: no")
    sys.exit(1)
(out / "content").write_text(pathlib.Path("Program.cs").read_text())
"""


class Sdk:
    """A faked SDK that notes each build. A file in its folder changes what it does."""

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / "version").write_text("10.0.100", encoding="ascii")
        self.dotnet = home / "dotnet"
        self.dotnet.write_text(DOTNET.format(python=sys.executable, home=str(home)), encoding="utf-8")
        self.dotnet.chmod(0o755)
        self.sources = home / "runtime"
        self.sources.mkdir()
        self.edit("one")
        self.cache = home / "cache"
        self.told: list[str] = []

    def edit(self, text: str) -> None:
        (self.sources / "Program.cs").write_text(text, encoding="ascii")

    def set(self, name: str) -> None:
        (self.home / name).touch()

    def build(self) -> Path:
        return Path(build(str(self.sources), str(self.cache), str(self.dotnet), self.told.append))

    @property
    def log(self) -> list[str]:
        path = self.home / "log"
        return path.read_text(encoding="ascii").split() if path.exists() else []


@pytest.fixture
def sdk(tmp_path: Path) -> Sdk:
    return Sdk(tmp_path)


def test_a_build_is_made_once_and_then_found(sdk: Sdk) -> None:
    first = sdk.build()
    assert (first / "content").read_text(encoding="ascii") == "one"
    assert sdk.build() == first
    assert sdk.log == ["native"]
    assert len(sdk.told) == 1


def test_changed_sources_and_another_sdk_are_other_builds(sdk: Sdk) -> None:
    first = sdk.build()
    sdk.edit("two")
    second = sdk.build()
    (sdk.home / "version").write_text("9.0.300", encoding="ascii")
    third = sdk.build()
    assert len({first, second, third}) == 3
    assert (second / "content").read_text(encoding="ascii") == "two"


def test_what_lies_beside_the_sources_is_no_part_of_them(sdk: Sdk) -> None:
    first = sdk.build()
    for name in ("bin", "obj", ".vs"):
        (sdk.sources / name).mkdir()
        (sdk.sources / name / "Other.cs").touch()
    assert sdk.build() == first


def test_the_checkout_is_not_written_to(sdk: Sdk) -> None:
    sdk.sources.chmod(stat.S_IRUSR | stat.S_IXUSR)
    sdk.build()
    sdk.sources.chmod(stat.S_IRWXU)
    assert os.listdir(sdk.sources) == ["Program.cs"]


def test_where_it_cannot_be_built_ahead_of_time_it_is_an_assembly(sdk: Sdk) -> None:
    sdk.set("no-native")
    assert (sdk.build() / "content").exists()
    assert sdk.log == ["native", "managed"]


def test_sources_that_do_not_build_are_told_with_the_first_error(sdk: Sdk) -> None:
    sdk.set("no-native")
    sdk.set("no-managed")
    with pytest.raises(RuntimeMissingError, match=r"does not build: Program\.cs\(1,1\): error CS0001: no"):
        sdk.build()
    assert [path.suffix for path in (sdk.cache / "runtime").iterdir()] == [".lock"]


def test_a_dotnet_without_an_sdk_is_told(sdk: Sdk) -> None:
    sdk.set("no-sdk")
    with pytest.raises(RuntimeMissingError, match="no SDK: install"):
        sdk.build()


def test_a_cache_that_cannot_be_written_to_is_told(sdk: Sdk) -> None:
    sdk.cache.write_bytes(b"no folder")
    with pytest.raises(RuntimeMissingError, match=r"cannot be built: .*cache/runtime: Not a directory"):
        sdk.build()


def test_two_builds_at_once_are_one(sdk: Sdk) -> None:
    for name in ("started", "go"):
        os.mkfifo(sdk.home / name)
    built: list[Path] = []
    threads = [threading.Thread(target=lambda: built.append(sdk.build())) for _ in range(2)]
    threads[0].start()
    with (sdk.home / "started").open("rb"):  # the first one is in its build now
        threads[1].start()
    with (sdk.home / "go").open("wb"):
        pass
    for thread in threads:
        thread.join()
    assert built[0] == built[1]
    assert sdk.log == ["native"]


def test_a_build_that_was_cut_off_is_made_again_and_leaves_nothing(sdk: Sdk) -> None:
    sdk.set("die")
    code = "import sys; from tests.runtime.test_build import Sdk; from protocolarc.runtime.build import build; "
    code += f"build({str(sdk.sources)!r}, {str(sdk.cache)!r}, {str(sdk.dotnet)!r}, print)"
    killed = os.spawnl(os.P_WAIT, sys.executable, sys.executable, "-c", code)
    assert killed == -9
    assert any(path.is_dir() for path in (sdk.cache / "runtime").iterdir())

    (sdk.home / "die").unlink()
    built = sdk.build()

    assert (built / "content").exists()
    assert [path for path in (sdk.cache / "runtime").iterdir() if path.is_dir()] == [built]
