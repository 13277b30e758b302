"""The policy file and the waivers, out of the snapshot that decides about them."""

from __future__ import annotations

import os
from collections.abc import Callable

from protocolarc import __version__
from protocolarc.config.policy import POLICY_FILE, SHARED_FILE, read_policy
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


def decide(read: Reader) -> Decided:
    """Read the policy and the waivers.

    Raises:
        ConfigError: one of the files cannot be used.
    """
    own, shared, waived = read(POLICY_FILE), read(SHARED_FILE), read(WAIVER_FILE)
    return Decided(read_policy(own, shared, __version__), read_waivers(waived), (own, shared, waived))


def encode_paths(policy: Policy) -> list[bytes]:
    """Return the paths of a policy as git names them."""
    return [os.fsencode(path) for path in policy.paths]


def nothing_below(policy: Policy, where: str) -> str:
    """Say that nothing is where a policy looks for contracts, neither here nor there: its paths may be mistyped."""
    return (
        f"nothing lies below {' '.join(policy.paths)}, neither in {where}; paths of the policy file names the folders"
    )


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
