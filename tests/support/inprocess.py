"""The command line in this process, in the directory of a repository and with a pinned environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from unittest import mock

from tests.support.cli import Done, run
from tests.support.repository import Repository, environment

NOTHING: Mapping[str, str] = MappingProxyType({})


def protocolarc(repository: Repository, *words: str, environ: Mapping[str, str] = NOTHING, below: str = ".") -> Done:
    """Run a command inside a repository."""
    here = os.getcwd()
    with mock.patch.dict(os.environ, environment(environ), clear=True):
        os.chdir(repository.top / below)
        try:
            return run(*words)
        finally:
            os.chdir(here)
