"""``check --worktree``: what is on the disk against ``HEAD`` and whatever else is merged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha1, sha256

from protocolarc.engine.policy import Terms
from protocolarc.gitstore.entries import path_of, read_entry
from protocolarc.gitstore.plumbing import Git
from protocolarc.registry import refs, sources
from protocolarc.registry.changes import Head, Rules, Sides, compare
from protocolarc.registry.check import conclude, published_point, valid
from protocolarc.registry.disk import list_disk, read_bytes, read_listed, read_paths
from protocolarc.registry.labels import Label, doubtful, label_of
from protocolarc.registry.request import Request
from protocolarc.registry.sides import fork_of
from protocolarc.registry.sources import encode_paths
from protocolarc.values.judgement import CheckResult
from protocolarc.values.snapshot import Snapshot

_LABEL = "the work tree"


def check_worktree(git: Git, request: Request) -> CheckResult:
    """Judge what is on the disk.

    Raises:
        GitError: git cannot answer. ConfigError: the policy file or the waivers cannot be used.
    """
    base = refs.head_point(git)
    decided = sources.decide(sources.from_disk(git.top or "."))
    merged = refs.merging(git, list(git.environment))
    anchor, notes = published_point(git, base, merged, decided.policy)
    parents = [base, *merged]
    sides = Sides(base, anchor, parents, fork_of(git, parents))
    policy = sources.widened(git, decided.policy, [anchor, sides.fork, *parents])
    whole = not sources.is_policy_of(git, base, decided)
    rules = Rules(decided.policy, Terms(policy, valid(decided.waivers, request.now)), whole)
    found = compare(git, head_of_disk(git, encode_paths(policy)), sides, rules)
    return conclude(git, found, base, request, notes)


def head_of_disk(git: Git, paths: Sequence[bytes]) -> Head:
    """Return the disk as a head: a file whose bytes are the blob that the index has stands for it. Two processes.

    Raises:
        GitError: git cannot list the files, or not give what it keeps off the disk.
    """
    listed = list_disk(git, paths)
    labels: dict[str, Label | None] = {}
    same: list[bytes] = []
    others: list[bytes] = []
    for record in listed.tracked:
        entry = read_entry(record)
        data = read_bytes(git, entry.path)
        if data is not None and _object_id(data, len(entry.oid)) == entry.oid:
            same.append(record)
            if entry.oid not in labels:
                labels[entry.oid] = label_of(data)
        else:
            others.append(record)

    def read(records: Iterable[bytes]) -> Snapshot:
        return read_paths(git, _LABEL, map(path_of, records))

    def find(names: Collection[str], records: Collection[bytes]) -> set[bytes]:
        return doubtful({entry.path: labels[entry.oid] for entry in map(read_entry, records)}, names)

    return Head(same, read, find, read_listed(git, _LABEL, listed, others, paths))


def _object_id(data: bytes, digits: int) -> str:
    """Return the id that git gives a blob, in a repository whose ids have so many digits."""
    algorithm = sha1 if digits == 40 else sha256  # noqa: PLR2004  # the hexadecimal digits of SHA-1
    return algorithm(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
