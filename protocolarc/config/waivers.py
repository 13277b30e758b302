"""Reads ``waivers.toml``: changes that were allowed by name, each with a reason, an owner and a date."""

from __future__ import annotations

from protocolarc.config.policy import ConfigError, parse_toml
from protocolarc.values.policy import Waiver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date
    from typing import Any

WAIVER_FILE = "waivers.toml"
TABLE = "waiver"
KEYS = ("contract", "kind", "field", "from", "to", "reason", "owner", "expires")
"""The keys of one waiver, in the order in which ``waive`` writes them; all are required."""


def read_waivers(data: bytes | None) -> tuple[Waiver, ...]:
    """Return the waivers of a file, or none of no file.

    Raises:
        ConfigError: it is no TOML, a key is missing or unknown, or a date is none.
    """
    if data is None:
        return ()
    table = parse_toml(data, WAIVER_FILE)
    unknown = table.keys() - {TABLE}
    if unknown:
        raise ConfigError(f"{WAIVER_FILE}: unknown key {min(unknown)!r}")
    entries = table.get(TABLE, [])
    if not isinstance(entries, list):
        raise ConfigError(f"{WAIVER_FILE}: expects [[{TABLE}]] tables")
    return tuple(_read(entry, f"{WAIVER_FILE} {TABLE} {number}") for number, entry in enumerate(entries, 1))


def is_expired(waiver: Waiver, now: date) -> bool:
    """Tell whether a waiver's date is over; on the day itself it still counts."""
    return waiver.expires < now.isoformat()


def _read(entry: Any, where: str) -> Waiver:  # noqa: ANN401  # whatever TOML gives
    if not isinstance(entry, dict):
        raise ConfigError(f"{where}: not a table")
    from datetime import date  # noqa: PLC0415  # only where there are waivers

    for key in KEYS:
        if key not in entry:
            raise ConfigError(f"{where}: the key {key!r} is missing")
    for key, value in entry.items():
        if key not in KEYS:
            raise ConfigError(f"{where}: unknown key {key!r}")
        if key == "expires" and type(value) is date:
            continue
        if not isinstance(value, str) or not value.strip():
            raise ConfigError(f"{where}: {key}: expects {'a date' if key == 'expires' else 'a string'}")
    expires = str(entry["expires"])
    try:
        expires = date.fromisoformat(expires).isoformat()
    except ValueError:
        raise ConfigError(f"{where}: expires: {expires!r} is no date such as 2026-12-31") from None
    return Waiver(*(str(entry[key]) for key in KEYS))._replace(expires=expires)
