"""The registry's codes: what ``check`` and ``gate`` may say about a change of the contracts in a repository."""

from __future__ import annotations

from typing import NamedTuple

from protocolarc.rules.entry import Entry

_CODES = "Exit code 2 when the change is breaking, else 1."


class RegistryCode(NamedTuple):
    """One code and how much it weighs, in words."""

    level: str
    entry: Entry


CODES: tuple[RegistryCode, ...] = (
    RegistryCode(
        "error",
        Entry(
            "bump.missing",
            "the revision did not move as far as the change asks",
            "The content changed and the revision did not, or the bump is smaller than the verdict asks: major for "
            f"breaking, minor for forward, patch for compatible, one step less before 1.0.0. {_CODES}",
            "mcp.tool_call: 1.0.0 -> 1.1.0 is breaking and needs 2.0.0",
            "Run `protocolarc bump NAME`, or undo the change.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "revision.regressed",
            "the highest revision of a contract went down",
            "Others already have the higher revision. A number that was used once keeps its meaning. Exit code 1.",
            "mcp.tool_call: 1.1.0 -> 1.0.0 goes down; keep 1.1.0, or go on above it",
            "Take a step back in content with a step forward in revision.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "revision.mutated",
            "a revision that is published changed beside a newer one",
            f"Those who use the old revision would get another shape under the same number. {_CODES}",
            "mcp.tool_call: 1.0.0 changed beside 2.0.0",
            "Restore the file, and publish the change as a revision of its own: 1.0.1, or 1.1.0.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "revision.duplicate",
            "two files hold the same revision of a contract",
            "Which one counts would depend on who looks. Revisions that differ in build metadata alone are the same. "
            "Git merges this without a conflict when the files have different names. Exit code 1.",
            "mcp.tool_call: 1.1.0 is in registry/a.json and in registry/b.json; keep one, or give one another revision",
            "Give the later one a new revision, or delete it.",
        ),
    ),
    RegistryCode(
        "notice, or error with immutable",
        Entry(
            "revision.removed",
            "one of several revisions left while a higher one stays",
            "Those who still speak it find its description in the history alone. It also leaves when its own file "
            "evolves; that of the highest revision may. With `immutable = true` in the policy file it is an error: "
            "exit code 1.",
            "mcp.tool_call: 1.0.0 left, 2.0.0 stays",
            "Keep the files of old revisions while anybody uses them.",
        ),
    ),
    RegistryCode(
        "error in a gate, notice in a hook",
        Entry(
            "revision.reused",
            "a removed name or revision comes back at or below its highest ever",
            "Somebody may still hold the old shape under this number. A revision of a name that is still there may "
            "come back as it was. Exit code 1 in a gate.",
            "mcp.tool_call: 1.0.0 comes back, the history has it up to 1.2.0; go on above that",
            "Continue above the highest revision that the history holds.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "revision.lost-in-merge",
            "a parent of the merge holds a higher revision than the result, or a contract that the result lacks",
            "The merge threw away what one side had, as `git merge -s ours` does. What the other side had removed, or "
            "the policy file names under `retired`, may be missing. Exit code 1.",
            "mcp.tool_call: a parent has 1.2.0, the merge has 1.1.0; take 1.2.0, and bump it if both sides changed it",
            "Take the higher revision, and bump it if both sides changed the contract.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "chain.breaking",
            "an earlier revision of the same major is broken, although the last step is not",
            "Steps that are each harmless may break together: an optional field is removed, and then comes back with "
            "another type. In transitive mode a new revision is compared with every earlier one of its major (of its "
            "minor before 1.0.0). Exit code 2.",
            "mcp.tool_call: 1.2.0 breaks 1.0.0 and needs 2.0.0",
            "Run `protocolarc bump NAME`, or choose another name for the field.",
        ),
    ),
    RegistryCode(
        "notice",
        Entry(
            "bump.larger",
            "the bump is larger than was needed",
            "More than enough is allowed; those who follow the contract may look for a break that is not there.",
            "mcp.tool_call: 1.0.0 -> 2.0.0 is forward, 1.1.0 would do",
            "Nothing, if it is meant.",
        ),
    ),
    RegistryCode(
        "notice",
        Entry(
            "contract.moved",
            "the file of a contract has another path",
            "A contract is known by its name, so nothing changed for those who use it.",
            "mcp.tool_call: registry/a.json is now registry/b.json",
            "Nothing.",
        ),
    ),
    RegistryCode(
        "notice",
        Entry(
            "policy.changed",
            "the policy file or the waivers are changed by what is judged",
            "A gate reads both from the base, so that a change cannot allow itself. The new text counts from the next "
            "change on.",
            "protocolarc.toml differs; the base's is used",
            "Review it like code: it decides what later changes may do.",
        ),
    ),
    RegistryCode(
        "error in a gate",
        Entry(
            "waiver.expired",
            "a waiver is past its date",
            "An exception was granted for a time, and the time is over. Exit code 1.",
            "mcp.tool_call: the waiver of field.type.changed expired on 2026-01-31",
            "Remove the waiver, or renew it with a reason.",
        ),
    ),
    RegistryCode(
        "error in a gate",
        Entry(
            "waiver.unused",
            "a waiver matches nothing",
            "A waiver that no change needs would sooner or later allow one that nobody looked at. One whose change is "
            "still to come is a notice. Exit code 1.",
            "mcp.tool_call: the waiver of field.type.changed matches nothing",
            "Remove it.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "contract.symlink",
            "a symbolic link where a contract is expected",
            "Git stores the name that a link points to, not what is there; two machines may see different contracts. "
            "Exit code 3.",
            "[ERROR] registry/m.json contract.symlink: a symbolic link; put the file itself here",
            "Put the file itself there.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "contract.submodule",
            "a submodule below the registry's paths",
            "Its contracts are in another repository, with a history of its own. Exit code 3.",
            "[ERROR] registry/other contract.submodule: a submodule; run the check inside it",
            "Run the check in that repository, and leave it out of `paths`.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "contract.lfs",
            "a pointer of Git LFS where a contract is expected",
            "The content is not in git, so no revision of it can be compared. Exit code 3.",
            "[ERROR] registry/m.json contract.lfs: a pointer of Git LFS; keep contracts in git itself",
            "Take the registry out of `.gitattributes`, and add the file again.",
        ),
    ),
    RegistryCode(
        "error",
        Entry(
            "contract.unmerged",
            "a contract that is in conflict",
            "The index holds several versions of the file. Exit code 3.",
            "[ERROR] registry/m.json contract.unmerged: in conflict; resolve it and stage the result",
            "Resolve the conflict, stage the file, and bump it if both sides changed the contract.",
        ),
    ),
    RegistryCode(
        "error in a gate with --parity",
        Entry(
            "parity.differs",
            "the two validators differ on a fixture",
            "The Python engine and the .NET runtime have to give the same report and the same exit code for the same "
            "bytes, of envelopes that fail as well. Exit code 1.",
            "mcp.tool_call@1.0.0: calls.jsonl: at calls.jsonl:2, finding 1: field is a in python, b in dotnet",
            "Run `protocolarc parity` on the contract and the file, and report what it shows.",
        ),
    ),
    RegistryCode(
        "error in a gate with --parity",
        Entry(
            "fixture.unreadable",
            "a fixture of the policy cannot be read",
            "It is not in the head, is no file of its own, or is too large. What the base's policy names counts as "
            "well, so a fixture leaves in two steps: first the policy, then the file. Exit code 3.",
            "[ERROR] traffic/calls.jsonl fixture.unreadable: a folder; name the files in it",
            "Put the file there, or take it out of `fixtures`.",
        ),
    ),
    RegistryCode(
        "error in a gate with --parity",
        Entry(
            "fixture.contract",
            "the contract that a fixture is named for is not there",
            "Nothing in the head has the name that `fixtures` gives. Exit code 3.",
            "[ERROR] traffic/calls.jsonl fixture.contract: HEAD has no contract mcp.tool_cal",
            "Correct the name in the policy file.",
        ),
    ),
)
