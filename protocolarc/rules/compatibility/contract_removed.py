"""The name of a contract left the registry: a change of kind of its own, which no pair of documents shows."""

from __future__ import annotations

from collections.abc import Iterator

from protocolarc.rules.compatibility.kinds import ChangeKind, ContractRule, Line
from protocolarc.rules.entry import Entry
from protocolarc.values.contract import Contract

REMOVED = ChangeKind(
    Entry(
        id="contract.removed",
        summary="a contract left the registry",
        explanation="Whoever speaks it has lost its description. `check` and `gate` report it, with exit code 2 unless "
        "`retired` in the policy file names the contract; `diff` compares two revisions and never does.",
        example="mcp.tool_call: removed",
        remedy="Restore the file, or name the contract under `retired` in the policy file first.",
    ),
    policy=True,
)


def compare(_old: Contract, _new: Contract) -> Iterator[Line]:
    """Report nothing: two revisions that are both there never show it."""
    yield from ()


RULE = ContractRule((REMOVED,), compare)
