"""What a git process is started with: the executable, its environment and the options that tame its configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping

OPTIONS = (
    "--no-pager",
    # Programs that a repository's configuration would have git run for a mere reading command.
    "-c", "core.fsmonitor=false",
    "-c", "log.showSignature=false",
    # Settings that change what the commands below answer.
    "-c", "log.showRoot=true",
    "-c", "color.ui=false",
    "-c", "diff.relative=false",
)  # fmt: skip

_LOCAL = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
"""``git rev-parse --local-env-vars``: they speak of the repository that a hook runs in, and of no other."""

_UNWANTED = frozenset(
    {
        "GIT_EXTERNAL_DIFF",
        "GIT_GLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_LITERAL_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "LANGUAGE",
    }
)

_FIXED = {
    "LC_ALL": "C",  # messages are told apart by their words
    "GIT_NO_REPLACE_OBJECTS": "1",  # a verdict is about what was pushed, and replacements are local
    "GIT_GRAFT_FILE": os.devnull,  # the same for grafts
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # for versions that do not know the variable above: nothing is ever fetched
}


def clean_environment(environ: Mapping[str, str], *, inherit: bool) -> dict[str, str]:
    """Return the environment of a git process.

    ``inherit`` keeps what says which repository and index git chose, as a hook must.
    """
    dropped = _UNWANTED if inherit else _UNWANTED | _LOCAL
    kept = {name: value for name, value in environ.items() if name not in dropped and not _traces(name, value)}
    kept.pop("", None)  # a process may be given a variable without a name, but cannot pass it on
    if not inherit:
        numbered = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
        kept = {name: value for name, value in kept.items() if not name.startswith(numbered)}
    return {**kept, **_FIXED}


def _traces(name: str, value: str) -> bool:
    """Tell whether a variable makes git write a trace on standard error, where its reasons are read."""
    return name.startswith("GIT_TRACE") and not os.path.isabs(value)


def find_git(environ: Mapping[str, str]) -> str | None:
    """Return the absolute path of the executable; never one of the current directory, as an empty entry means."""
    names = ("git.exe", "git.cmd") if os.name == "nt" else ("git",)
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        if not os.path.isabs(folder):
            continue
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return None
