"""Which commits a comparison is about: names, merge bases, the default branch, releases."""

from __future__ import annotations

import re
from collections.abc import Sequence

from protocolarc.gitstore.errors import FSCK
from protocolarc.gitstore.objects import is_name
from protocolarc.gitstore.plumbing import Git, GitError, failure, object_id
from protocolarc.values.record import NamedTuple

UNSHALLOW = "git fetch --unshallow"
_FETCHED = r"(?!.*(?:\.\.|//|@\{|\.lock$|[./]$))[^\0- \x7f~^:?*\[\\;&|<>$'\"`()!#{}]+"
"""What can be the name of a branch or tag, and needs no quotes in a shell."""
MAX_BASES = 16
"""Merge bases that a comparison looks at."""
_ONE_BASE = "a merge of the base's tip into the branch leaves one"


class Point(NamedTuple):
    """A commit and what people call it; no commit is the empty tree before the first one.

    ``also`` are the other merge bases, where two branches merged each other and have several.
    """

    oid: str | None
    name: str
    also: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name with the beginning of the id: ``HEAD (1a2b3c4)``. What shows it escapes it."""
        if self.oid is None:
            return self.name
        return self.oid[:12] if self.name == self.oid else f"{self.name} ({self.oid[:12]})"


NOTHING = Point(None, "nothing")


def head_point(git: Git) -> Point:
    """Return ``HEAD``; before the first commit, the empty tree. Two more processes to tell that.

    Raises:
        GitError: there is a commit, but it cannot be found: its object, or what the branch says, is damaged.
    """
    oid = git.commit("HEAD")
    if oid is None:
        no_branch, _, _ = git.ask("symbolic-ref", "-q", "HEAD")
        no_object, _, _ = git.ask("rev-parse", "-q", "--verify", "HEAD")
        if no_branch or not no_object:
            raise GitError("HEAD names a commit that is missing or damaged", FSCK)
    return Point(oid, "HEAD" if oid else "no commit")


def commit_of(git: Git, ref: str) -> str | None:
    """Return the id of the commit that a reference names, or ``None``; ``no_commit`` says so to people.

    Raises:
        GitError: ``HEAD`` is damaged.
    """
    return head_point(git).oid if ref == "HEAD" else git.commit(ref)


def no_commit(ref: str) -> str:
    """Say that a reference names no commit."""
    return "there are no commits yet" if ref == "HEAD" else f"'{ref}' names no commit"


def resolve(git: Git, name: str) -> Point:
    """Return the commit that a name stands for; the name of a branch may be that of the remote alone.

    Raises:
        GitError: there is none.
    """
    if not is_name(name):
        raise GitError(f"'{name}' is no name of a commit")
    for candidate in (name, f"refs/remotes/origin/{name}"):
        oid = git.commit(candidate)
        if oid is not None:
            return Point(oid, name if candidate == name else f"origin/{name}")
    found = git.read(name, limit=0)
    if found is not None:
        if found.kind == "commit":  # after ":/" git takes what would peel a tag for a part of the text
            return Point(found.oid, name)
        raise GitError(f"{name} is a {found.kind} and no commit")
    if name == "HEAD":
        head_point(git)
    raise GitError(f"{name} names no commit here", _fetching(git, name))


def _fetching(git: Git, name: str) -> str:
    """Return the command that brings a name of the remote, also where a clone has one branch alone; or nothing."""
    remote = name.removeprefix("refs/remotes/").removeprefix("origin/")
    if remote == "HEAD" or re.fullmatch("[0-9a-f]{7,}", name) or not re.fullmatch(_FETCHED, remote):
        return UNSHALLOW if git.shallow else ""
    return f"{UNSHALLOW if git.shallow else 'git fetch'} origin {remote}:refs/remotes/origin/{remote}"


def is_unknown(git: Git, name: str) -> bool:
    """Tell whether a base is not known: all zeros, or a full object id that a complete clone does not hold."""
    if object_id(name) is None:
        return False
    return not name.strip("0") or (not git.shallow and git.read(name, limit=0) is None)


def merge_bases(git: Git, one: Point, *others: Point) -> list[str]:
    """Return the best common ancestors of a commit and a merge of the others: none, one, or several. One process.

    Raises:
        GitError: git cannot tell, or there are more than a comparison looks at.
    """
    oids = [point.oid for point in (one, *others) if point.oid is not None]
    code, out, err = git.ask("merge-base", "--all", *oids)
    if code > 1:
        raise failure("merge-base", err)
    found = out.decode("ascii").split()
    if len(found) > MAX_BASES:
        raise GitError(f"{one.name} and {others[0].name} have {len(found)} merge bases", _ONE_BASE)
    return found


def several(point: Point) -> list[str]:
    """Say that there is more than one merge base, if so."""
    if point.oid is None or not point.also:
        return []
    bases = " and ".join(oid[:12] for oid in (point.oid, *point.also))
    return [f"there are {len(point.also) + 1} merge bases, {bases}: what any of them has counts; {_ONE_BASE}"]


def common_ancestor(git: Git, base: Point, head: Point) -> Point:
    """Return the merge base that a comparison starts from.

    Raises:
        GitError: there is none, or a shallow clone does not have it.
    """
    found = merge_bases(git, base, head)
    if found:
        name = base.name if found[0] == base.oid else f"merge-base of {base.name} and {head.name}"
        return Point(found[0], name, tuple(found[1:]))
    if git.shallow:
        reason = f"this clone is shallow and lacks what {base.name} and {head.name} have in common"
        raise GitError(f"nothing to compare: {reason}", UNSHALLOW)
    raise GitError(f"nothing to compare: {base.name} and {head.name} have no commit in common", "--from names a base")


def nothing_new(base: Point, head: Point) -> str:
    """Say that a head has nothing that its base has not: it is the same commit, or one in the base's history."""
    if base.oid == head.oid:
        return f"base and head are the same commit, {head.label}"
    return f"{head.label} is in the history of {base.label} and has nothing that is new"


