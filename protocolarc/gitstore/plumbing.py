"""Git as processes: plumbing commands, NUL-separated, names as bytes, no shell.

Trees, the index and blobs are read from git's own objects, never from the disk. Each function says how many
processes it starts; none starts one per contract.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from itertools import islice
from types import TracebackType
from typing import IO, NamedTuple, Self

from protocolarc.gitstore.environment import OPTIONS, clean_environment, find_git
from protocolarc.gitstore.streams import SHORT, split_records, take

MAX_BLOB_BYTES = 16 * 1024 * 1024 + 2
"""Largest blob that is read: the limit of a contract document, with its line ending."""

_HEADS = "refs/remotes/*/HEAD"
"""Which references of remotes are remembered when a repository is opened: their default branches."""

REFETCH = "git fetch --refetch --no-filter"
"""What completes a partial clone; it is told, never run."""

_AHEAD = 50
"""Object ids that are asked for at once."""

_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NAME = re.compile(r"(?!-)[!-~]+")


class GitError(Exception):
    """Git cannot answer. ``reason`` is one line for people, ``hint`` what they can do about it, or nothing."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


class Answer(NamedTuple):
    """What ``cat-file`` knows about one object; ``data`` is absent when it is larger than was asked for."""

    oid: str
    kind: str
    size: int
    data: bytes | None


