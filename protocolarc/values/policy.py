"""The registry's policy: what the policy file may say, with the defaults for what it does not."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from protocolarc.values.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # most policies say nothing about it
    from protocolarc.values.change import Impact

ZERO_MODES = ("shift", "strict", "free")
"""What 0.y.z asks for: one bump less than above 1.0.0, the same, or any higher revision."""

NO_FIXTURES: Mapping[str, tuple[str, ...]] = MappingProxyType({})
NO_SEVERITIES: Mapping[str, Impact] = MappingProxyType({})


class Policy(NamedTuple):
    """The keys of the policy file. ``transitive`` is absent where the command decides."""

    paths: tuple[str, ...] = ("registry",)
    published: str | None = None
    tag_pattern: str = "v*"
    zero: str = "shift"
    immutable: bool = False
    open_content: bool = False
    transitive: bool | None = None
    retired: tuple[str, ...] = ()
    fixtures: Mapping[str, tuple[str, ...]] = NO_FIXTURES
    required_version: str | None = None
    severity: Mapping[str, Impact] = NO_SEVERITIES


class Waiver(NamedTuple):
    """A change that was allowed by name. ``old`` and ``new`` are the revisions it speaks of, as text."""

    contract: str
    kind: str
    field: str
    old: str
    new: str
    reason: str
    owner: str
    expires: str
