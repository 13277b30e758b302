"""Starting git: a process with a pipe on its output, and somebody who listens to its reasons meanwhile.

``subprocess`` takes a hook longer to load than git needs for its answers. So the system's own call starts the process,
where there is one and it suffices.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from protocolarc.gitstore.errors import GitError
from protocolarc.gitstore.streams import listen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from typing import IO, Self

PIPE, DEVNULL = -1, -3
"""What a process may read instead of a stream, in the numbers of ``subprocess``."""

_BUFFER = 1 << 16
_FIRST_FREE = 3
"""The first descriptor that is no standard stream. A pipe below it stands where a stream was closed."""
_CLOSE_FROM: int | None = getattr(os, "POSIX_SPAWN_CLOSEFROM", None)  # Python 3.13, with a C library that has it
_KILL = 9
"""``signal.SIGKILL``, without the module that makes its name."""


class Process:
    """A command that runs. Use it as a context: when that ends, so has the command, at once if by an exception.

    ``wait`` gives the exit code, as often as it is asked. ``kill`` ends the command, unless its end is known.
    ``reasons`` waits for the end of what it says on standard error, and gives the first of it.
    """

    def __init__(
        self,
        stdin: IO[bytes] | None,
        stdout: IO[bytes],
        stderr: int,
        wait: Callable[[], int],
        kill: Callable[[], None],
    ) -> None:
        self._stdin = stdin
        self.stdout = stdout
        self.wait = wait
        self.kill = kill
        try:
            self.reasons = listen(stderr)
        except OSError:
            self.kill()
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # nobody waits for its answer
            self.kill()
        self.close()

    def write(self, data: bytes) -> None:
        """Give the command something to read. One that has ended takes nothing; its answer says why."""
        assert self._stdin is not None  # noqa: S101  # for the type checker
        try:
            self._stdin.write(data)
            self._stdin.flush()
        except OSError:
            return

    def end_input(self) -> None:
        """Tell the command that there is no more to read."""
        if self._stdin is not None:
            try:
                self._stdin.close()
            except OSError:  # for what could not be written before
                return

    def close(self) -> None:
        """End what the command reads, stop reading what it writes, and wait for it."""
        self.end_input()
        self.stdout.close()
        self.wait()


def start(command: Sequence[str | bytes], environment: Mapping[str, str], stdin: int | IO[bytes]) -> Process:
    """Start a command whose first word is the path of a program.

    Raises:
        OSError: it cannot be run.
    """
    spawned = _spawn(command, environment, stdin) if hasattr(os, "posix_spawn") else None
    if spawned is not None:
        return spawned
    import subprocess  # noqa: PLC0415  # see above

    pipe = subprocess.PIPE
    return adopt(subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=pipe, env=environment))  # noqa: S603  # no shell


def adopt(popen: subprocess.Popen[bytes]) -> Process:
    """Take over a process that has pipes on its output and its reasons."""
    assert popen.stdout is not None  # noqa: S101  # for the type checker
    assert popen.stderr is not None  # noqa: S101  # the same
    with popen.stderr:
        return Process(popen.stdin, popen.stdout, os.dup(popen.stderr.fileno()), popen.wait, popen.kill)


def _spawn(command: Sequence[str | bytes], environment: Mapping[str, str], stdin: int | IO[bytes]) -> Process | None:
    """Start a process by the system's own call; ``None`` where a pipe stands in the place of a standard stream.

    Git itself gives SIGPIPE its default action again. What this process was given to hand on, git is given as well,
    where the system cannot be told otherwise.
    """
    ours: list[int] = []
    theirs: list[int] = []
    pid = None
    try:
        for _ in ("output", "reasons"):
            _pipe(ours, theirs)
        if stdin == PIPE:
            _pipe(theirs, ours)
        else:
            theirs.append(os.open(os.devnull, os.O_RDONLY) if isinstance(stdin, int) else os.dup(stdin.fileno()))
        if min(theirs) >= _FIRST_FREE:
            places = [(os.POSIX_SPAWN_DUP2, end, place) for end, place in zip(theirs, (1, 2, 0), strict=True)]
            rest = [(_CLOSE_FROM, _FIRST_FREE)] if _CLOSE_FROM is not None else []
            pid = os.posix_spawn(command[0], [*command], environment, file_actions=places + rest)
    finally:
        for end in theirs if pid else theirs + ours:
            os.close(end)
    return None if pid is None else _spawned(pid, *ours)


def _pipe(reading: list[int], writing: list[int]) -> None:
    """Make a pipe and keep its ends."""
    read_end, write_end = os.pipe()
    reading.append(read_end)
    writing.append(write_end)


def _spawned(pid: int, stdout: int, stderr: int, stdin: int | None = None) -> Process:
    ended: list[int] = []

    def wait() -> int:
        if not ended:
            try:
                _, status = os.waitpid(pid, 0)
            except ChildProcessError:
                reason = "git has ended, and the system does not say how: SIGCHLD is ignored"
                raise GitError(reason, "start this command with the signal's default action") from None
            ended.append(os.waitstatus_to_exitcode(status))
        return ended[0]

    def kill() -> None:
        if not ended:
            os.kill(pid, _KILL)

    fed = None if stdin is None else os.fdopen(stdin, "wb")
    return Process(fed, os.fdopen(stdout, "rb", _BUFFER), stderr, wait, kill)