class Git:
    """One repository, as git itself finds it from a directory. Use it as a context: it may hold one process."""

    def __init__(self, executable: str, directory: str, environment: Mapping[str, str]) -> None:
        self.executable = executable
        self.directory = directory
        self.environment = environment
        self.top: str | None = None
        self.bare = False
        self.shallow = False
        self.git_directory = ""
        self.remote_heads: list[str] = []
        self.documents: dict[str, object] = {}  # what was made of blobs, by id, for the snapshots that share them
        self._batch: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads objects."""
        batch, self._batch = self._batch, None
        if batch is None:
            return
        for stream in (batch.stdin, batch.stdout, batch.stderr):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # it has ended before, for a reason that was said
                    continue
        batch.wait()

    def start(self, *words: str | bytes, stdin: int | IO[bytes] = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Start a git command with pipes on its output and its reasons.

        Raises:
            GitError: the executable cannot be run.
        """
        command = [self.executable, *OPTIONS, *words]
        try:
            return subprocess.Popen(  # noqa: S603  # no shell; every word is an argument
                command,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.directory,
                env=self.environment,
            )
        except OSError as error:
            raise GitError(f"cannot run git: {error.strerror or error}") from None

    def ask(self, *words: str | bytes, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
        """Run a command and return its exit code, output and reasons. One process."""
        with self.start(*words, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL) as process:
            out, err = process.communicate(stdin or None)
        return process.returncode, out, err

    def run(self, *words: str | bytes, stdin: bytes = b"") -> bytes:
        """Run a command that must succeed. One process.

        Raises:
            GitError: it failed, for git's own reason.
        """
        code, out, err = self.ask(*words, stdin=stdin)
        if code:
            raise failure(words[0], err)
        return out

    def stream(self, *words: str | bytes, source: Sequence[str | bytes] = ()) -> Iterator[bytes]:
        """Yield the NUL-separated pieces of a command's output as they come.

        ``source`` is a command whose output is the other one's input. One process for each.

        Raises:
            GitError: one of them failed, for git's own reason.
        """
        first = self.start(*source) if source else None
        fed = subprocess.DEVNULL if first is None else first.stdout
        assert fed is not None  # noqa: S101  # for the type checker
        with self.start(*words, stdin=fed) as process, first or nullcontext():
            assert process.stdout is not None  # noqa: S101  # for the type checker
            assert process.stderr is not None  # noqa: S101  # the same
            if first is not None and first.stdout is not None:
                first.stdout.close()  # the other command holds the end that is read
            try:
                yield from split_records(process.stdout)
            except GeneratorExit:  # whoever reads has seen enough
                process.kill()
                raise
            reasons = process.stderr.read()
            reasons_of_source = b"" if first is None or first.stderr is None else first.stderr.read()
        if first is not None and first.returncode:
            raise failure(source[0], reasons_of_source)
        if process.returncode:
            raise failure(words[0], reasons)

    def read(self, name: str, limit: int = MAX_BLOB_BYTES) -> Answer | None:
        """Return an object by its id or by an expression such as ``HEAD^{commit}``; ``None`` when there is none.

        All calls share one process.

        Raises:
            GitError: the name is none, or the object store is damaged.
        """
        self._request((name,))
        return self._answer(name, limit)

    def read_all(self, names: Iterable[str], limit: int = MAX_BLOB_BYTES) -> Iterator[Answer | None]:
        """Yield what ``read`` returns for each of many names, in order. Read nothing else between two of them.

        Raises:
            GitError: as there.
        """
        pending = iter(names)
        while group := tuple(islice(pending, _AHEAD)):
            self._request(group)
            for name in group:
                yield self._answer(name, limit)

    def _request(self, names: Sequence[str]) -> None:
        """Ask for objects. So few that a pipe takes the whole question, however long the answers are."""
        for name in names:
            if _NAME.fullmatch(name) is None:
                raise GitError(f"{name!r} is no name that git knows")
        if self._batch is None:
            self._batch = self.start("cat-file", "--batch", stdin=subprocess.PIPE)
        assert self._batch.stdin is not None  # noqa: S101  # for the type checker
        with suppress(OSError):  # it has ended; its answer will say why
            self._batch.stdin.write("".join(f"{name}\n" for name in names).encode("ascii"))
            self._batch.stdin.flush()

    def _answer(self, name: str, limit: int) -> Answer | None:
        batch = self._batch
        assert batch is not None  # noqa: S101  # for the type checker
        assert batch.stdout is not None  # noqa: S101  # the same
        head = batch.stdout.readline()
        words = head.decode("ascii", "replace").rstrip("\n").rsplit(" ", 2)
        if not head:
            raise self._broken(name)
        if words[-1] in ("missing", "ambiguous"):
            return None
        oid, kind, length = words
        data = take(batch.stdout, int(length), limit)
        if data is SHORT:
            raise self._broken(name)
        return Answer(oid, kind, int(length), data)

    def _broken(self, name: str) -> GitError:
        """Say why the reader of objects ended in the middle of an answer."""
        batch = self._batch
        assert batch is not None  # noqa: S101  # for the type checker
        assert batch.stderr is not None  # noqa: S101  # the same
        reasons = batch.stderr.read()
        self.close()
        reason = failure("cat-file", reasons).reason
        hint = REFETCH if "promisor" in reason else "git fsck"
        return GitError(f"object {name} cannot be read: {reason}", hint)

    def commit(self, name: str) -> str | None:
        """Return the id of the commit that a revision names, or ``None``. A tag is peeled."""
        answer = self.read(f"{name}^{{commit}}", limit=0)
        return None if answer is None else answer.oid


def failure(command: str | bytes, err: bytes) -> GitError:
    """Make one line of what git said on standard error."""
    lines = [line for line in err.decode("utf-8", "surrogateescape").splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith(("fatal: ", "error: "))), lines[0] if lines else "no reason")
    return GitError(f"git {os.fsdecode(command)}: {said.removeprefix('fatal: ').removeprefix('error: ')}")


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
        git.remote_heads.append(name.decode("utf-8", "replace"))
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
    return text if _OID.fullmatch(text) else None


def blobs(git: Git, oids: Iterable[str], limit: int = MAX_BLOB_BYTES) -> dict[str, bytes | None]:
    """Return the content of blobs; ``None`` for one that is over the limit. They share the process of ``read``.

    Raises:
        GitError: a blob is not there, as in a partial clone, or is damaged.
    """
    wanted = list(dict.fromkeys(oids))
    found: dict[str, bytes | None] = {}
    for oid, answer in zip(wanted, git.read_all(wanted, limit), strict=True):
        if answer is None:
            raise GitError(f"object {oid} is missing", REFETCH)
        found[oid] = answer.data
    return found
