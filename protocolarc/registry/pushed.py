"""What a plain ``pre-push`` hook is told: the references that are pushed, a line for each on standard input."""

from __future__ import annotations

from protocolarc.gitstore.plumbing import Git, object_id
from protocolarc.registry.ranges import check_range
from protocolarc.registry.request import Request, WrongOptionsError
from protocolarc.values.judgement import CheckResult
from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

_WORDS = 4
_MOST = 1 << 24


class Push(NamedTuple):
    """One reference: what it is called here and there, what it becomes, and what the remote has; zeros for nothing."""

    local: str
    new: str
    remote: str
    old: str


def read_pushes(stream: IO[bytes] | None) -> list[Push]:
    """Read the lines that git gives a hook: local name and object, remote name and object.

    Raises:
        WrongOptionsError: they are none, or more than anybody pushes.
    """
    data = b"" if stream is None else stream.read(_MOST + 1)
    if len(data) > _MOST:
        raise WrongOptionsError(f"--pre-push reads at most {_MOST} bytes")
    pushes = []
    for line in data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if data else ():
        words = line.rsplit(" ", _WORDS - 1)  # what is called "HEAD^{/fix bug}" here has blanks
        if len(words) != _WORDS or object_id(words[1]) is None or object_id(words[3]) is None:
            raise WrongOptionsError("--pre-push reads the lines that git gives a pre-push hook on standard input")
        pushes.append(Push(*words))
    return pushes


def check_push(git: Git, push: Push, request: Request) -> CheckResult:
    """Judge what a push adds to what the remote has. A reference that is deleted, or holds no commit, adds nothing.

    Raises:
        GitError: git cannot answer. ConfigError: the policy file or the waivers cannot be used.
    """
    what = f"{push.local} to {push.remote}"
    if not push.new.strip("0"):
        return CheckResult("nothing", push.remote, push.remote, 0, (), (f"{push.remote} is deleted",))
    if git.commit(push.new) is None:
        return CheckResult(push.local, push.remote, push.remote, 0, (), (f"pushes {what}, which is no commit",))
    has_commit = git.commit(push.old) is not None or git.read(push.old, limit=0) is None
    base = push.old if has_commit else "0" * len(push.old)  # the remote has a tag of something else
    result = check_range(git, request._replace(base=base, head=push.new, pushed=push.remote))
    return result._replace(notes=(f"pushes {what}", *result.notes))
