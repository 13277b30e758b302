"""ProtocolArc: explicit, versioned contracts for the messages that agents and tools exchange.

The names below are the public interface; each is loaded when it is first used, so that importing
the package costs next to nothing. Everything else may change between releases.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; ``typing`` would be half the cost of this import
if TYPE_CHECKING:
    from protocolarc.engine.diff import NamesDifferError, diff_contracts
    from protocolarc.engine.places import TooManyPlacesError
    from protocolarc.engine.validate import Validator
    from protocolarc.loader.contract import ContractError, load_contract
    from protocolarc.loader.envelopes import read_envelope
    from protocolarc.values.change import Change, Diff, Impact
    from protocolarc.values.contract import Contract, FieldSpec
    from protocolarc.values.envelope import Document, Envelope, Fault, Problem
    from protocolarc.values.finding import Finding, Result, Severity
    from protocolarc.values.number import Number
    from protocolarc.values.revision import Bump, Revision

__version__ = "0.1.0"

_HOMES = {
    "protocolarc.engine.diff": ("NamesDifferError", "diff_contracts"),
    "protocolarc.engine.places": ("TooManyPlacesError",),
    "protocolarc.engine.validate": ("Validator",),
    "protocolarc.loader.contract": ("ContractError", "load_contract"),
    "protocolarc.loader.envelopes": ("read_envelope",),
    "protocolarc.values.change": ("Change", "Diff", "Impact"),
    "protocolarc.values.contract": ("Contract", "FieldSpec"),
    "protocolarc.values.envelope": ("Document", "Envelope", "Fault", "Problem"),
    "protocolarc.values.finding": ("Finding", "Result", "Severity"),
    "protocolarc.values.number": ("Number",),
    "protocolarc.values.revision": ("Bump", "Revision"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Bump",
    "Change",
    "Contract",
    "ContractError",
    "Diff",
    "Document",
    "Envelope",
    "Fault",
    "FieldSpec",
    "Finding",
    "Impact",
    "NamesDifferError",
    "Number",
    "Problem",
    "Result",
    "Revision",
    "Severity",
    "TooManyPlacesError",
    "Validator",
    "__version__",
    "diff_contracts",
    "load_contract",
    "read_envelope",
]


def __getattr__(name: str) -> object:
    """Load a public name on first use (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'protocolarc' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  # a hook does without

    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
