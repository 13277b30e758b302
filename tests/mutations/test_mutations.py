"""Seeded bugs in the runtime: a vector has to notice each of them, or the vectors prove less than they seem to.

The builds take time: ``pytest -m mutation``. That the patches still apply is checked every day.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from protocolarc import __version__
from protocolarc.parity.peer import Peer
from protocolarc.runtime.hello import connect
from protocolarc.runtime.place import ASSEMBLY
from tests.support.cli import ROOT
from tests.support.runtimes import sdk
from tests.support.vectors import vectors

SOURCES = ROOT / "runtime"
BUILD = ("build", "-c", "Release", "-v", "quiet", "-nodeReuse:false", "-p:UseSharedCompilation=false")
LENIENT = ("-p:TreatWarningsAsErrors=false", "-p:RunAnalyzers=false", "-p:GenerateDocumentationFile=false")
ALL = list(vectors())


class Mutation(NamedTuple):
    """A bug: in one file, the one place that reads ``search`` reads ``replace``."""

    about: str
    file: str
    search: str
    replace: str

    def apply(self, source: str) -> str:
        assert source.count(self.search) == 1, f"the patch of {self.file} no longer applies"
        return source.replace(self.search, self.replace)


MUTATIONS = {
    path.stem: Mutation(**tomllib.loads(path.read_text("utf-8"))) for path in Path(__file__).parent.glob("*.toml")
}


class Workshop:
    """A copy of the runtime's sources that is built with one bug at a time."""

    def __init__(self, folder: Path, dotnet: str) -> None:
        self._dotnet = dotnet
        self._runtime = folder / "runtime"
        shutil.copytree(SOURCES, self._runtime, ignore=shutil.ignore_patterns("bin", "obj"))
        (folder / "protocolarc").mkdir()
        shutil.copy(ROOT / "protocolarc" / "__init__.py", folder / "protocolarc")  # the version
        self._out = folder / "out"

    def build(self, mutation: Mutation) -> tuple[str, ...]:
        path = self._runtime / mutation.file
        original = path.read_text("utf-8")
        path.write_text(mutation.apply(original), "utf-8")
        words = [self._dotnet, *BUILD, *LENIENT, "-o", str(self._out)]
        done = subprocess.run(words, cwd=self._runtime, capture_output=True, text=True, check=False, timeout=120)
        path.write_text(original, "utf-8")
        assert done.returncode == 0, done.stdout
        return self._dotnet, str(self._out / f"{ASSEMBLY}.dll")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("mutated"), sdk())


def test_there_are_eight_bugs() -> None:
    assert len(MUTATIONS) == 8


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the runtime's sources are not part of this checkout")
@pytest.mark.parametrize("name", sorted(MUTATIONS))
def test_a_seeded_bug_still_applies(name: str) -> None:
    mutation = MUTATIONS[name]
    source = (SOURCES / mutation.file).read_text("utf-8")
    assert mutation.apply(source) != source


@pytest.mark.mutation
@pytest.mark.xdist_group("mutation")
@pytest.mark.parametrize("name", sorted(MUTATIONS))
def test_the_vectors_notice_a_seeded_bug(name: str, workshop: Workshop) -> None:
    command = workshop.build(MUTATIONS[name])
    with Peer(lambda: connect(command, __version__)) as peer:
        noticed = [vector.id for vector in ALL if peer.compare(vector.request, vector.answer)]
    assert noticed, MUTATIONS[name].about
    assert len(noticed) < len(ALL) // 2, "a runtime that is broken all over proves nothing"
