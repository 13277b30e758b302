"""Reads the policy file: ``protocolarc.toml``, or ``[tool.protocolarc]`` in ``pyproject.toml``. Strict."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from protocolarc.values.policy import ZERO_MODES, Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from protocolarc.values.change import Impact

POLICY_FILE, SHARED_FILE = "protocolarc.toml", "pyproject.toml"
_TABLE = f"{SHARED_FILE} [tool.protocolarc]"

_SECTION = rb"^\[tool\.protocolarc\][^\n]*\n(?:[^\[\n].*\n|\n)*(?:[^\[\n].*)?"
_KEY = rb"tool[\"' \t]*\.[\"' \t]*protocolarc|protocolarc[\"']?[ \t]*[.=\]]"
"""What a key of that name looks like, and a dependency seldom does: most shared files need no parser."""


class ConfigError(ValueError):
    """A policy or waiver file that cannot be used; the text says where and why."""


class _RefusedError(ValueError):
    """A value that its key does not take."""


def read_policy(own: bytes | None, shared: bytes | None, version: str, *, own_counts: bool = False) -> Policy:
    """Return the policy of the own file, or that of the table in the shared file, else defaults.

    Where both are there nobody can tell which one is meant, unless the caller says that the own file counts.

    Raises:
        ConfigError: a file is no TOML, a key is unknown or has a wrong value, this version is not allowed, or both
            files hold a policy.
    """
    if own is not None:
        if not own_counts and is_told_twice(own, shared):
            raise ConfigError(f"{POLICY_FILE} and {_TABLE} are both here; keep one of them and remove the other")
        return _read(parse_toml(own, POLICY_FILE), POLICY_FILE, version)
    table = None if shared is None else _table(shared)
    return Policy() if table is None else _read(table, _TABLE, version)


def is_told_twice(own: bytes | None, shared: bytes | None) -> bool:
    """Tell whether both files hold a policy. A shared file that is no TOML holds none: others answer for it."""
    try:
        return own is not None and shared is not None and _table(shared) is not None
    except ConfigError:
        return False


def holds_policy(own: bytes | None, shared: bytes | None) -> bool:
    """Tell whether one of two files that can be used holds a policy."""
    return own is not None or (shared is not None and _table(shared) is not None)


def named_paths(own: bytes | None, shared: bytes | None) -> tuple[str, ...]:
    """Return the paths that some policy named, whatever else it says; none when that cannot be told.

    Where both files hold one, the own file counts.
    """
    try:
        table = parse_toml(own, POLICY_FILE) if own is not None else shared and (_section(shared) or _table(shared))
        if not table:
            return Policy().paths
        return _paths(table["paths"]) if "paths" in table else Policy().paths
    except (ConfigError, _RefusedError, TypeError):
        return ()


def _section(shared: bytes) -> Any | None:  # noqa: ANN401  # as below
    """Return the table where it has a section of its own, as most have, so that a long file needs no parser.

    ``None`` where only the parser can tell: a line that begins a section may stand in a text of several lines.
    """
    sections = re.findall(_SECTION, shared, re.MULTILINE)
    if len(sections) != 1 or b'"""' in shared or b"'''" in shared:
        return None
    try:
        return parse_toml(sections[0], SHARED_FILE)["tool"]["protocolarc"]
    except ConfigError:
        return None


def _table(shared: bytes) -> Any | None:  # noqa: ANN401  # whatever TOML gives
    """Return what the shared file holds under ``tool.protocolarc``, or ``None``."""
    tool = parse_toml(shared, SHARED_FILE).get("tool") if re.search(_KEY, shared) else None
    return tool.get("protocolarc") if isinstance(tool, dict) else None


def parse_toml(data: bytes, where: str) -> dict[str, Any]:
    """Parse a TOML file.

    Raises:
        ConfigError: it is none.
    """
    import tomllib  # noqa: PLC0415  # where there is no policy file, hooks do without

    try:
        return tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{where}: {error}") from None


