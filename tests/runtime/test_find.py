from __future__ import annotations

from pathlib import Path

import pytest

from protocolarc.runtime import find
from protocolarc.runtime.errors import RuntimeMissingError
from protocolarc.runtime.find import VARIABLE, command_of, find_runtime
from protocolarc.runtime.place import ASSEMBLY, PROJECT, cache_folder


def silent(_text: str) -> None:
    pass


def executable(path: Path) -> Path:
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(0o755)
    return path


@pytest.fixture
def dotnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "sdk"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("DOTNET_ROOT", raising=False)
    return executable(folder / "dotnet")


def test_the_option_wins_over_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, other = executable(tmp_path / "named"), executable(tmp_path / "other")
    monkeypatch.setenv(VARIABLE, str(other))
    assert find_runtime(str(named), silent) == (str(named),)
    assert find_runtime(None, silent) == (str(other),)


def test_without_any_runtime_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(find, "own_sources", lambda: None)
    with pytest.raises(RuntimeMissingError, match=r"install the \.NET SDK 10") as caught:
        find_runtime(None, silent)
    assert "\n" not in str(caught.value)


def test_sources_without_an_sdk_are_no_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / PROJECT).write_text("<Project/>", encoding="ascii")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DOTNET_ROOT", raising=False)
    with pytest.raises(RuntimeMissingError, match=r"install the \.NET SDK 10"):
        command_of(str(tmp_path), silent)


def test_an_assembly_runs_by_dotnet(tmp_path: Path, dotnet: Path) -> None:
    assembly = tmp_path / "Some.dll"
    assembly.touch()
    assert command_of(str(assembly), silent) == (str(dotnet), str(assembly))


def test_a_folder_gives_its_assembly_before_its_launcher(tmp_path: Path, dotnet: Path) -> None:
    launcher = executable(tmp_path / ASSEMBLY)
    assert command_of(str(tmp_path), silent) == (str(launcher),)
    assembly = tmp_path / f"{ASSEMBLY}.dll"
    assembly.touch()
    assert command_of(str(tmp_path), silent) == (str(dotnet), str(assembly))


def test_dotnet_is_looked_for_in_its_root_first(tmp_path: Path, dotnet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = executable(tmp_path / "dotnet")
    assert find.dotnet() == str(dotnet)
    monkeypatch.setenv("DOTNET_ROOT", str(tmp_path))
    assert find.dotnet() == str(own)


@pytest.mark.parametrize(("name", "reason"), [("none", "there is no runtime"), ("text", "neither an executable nor")])
def test_a_path_that_is_no_runtime_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "text").touch()
    with pytest.raises(RuntimeMissingError, match=reason):
        command_of(str(tmp_path / name), silent)


def test_a_folder_without_a_runtime_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeMissingError, match=rf"holds neither {ASSEMBLY} nor"):
        command_of(str(tmp_path), silent)


def test_builds_are_kept_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert cache_folder() == "/cache/protocolarc"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert Path(cache_folder()).is_absolute()
