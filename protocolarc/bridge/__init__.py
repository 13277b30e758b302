"""An agent on live A2A traffic, held to contracts: the optional bridge.

The names below are its interface. Each is loaded when it is first used, and an SDK not before a function that
needs it is called.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # what type checkers take for true
if TYPE_CHECKING:
    from protocolarc.bridge.api import a2a_agent_executor, a2a_bridge, google_adk_remote_agent, reconcile
    from protocolarc.bridge.cancellation import CancellationToken
    from protocolarc.bridge.definition import AgentDefinition
    from protocolarc.bridge.errors import AgentCardError, ContractLookupError, MissingExtraError
    from protocolarc.bridge.identity import Principal, RunScope, current_principal, current_run
    from protocolarc.bridge.runner import AgentRunner, RunResult, RunState

_HOMES = {
    "protocolarc.bridge.api": ("a2a_agent_executor", "a2a_bridge", "google_adk_remote_agent", "reconcile"),
    "protocolarc.bridge.cancellation": ("CancellationToken",),
    "protocolarc.bridge.definition": ("AgentDefinition",),
    "protocolarc.bridge.errors": ("AgentCardError", "ContractLookupError", "MissingExtraError"),
    "protocolarc.bridge.identity": ("Principal", "RunScope", "current_principal", "current_run"),
    "protocolarc.bridge.runner": ("AgentRunner", "RunResult", "RunState"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AgentCardError",
    "AgentDefinition",
    "AgentRunner",
    "CancellationToken",
    "ContractLookupError",
    "MissingExtraError",
    "Principal",
    "RunResult",
    "RunScope",
    "RunState",
    "a2a_agent_executor",
    "a2a_bridge",
    "current_principal",
    "current_run",
    "google_adk_remote_agent",
    "reconcile",
]


def __getattr__(name: str) -> object:
    """Load a public name on first use (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'protocolarc.bridge' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
