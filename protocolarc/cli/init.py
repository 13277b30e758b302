"""``init``: the files that a registry begins with."""

from __future__ import annotations

from protocolarc.cli.exit_codes import INPUT, OK
from protocolarc.cli.options import help_end

HELP_END = help_end(
    "protocolarc init", {OK: "success, also when nothing was left to write", INPUT: "usage, not a repository"}
)

_POLICY = """\
# What the checks of the contract registry go by. Every key is optional; these are the defaults.
paths = ["registry"]
# published = "main"       # the branch that others take contracts from; unset: the remote's default branch
# tag-pattern = "v*"       # which tags are releases
# zero = "shift"           # bumps before 1.0.0: shift (one step less), strict, free
# immutable = false        # true: files of old revisions stay
# open-content = false     # true: adding an optional field counts as breaking
# retired = []             # names of contracts that may be removed
"""
_HOOK = """\
  - repo: local
    hooks:
      - id: protocolarc-check
        name: protocolarc check
        entry: protocolarc-check
        language: system
        pass_filenames: false
        always_run: true
        require_serial: true
        stages: [pre-commit, pre-merge-commit, pre-push, manual]
"""
_HOOKS = f"""\
minimum_pre_commit_version: '3.2.0'
default_install_hook_types: [pre-commit, pre-merge-commit, pre-push]
repos:
{_HOOK}"""
_CONFIGURATION = ".pre-commit-config.yaml"
_MOST = 1 << 20
_CONTRACT = """\
{
  "name": "example.tool_call",
  "revision": "0.1.0",
  "kind": "mcp",
  "title": "A first contract",
  "doc": "A call of one tool. Rename it, and describe a message of your own.",
  "side": "request",
  "fields": [
    {"name": "jsonrpc", "type": "string", "enum": ["2.0"]},
    {"name": "id", "type": ["string", "integer"]},
    {"name": "method", "type": "string", "enum": ["tools/call"]},
    {"name": "params.name", "type": "string"},
    {"name": "params.arguments", "type": "object", "required": false}
  ]
}
"""


def init() -> int:
    """Write a policy file, a hook entry for pre-commit, and a first contract, where there is none.

    Nothing that exists is overwritten. What was written, and what was left as it is, is said.
    """
    import os

    from protocolarc.cli.output import Output
    from protocolarc.cli.repository import opened
    from protocolarc.config.policy import holds_policy
    from protocolarc.registry.disk import of_disk
    from protocolarc.values.literal import escape_label

    with opened(gitpython=True) as room:
        top = room.place(".")
        has_contract = bool(of_disk(room.git, "the work tree", room.paths).contracts)
        folder = os.fsdecode(room.paths[0])
        contract_place = room.place(folder)
        has_policy = holds_policy(*room.decided.files[:2])
    with Output() as output:

        def write(path: str, text: str, place: str = top) -> None:
            done = _create(os.path.join(place, os.path.basename(path)), text)
            output.write(f"{'wrote' if done else 'kept '} {escape_label(path)}\n")

        if has_policy:
            output.write("kept  the policy that is there\n")
        else:
            write("protocolarc.toml", _POLICY)
        hooks = os.path.join(top, _CONFIGURATION)
        if _has_hook(hooks):
            output.write(f"kept  {_CONFIGURATION}, which has the hook\n")
        elif os.path.lexists(hooks):
            output.write(f"kept  {_CONFIGURATION}; this belongs under its repos:\n{_HOOK}")
        else:
            write(_CONFIGURATION, _HOOKS)
        if has_contract:
            output.write(f"kept  the contracts in {escape_label(folder)}\n")
        else:
            write(f"{folder}/example.tool_call.json" if folder else "example.tool_call.json", _CONTRACT, contract_place)
        output.write("next: git add the files, then pre-commit install, or prek install\n")
    return OK


def _has_hook(path: str) -> bool:
    """Tell whether a configuration names the hook, in whatever way it comes by it."""
    try:
        with open(path, "rb") as stream:
            return b"protocolarc-check" in stream.read(_MOST)
    except OSError:
        return False


def _create(path: str, text: str) -> bool:
    """Create a file with its folders; never touch one that is there."""
    import os

    from protocolarc.cli.output import fail

    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x", encoding="ascii", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        return False
    except OSError as error:
        raise fail(f"cannot write {path}: {error.strerror or error}") from None
    return True
