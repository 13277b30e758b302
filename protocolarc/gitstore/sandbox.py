"""A repository of its own in a folder of its own: nothing of the person's configuration, identity or clock is in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from protocolarc.gitstore.environment import clean_environment, find_git
from protocolarc.gitstore.gitpython import by_gitpython
from protocolarc.gitstore.plumbing import Git

_WHO = {
    "GIT_AUTHOR_NAME": "demo",
    "GIT_AUTHOR_EMAIL": "demo@example.com",
    "GIT_COMMITTER_NAME": "demo",
    "GIT_COMMITTER_EMAIL": "demo@example.com",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_DEFAULT_HASH": "sha1",
    "GIT_TEMPLATE_DIR": "",
}


class Sandbox:
    """A new repository. Its environment is fit for processes that shall see this repository and no other."""

    def __init__(self, folder: str, environ: Mapping[str, str]) -> None:
        self.folder = folder
        self.executable = find_git(environ)
        kept = clean_environment(environ, inherit=False)
        kept.pop("GIT_GRAFT_FILE", None)  # git commit warns of it, and a new repository has no grafts
        self.environment = {**kept, **_WHO}
        self._git: Git

    @property
    def is_possible(self) -> bool:
        """True when there is a git to make it with."""
        return self.executable is not None

    @contextmanager
    def opened(self, hook: str) -> Iterator[None]:
        """Make the repository, with a script as its hook before a commit, and keep it open."""
        with Git(self.executable or "git", self.folder, self.environment) as self._git:
            self._git.run("init", "-q", "-b", "main")
            hooks = os.path.join(self.folder, ".git", "hooks")
            os.makedirs(hooks, exist_ok=True)
            path = os.path.join(hooks, "pre-commit")
            with open(path, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(hook)
            os.chmod(path, 0o700)
            with by_gitpython(self._git):
                yield

    def git(self, *words: str, day: int) -> tuple[int, str]:
        """Run git on a day of January 2026, while the repository is open; return its exit code and what it said."""
        date = f"2026-01-{day:02}T12:00:00+00:00"
        self._git.environment = {**self.environment, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        code, out, reasons = self._git.ask(*words)
        return code, (out + reasons).decode("utf-8", "backslashreplace")