def _read(table: Any, where: str, version: str) -> Policy:  # noqa: ANN401  # whatever TOML gives
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: not a table")
    read: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KEYS:
            raise ConfigError(f"{where}: unknown key {key!r}{_near(key)}")
        name, check = _KEYS[key]
        try:
            read[name] = check(value)
        except _RefusedError as error:
            raise ConfigError(f"{where}: {key}: {error}") from None
    policy = Policy(**read)
    if policy.required_version is not None and not _allows(policy.required_version, version, where):
        raise ConfigError(f"{where}: required-version is {policy.required_version}, this is protocolarc {version}")
    return policy


def _near(key: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # only a bad file pays for it

    near = get_close_matches(key[:50], list(_KEYS), n=1)
    return f", did you mean {near[0]!r}?" if near else ""


def _allows(specifier: str, version: str, where: str) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # noqa: PLC0415  # only where the key is there

    try:
        return SpecifierSet(specifier).contains(version, prereleases=True)
    except InvalidSpecifier:
        raise ConfigError(f"{where}: required-version: {specifier!r} is no specifier such as '>=0.2,<1'") from None


def _text(value: Any) -> str:  # noqa: ANN401  # a checker takes whatever TOML gives
    if not isinstance(value, str) or not value:
        raise _RefusedError("expects a string")
    return value


def _flag(value: Any) -> bool:  # noqa: ANN401  # the same
    if not isinstance(value, bool):
        raise _RefusedError("expects true or false")
    return value


def _texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401  # the same
    if not isinstance(value, list):
        raise _RefusedError("expects an array of strings")
    return tuple(_text(item) for item in value)


def _paths(value: Any) -> tuple[str, ...]:  # noqa: ANN401  # the same
    paths = _texts(value)
    if not paths:
        raise _RefusedError("names no path")
    cleaned = []
    for path in paths:
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
            raise _RefusedError(f"{path!r} is no path from the top of the repository, with / between its parts")
        cleaned.append("/".join(parts))
    return tuple(cleaned)


def _name_of_ref(value: Any) -> str:  # noqa: ANN401  # the same
    name = _text(value)
    if name.startswith("-") or any(character <= " " or character == "\x7f" for character in name):
        raise _RefusedError(f"'{name}' is no name of a branch")
    return name


def _tag_pattern(value: Any) -> str:  # noqa: ANN401  # the same
    pattern = _text(value)
    if pattern.count("*") != 1:
        raise _RefusedError("expects one * where the version stands, as in 'v*'")
    return pattern


def _zero(value: Any) -> str:  # noqa: ANN401  # the same
    if value not in ZERO_MODES:
        raise _RefusedError(f"expects one of {', '.join(ZERO_MODES)}")
    return str(value)


def _fixtures(value: Any) -> Mapping[str, tuple[str, ...]]:  # noqa: ANN401  # the same
    if not isinstance(value, dict):
        raise _RefusedError("expects a table of contract names with arrays of files")
    return {name: _paths(files) for name, files in value.items()}


def _severity(value: Any) -> Mapping[str, Impact]:  # noqa: ANN401  # the same
    if not isinstance(value, dict):
        raise _RefusedError("expects a table of change kinds with classes")
    from protocolarc.rules.catalogue import catalogue  # noqa: PLC0415  # only where the table is there
    from protocolarc.values.change import Impact  # noqa: PLC0415  # the same

    classes = {impact.label: impact for impact in Impact}
    kinds = {item.entry.id for item in catalogue() if item.family == "change"}
    for kind, word in value.items():
        if kind not in kinds:
            raise _RefusedError(f"there is no change kind {kind!r}")
        if not isinstance(word, str) or word not in classes:
            raise _RefusedError(f"{kind}: expects one of {', '.join(classes)}")
    return {kind: classes[word] for kind, word in value.items()}


_KEYS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "paths": ("paths", _paths),
    "published": ("published", _name_of_ref),
    "tag-pattern": ("tag_pattern", _tag_pattern),
    "zero": ("zero", _zero),
    "immutable": ("immutable", _flag),
    "open-content": ("open_content", _flag),
    "transitive": ("transitive", _flag),
    "retired": ("retired", _texts),
    "fixtures": ("fixtures", _fixtures),
    "required-version": ("required_version", _text),
    "severity": ("severity", _severity),
}
"""Each key of the file, the attribute it sets, and what checks its value."""
