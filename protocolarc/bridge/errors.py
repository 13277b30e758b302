"""What the bridge refuses at construction, and the one check that an optional SDK is there."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from packaging.specifiers import SpecifierSet


class MissingExtraError(ImportError):
    """An SDK that the call needs is not installed, or in a version that the bridge does not know."""


class ContractLookupError(ValueError):
    """A contract that a definition names is not there, or is none. The text is one line for people."""


class AgentCardError(ValueError):
    """A card that promises what the bridge does not do."""


class _Extra(NamedTuple):
    package: str
    versions: SpecifierSet


EXTRAS = {
    "a2a": (_Extra("a2a-sdk", SpecifierSet(">=1.3,<2")), _Extra("starlette", SpecifierSet(""))),
    "google-adk": (_Extra("google-adk", SpecifierSet(">=2.8,<3")), _Extra("a2a-sdk", SpecifierSet(">=1.3,<2"))),
}
"""The packages behind each extra, as ``pyproject.toml`` asks for them."""


def require(extra: str) -> None:
    """Check that what an extra brings is installed.

    Raises:
        MissingExtraError: a package is not there, or its version is outside the range.
    """
    install = f'pip install "protocolarc[{extra}]"'
    for package, versions in EXTRAS[extra]:
        try:
            found = version(package)
        except PackageNotFoundError:
            raise MissingExtraError(f"{package} is not installed; {install}") from None
        if not versions.contains(found, prereleases=True):
            raise MissingExtraError(f"{package} {found} is installed, the bridge needs {versions}; {install}")