def is_ancestor(git: Git, old: Point, new: Point) -> bool:
    """Tell whether one commit is in the history of another. One process."""
    return merge_bases(git, old, new) == [old.oid]


def default_branch(git: Git, published: str | None, *, local: bool = True) -> Point | None:
    """Return ``published``, else the head of the remote, else (with ``local``) a local ``main`` or ``master``."""
    names = [published, f"refs/remotes/origin/{published}"] if published else ["refs/remotes/origin/HEAD"]
    for name in names:
        oid = git.commit(name)
        if oid is not None:
            return Point(oid, _short(name))
    if published is None:
        names = list(git.remote_heads) if len(git.remote_heads) == 1 else []
        names += [f"refs/remotes/origin/{name}" for name in ("main", "master")]
        names += [f"refs/heads/{name}" for name in ("main", "master")] if local else []
        for name in names:
            oid = git.commit(name)
            if oid is not None:
                return Point(oid, _short(name))
    return None


def no_default_branch(git: Git) -> GitError:
    """Say that there is none, and what would bring one: CI often fetches one branch alone. One process at most."""
    hint = "--from names a base"
    if git.shallow or git.ask("config", "remote.origin.url")[0] == 0:
        fetch = UNSHALLOW if git.shallow else "git fetch"
        hint = f"{fetch} origin '+refs/heads/*:refs/remotes/origin/*', or {hint}"
    return GitError("nothing to compare: there is no default branch to compare with", hint)


def _short(name: str) -> str:
    return name.removeprefix("refs/remotes/").removeprefix("refs/heads/")


def parents(git: Git, point: Point) -> list[Point]:
    """Return the parents of a commit that this clone has, in order."""
    found = []
    number = 1
    while point.oid is not None and (oid := git.commit(f"{point.oid}^{number}")) is not None:
        found.append(Point(oid, f"{point.name}^{number}"))
        number += 1
    return found


def release_base(git: Git, head: Point, pattern: str) -> Point:
    """Return the highest stable release in the history of the head and not at it. Two processes.

    Raises:
        GitError: a higher one is outside that history, or a shallow clone has none.
    """
    reachable = _tags(git, pattern, "--merged", str(head.oid))
    everything = _tags(git, pattern)
    inside = {name for _, name in reachable}
    older = [(key, Point(git.commit(f"refs/tags/{name}"), name)) for key, name in sorted(reachable)]
    before = [(key, point) for key, point in older if point.oid != head.oid]
    top = before[-1][0] if before else None
    for key, name in sorted(everything, reverse=True):
        if name not in inside and (top is None or key > top):
            if git.shallow:
                reason = f"this clone is shallow and does not know whether {name} is in the history of {head.name}"
                raise GitError(f"nothing to compare: {reason}", f"{UNSHALLOW} --tags")
            reason = f"{name} is a higher release and not in the history of {head.name}"
            raise GitError(reason, "--from names the base of a back-port; git fetch --tags --force renews tags")
    if before:
        return before[-1][1]
    if git.shallow:
        raise GitError("nothing to compare: this clone is shallow and has no release", f"{UNSHALLOW} --tags")
    return NOTHING


def _tags(git: Git, pattern: str, *words: str) -> list[tuple[tuple[int, int, int], str]]:
    """Return the matching stable tags with the order of their versions."""
    from protocolarc.values.revision import parse_revision  # noqa: PLC0415  # only releases have any

    before, _, after = pattern.partition("*")
    command = ("for-each-ref", "--format=%(refname:strip=2)", *words, "refs/tags")
    code, listed, err = git.ask(*command)
    if code or b"ignoring broken ref" in err:  # which may be the release that is looked for
        raise failure(command[0], err)
    found = []
    for name in listed.decode("utf-8", "surrogateescape").split("\n"):
        if not (name.startswith(before) and name.endswith(after)):
            continue
        try:
            revision = parse_revision(name[len(before) : len(name) - len(after)])
        except ValueError:
            continue
        if revision.prerelease:
            continue
        if git.commit(f"refs/tags/{name}") is not None:
            found.append((revision.core, name))
        elif git.read(f"refs/tags/{name}", limit=0) is None:  # of no commit would be another matter
            raise GitError(f"what refs/tags/{name} names is missing or damaged", FSCK)
    return found


def merging(git: Git, environ: Sequence[str]) -> list[Point]:
    """Return what the commit that is being made merges: ``MERGE_HEAD``, or what a clean merge tells its hook.

    Raises:
        GitError: the file of git's that says it is damaged, or a commit that it names.
    """
    try:
        with open(f"{git.git_directory}MERGE_HEAD", encoding="ascii", errors="replace") as stream:
            names = stream.read().split()
    except FileNotFoundError:
        told = (name.removeprefix("GITHEAD_") for name in sorted(environ) if name.startswith("GITHEAD_"))
        names = [name for name in told if object_id(name)]
    except OSError as error:
        raise GitError(f"MERGE_HEAD cannot be read: {error.strerror or error}") from None
    found = []
    for name in names:
        oid = git.commit(name) if object_id(name) else None
        if oid is None:
            raise GitError("MERGE_HEAD names a commit that is missing or damaged", FSCK)
        found.append(Point(oid, "MERGE_HEAD"))
    return found
