"""GitPython as what starts git's processes: the same command lines, bytes and environment as without it.

It opens a repository that git itself has found, trusted and described before, and of its objects only ``Repo.git`` is
used, for plain processes: what the others say about a repository is no ground for a verdict. To import it costs more
than a hook may take, so it is imported here alone, and this module only by what can afford it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import IO, BinaryIO, cast

from protocolarc.gitstore.plumbing import Git
from protocolarc.gitstore.process import Process, adopt


@contextmanager
def _only(environment: Mapping[str, str]) -> Iterator[None]:
    """Give this process the environment that a child shall have: GitPython lets its children inherit all of it."""
    before = dict(os.environ)
    try:
        _take(environment)
        yield
    finally:
        _take(before)


def _take(environment: Mapping[str, str]) -> None:
    """Change what differs, and nothing else: a process may be given names that it can neither set nor take away."""
    for name in os.environ.keys() - environment.keys() - {""}:
        del os.environ[name]
    os.environ.update(environment.items() - os.environ.items())


# While it is imported it would ask git for its version, twice. It accepts in silence that there is no git yet, and
# here each command names its executable.
with _only({**os.environ, "GIT_PYTHON_GIT_EXECUTABLE": os.devnull, "GIT_PYTHON_REFRESH": "quiet"}):
    from git import Repo
    from git.cmd import Git as Runner
    from git.config import GitConfigParser
    from git.exc import GitCommandNotFound


class _Repository(Repo):
    """A repository as GitPython opens it, without its reading of the configuration.

    That takes the square of the length of a value and follows other includes than git does; what is in the
    configuration, git says itself.
    """

    def _config_reader(self, *_: object, **__: object) -> GitConfigParser:
        return GitConfigParser([], read_only=True)


@contextmanager
def by_gitpython(git: Git) -> Iterator[None]:
    """Let GitPython start the processes in an open repository, which it closes at the end."""
    directory = os.path.abspath(git.directory)
    with _only(git.environment):
        repository = _open(None if git.directory == "." else directory)
    runner = Runner() if repository is None else repository.git
    runner.environment().clear()  # GIT_DIR and its like, as GitPython understood them

    def start(command: Sequence[str | bytes], environment: Mapping[str, str], stdin: int | IO[bytes]) -> Process:
        executable, *words = map(os.fsdecode, command)
        # It would start in the top, with the variables in its name expanded.
        words = [executable, "-C", os.getcwd(), *words]
        given = cast("int | BinaryIO", stdin)
        with _only(environment):
            try:
                held = runner.execute(words, istream=given, as_process=True, shell=False)
            except GitCommandNotFound:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None
        assert isinstance(held, Runner.AutoInterrupt)  # noqa: S101  # for the type checker
        # What holds the process would end it when forgotten, and raise for exit codes that are answers.
        process, held.proc = held.proc, None
        assert process is not None  # noqa: S101  # for the type checker
        return adopt(process)

    with nullcontext() if repository is None else closing(repository):
        git.starter = start
        yield


def _open(path: str | None) -> Repo | None:
    """Open a repository, without a path as git looks for it; ``None`` where GitPython refuses what git accepted."""
    try:
        return _Repository(path, search_parent_directories=True, expand_vars=False)
    except Exception:  # noqa: BLE001  # whatever it stumbled over, git did not
        return None
