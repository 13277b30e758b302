"""GitPython as the runner of git commands, for what takes seconds anyway: to import it costs more than most commands.

Of its objects only ``Repo.git`` is used, over bytes and without a shell; what they say about a repository is no
ground for a verdict. It is imported here alone, and only when it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

Run: TypeAlias = Callable[[Sequence[str], Mapping[str, str]], "tuple[int, bytes]"]
"""Runs a command under a whole environment; gives its exit code, and what it wrote with its reasons last."""


@contextmanager
def new_repository(folder: str, executable: str, environment: Mapping[str, str]) -> Iterator[Run]:
    """Make a repository in a folder and yield what runs git in it. It is closed at the end."""
    with _only({**environment, "GIT_PYTHON_GIT_EXECUTABLE": executable, "GIT_PYTHON_REFRESH": "quiet"}):
        from git import Repo  # noqa: PLC0415  # see above
        from git.cmd import Git  # noqa: PLC0415  # the same

        Git(folder).execute([executable, "init", "-q", "-b", "main"])
        repository = Repo(folder, expand_vars=False)

    def run(words: Sequence[str], variables: Mapping[str, str]) -> tuple[int, bytes]:
        with _only(variables):
            code, out, reasons = repository.git.execute(
                [executable, *words],
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        said = out if isinstance(out, bytes) else b""
        return code, said + (f"{reasons}\n".encode("utf-8", "surrogateescape") if reasons else b"")

    with repository:
        yield run


@contextmanager
def _only(environment: Mapping[str, str]) -> Iterator[None]:
    """Give this process the environment that a child shall have: GitPython lets its children inherit all of it."""
    before = dict(os.environ)
    try:
        os.environ.clear()
        os.environ.update(environment)
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
