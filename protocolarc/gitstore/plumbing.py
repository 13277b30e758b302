"""Git as processes: plumbing commands, NUL-separated, names as bytes, no shell.

Trees, the index and blobs are read from git's own objects, never from the disk. Each function says how many
processes it starts; none starts one per contract.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType

from protocolarc.gitstore.environment import OPTIONS, clean_environment, find_git
from protocolarc.gitstore.errors import FSCK, REFETCH, GitError, failure
from protocolarc.gitstore.objects import MAX_BLOB_BYTES, Answer, ObjectReader
from protocolarc.gitstore.process import DEVNULL, PIPE, Process, start
from protocolarc.gitstore.streams import split_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Self

    from protocolarc.values.contract import Contract
    from protocolarc.values.envelope import Problem

__all__ = [
    "MAX_BLOB_BYTES",
    "Answer",
    "Git",
    "GitError",
    "blob",
    "failure",
    "missing",
    "object_id",
    "open_repository",
]

_HEADS = "refs/remotes/*/HEAD"
"""Which references of remotes are remembered when a repository is opened: their default branches."""

_OID = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"


class Git:
    """One repository, as git itself finds it from a directory. Use it as a context: it may hold one process."""

    def __init__(self, executable: str, directory: str, environment: Mapping[str, str]) -> None:
        self.executable = executable
        self.directory = directory
        self.environment = environment
        self.starter = start  # GitPython may stand in
        self.top: str | None = None
        self.bare = False
        self.shallow = False
        self.git_directory = ""
        self.remote_heads: list[str] = []
        self.documents: dict[str, Contract | tuple[Problem, ...]] = {}  # by id, for the snapshots that share blobs
        self._objects = ObjectReader(lambda: self.start("cat-file", "--batch", stdin=PIPE))
        self.read, self.read_all = self._objects.read, self._objects.read_all

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads objects."""
        self._objects.close()

    def start(self, *words: str | bytes, stdin: int | IO[bytes] = DEVNULL) -> Process:
        """Start a git command with pipes on its output and its reasons.

        Raises:
            GitError: the executable cannot be run.
        """
        place = () if self.directory == "." else ("-C", self.directory)
        try:
            return self.starter([self.executable, *place, *OPTIONS, *words], self.environment, stdin)
        except OSError as error:
            raise GitError(f"cannot run git: {error.strerror or error}") from None

    def ask(self, *words: str | bytes, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
        """Run a command and return its exit code, output and reasons. One process.

        It has to take all of ``stdin`` before it writes.
        """
        with self.start(*words, stdin=PIPE if stdin else DEVNULL) as process:
            if stdin:
                process.write(stdin)
                process.end_input()
            out = process.stdout.read()
        return process.wait(), out, process.reasons()

    def run(self, *words: str | bytes, stdin: bytes = b"") -> bytes:
        """Run a command that must succeed. One process.

        Raises:
            GitError: it failed, for git's own reason.
        """
        code, out, err = self.ask(*words, stdin=stdin)
        if code:
            raise failure(words[0], err)
        return out

    def pipe(self, source: Sequence[str | bytes], words: Sequence[str | bytes]) -> Iterator[bytes]:
        """Yield the NUL-separated pieces of what a command makes of another one's output, as they come. Two processes.

        Raises:
            GitError: one of them failed, for git's own reason.
        """
        with self.start(*source) as first, self.start(*words, stdin=first.stdout) as process:
            first.stdout.close()  # the other command holds the end that is read
            yield from split_records(process.stdout)
        if process.wait():  # then the source may have ended because nobody listened
            raise failure(words[0], process.reasons())
        if first.wait():
            raise failure(source[0], first.reasons())

    def commit(self, name: str) -> str | None:
        """Return the id of the commit that a revision names, or ``None``. A tag is peeled."""
        answer = self.read(f"{name}^{{commit}}", limit=0)
        return None if answer is None else answer.oid


def open_repository(start: str = ".", environ: Mapping[str, str] | None = None, *, bare: bool = False) -> Git:
    """Open the repository that a directory is in. One process.

    For the current directory git runs with the inherited environment, as a hook needs it; for any other one the
    variables that speak of a hook's own repository are dropped. ``bare`` allows a repository without a work tree.

    Raises:
        GitError: there is no git, no repository, or none that may be read.
    """
    variables = os.environ if environ is None else environ
    executable = find_git(variables)
    if executable is None:
        raise GitError("git is not on PATH", "install git, or add its directory to PATH")
    if not os.path.isdir(start):
        raise GitError(f"{start} is no directory")
    git = Git(executable, start, clean_environment(variables, inherit=os.path.samefile(start, ".")))
    heads = ("--symbolic", f"--glob={_HEADS}")
    place = ("--git-path", "MERGE_HEAD", "--show-toplevel")
    code, out, err = git.ask("rev-parse", "--is-bare-repository", "--is-shallow-repository", *heads, *place)
    words = out.split(b"\n", 2)
    if len(words) < 3:  # noqa: PLR2004  # two answers and a path
        raise _no_repository(start, err)
    git.bare, git.shallow, rest = words[0] == b"true", words[1] == b"true", words[2]
    while rest.startswith(b"refs/remotes/"):
        name, _, rest = rest.partition(b"\n")
        if name.count(b"/") == _HEADS.count("/"):  # git's * takes slashes as well
            git.remote_heads.append(os.fsdecode(name))
    directory, _, top = rest.rpartition(b"MERGE_HEAD\n")
    git.git_directory = os.path.join(start, os.fsdecode(directory))
    if code:
        if not git.bare:
            raise GitError("this is the inside of a git directory", "run it in the work tree")
        if not bare:
            raise GitError("a bare repository has no index and no work tree", "name two commits: --from and --to")
        return git
    git.top = os.fsdecode(top.removesuffix(b"\n"))
    return git


def _no_repository(start: str, err: bytes) -> GitError:
    text = err.decode("utf-8", "surrogateescape")
    if "dubious ownership" in text:
        line = next((part.strip() for part in text.splitlines() if "safe.directory" in part), "")
        return GitError("git does not trust this repository: another user owns it", line)
    if "not a git repository" in text:
        return GitError(f"{'the current directory' if start == '.' else start} is in no git repository", "git init")
    return failure("rev-parse", err)


def object_id(text: str) -> str | None:
    """Return the text when it is a full object id, of SHA-1 or SHA-256."""
    return text if re.fullmatch(_OID, text) else None


def missing(git: Git, oid: str) -> GitError:
    """Say that git has no such object, and what helps: a partial clone can fetch it. One process."""
    code, _, _ = git.ask("config", "--get-regexp", r"^(extensions\.partialclone|remote\..*\.promisor)$")
    if code:
        return GitError(f"object {oid} is missing or damaged", FSCK)
    return GitError(f"object {oid} is missing", REFETCH)


def blob(git: Git, oid: str, limit: int = MAX_BLOB_BYTES) -> bytes | None:
    """Return the content of a blob; ``None`` for one that is over the limit. It shares the process of ``read``.

    Raises:
        GitError: the blob is not there, as in a partial clone, or is damaged.
    """
    answer = git.read(oid, limit)
    if answer is None:
        raise missing(git, oid)
    return answer.data
