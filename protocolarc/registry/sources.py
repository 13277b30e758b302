"""The policy file and the waivers, out of the snapshot that decides about them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from protocolarc import __version__
from protocolarc.config.policy import POLICY_FILE, SHARED_FILE, ConfigError, named_paths, read_policy
from protocolarc.config.waivers import WAIVER_FILE, read_waivers
from protocolarc.gitstore.entries import SYMLINK, list_index, list_tree
from protocolarc.gitstore.plumbing import Git, GitError
from protocolarc.registry.refs import Point
from protocolarc.values.policy import Policy, Waiver
from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Reader: TypeAlias = Callable[[str], "bytes | None"]


_LINK = "a symbolic link; put the file itself here"


class Decided(NamedTuple):
    """What a repository decided, and the bytes it stands in, to tell whether they changed."""

    policy: Policy
    waivers: tuple[Waiver, ...]
    files: tuple[bytes | None, bytes | None, bytes | None]


def decide(read: Reader, *, own_counts: bool = False) -> Decided:
    """Read the policy and the waivers; of two policies none, unless the caller says that the own file counts.

    Raises:
        ConfigError: one of the files cannot be used.
    """
    own, shared, waived = read(POLICY_FILE), read(SHARED_FILE), read(WAIVER_FILE)
    return Decided(
        read_policy(own, shared, __version__, own_counts=own_counts), read_waivers(waived), (own, shared, waived)
    )


def widened(git: Git, policy: Policy, points: Iterable[Point | None]) -> Policy:
    """Return a policy that names, beside its own paths, those that some commits name: a registry may have moved.

    Both sides of a comparison are read below all of them, or a folder that is renamed would hide what it held. A
    commit whose policy cannot be used names none, so that it can be repaired.
    """
    oids = dict.fromkeys(oid for point in filter(None, points) for oid in (point.oid, *point.also) if oid is not None)
    more = (path for oid in oids for path in paths_at(git, oid))
    return policy._replace(paths=tuple(dict.fromkeys((*policy.paths, *more))))


def paths_at(git: Git, commit: str) -> tuple[str, ...]:
    """Return the paths that the policy of a commit names; none where it cannot be used."""
    files = _files(git, Point(commit, commit))
    return () if files is None else named_paths(*files)


def is_policy_of(git: Git, point: Point, decided: Decided) -> bool:
    """Tell whether a commit has the policy that was decided."""
    files = _files(git, point)
    if files is None or files == decided.files[:2]:
        return files is not None
    try:
        return read_policy(*files, __version__) == decided.policy
    except ConfigError:
        return False


def _files(git: Git, point: Point) -> tuple[bytes | None, bytes | None] | None:
    """Read the two files that may hold the policy of a commit; ``None`` when one cannot be read."""
    read = from_commit(git, point)
    try:
        return read(POLICY_FILE), read(SHARED_FILE)
    except GitError:
        return None


def encode_paths(policy: Policy) -> list[bytes]:
    """Return the paths of a policy as git names them."""
    return [os.fsencode(path) for path in policy.paths]


def shown(paths: Iterable[str]) -> str:
    """Return paths of a policy as people write them."""
    return " ".join(path or "." for path in paths)


def nothing_below(policy: Policy, where: str) -> str:
    """Say that nothing is where a policy looks for contracts, neither here nor there: its paths may be mistyped."""
    return f"nothing lies below {shown(policy.paths)}, neither in {where}; paths of the policy file names the folders"


def from_index(git: Git) -> Reader:
    """Read files as they are staged."""
    return lambda name: _content(git, f":{name}", lambda path: list_index(git, [path]))


def from_commit(git: Git, point: Point) -> Reader:
    """Read files as a commit has them; the empty tree has none."""
    oid = point.oid
    return lambda name: (
        None if oid is None else _content(git, f"{oid}:{name}", lambda path: list_tree(git, oid, [path]))
    )


def from_disk(top: str) -> Reader:
    """Read files as they are on the disk."""

    def read(name: str) -> bytes | None:
        path = os.path.join(top, name)
        if os.path.islink(path):
            raise GitError(f"{name}: {_LINK}")
        if os.path.isdir(path):
            return None  # as git has none of that name either
        try:
            if os.path.exists(path) and not os.path.isfile(path):
                raise GitError(f"{name}: no regular file")
            with open(path, "rb") as stream:
                return stream.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise GitError(f"{name}: {error.strerror or error}") from None

    return read


def _content(git: Git, name: str, records: Callable[[bytes], list[bytes]]) -> bytes | None:
    """Read a file. A text without a line end may be the target of a symbolic link, which only its record tells."""
    answer = git.read(name)
    if answer is None or answer.kind != "blob":
        return None
    path = name.partition(":")[2]
    if answer.data and b"\n" not in answer.data and records(path.encode())[0].startswith(SYMLINK.encode()):
        raise GitError(f"{path}: {_LINK}")
    return answer.data
