"""SemVer 2.0.0: what is a revision, how revisions order, and how far one moves."""

from __future__ import annotations

import pytest

from protocolarc.engine.bump import bump_made, bump_needed, smallest_revision
from protocolarc.values.change import Impact
from protocolarc.values.revision import Bump, parse_revision

ASCENDING = [
    # the example of SemVer 2.0.0, section 11, and what large numbers and long identifiers add to it
    "0.0.0", "0.9.0", "1.0.0-0", "1.0.0-2", "1.0.0-11", "1.0.0--", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
    "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
    "10.0.0", "99999999999999999999.0.0",
]  # fmt: skip


def test_revisions_order_as_semver_says() -> None:
    shuffled = sorted(ASCENDING)
    assert sorted(shuffled, key=lambda text: parse_revision(text).precedence) == ASCENDING


def test_build_metadata_does_not_order() -> None:
    assert (
        parse_revision("1.0.0+a").precedence
        == parse_revision("1.0.0+b").precedence
        == parse_revision("1.0.0").precedence
    )


@pytest.mark.parametrize(
    "text",
    ["", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0.0", "1.0.0-", "1.0.0-01", "1.0.0+", " 1.0.0", "1.0.0\n", "1.0.\u0661"],
)
def test_what_is_no_revision(text: str) -> None:
    with pytest.raises(ValueError, match="not a semantic version"):
        parse_revision(text)


@pytest.mark.parametrize(
    ("old", "new", "made"),
    [
        ("1.0.0", "1.0.0", Bump.NONE),
        ("1.0.0", "1.0.0+build", Bump.NONE),
        ("1.0.0", "1.0.1", Bump.PATCH),
        ("1.0.0", "1.1.0", Bump.MINOR),
        ("1.9.9", "2.0.0", Bump.MAJOR),
        ("1.0.0", "2.0.0-rc.1", Bump.MAJOR),
        ("2.0.0-rc.1", "2.0.0-rc.2", Bump.PRERELEASE),
        ("2.0.0-rc.1", "2.0.0", Bump.PRERELEASE),
        ("0.9.0", "1.0.0", Bump.MAJOR),
        ("1.0.1", "1.0.0", None),
        ("1.0.0", "1.0.0-rc.1", None),
    ],
)
def test_the_bump_that_was_made(old: str, new: str, made: Bump | None) -> None:
    assert bump_made(parse_revision(old), parse_revision(new)) is made


@pytest.mark.parametrize(
    ("old", "verdict", "needed", "smallest"),
    [
        ("1.2.3", Impact.BREAKING, Bump.MAJOR, "2.0.0"),
        ("1.2.3", Impact.FORWARD, Bump.MINOR, "1.3.0"),
        ("1.2.3", Impact.COMPATIBLE, Bump.PATCH, "1.2.4"),
        ("0.2.3", Impact.BREAKING, Bump.MINOR, "0.3.0"),
        ("0.2.3", Impact.FORWARD, Bump.PATCH, "0.2.4"),
        ("0.2.3", Impact.COMPATIBLE, Bump.PATCH, "0.2.4"),
        ("2.0.0-rc.1", Impact.BREAKING, Bump.PRERELEASE, "2.0.0-rc.2"),
        ("2.0.0-rc", Impact.COMPATIBLE, Bump.PRERELEASE, "2.0.0-rc.1"),
        ("2.0.0-rc.9+build.7", Impact.FORWARD, Bump.PRERELEASE, "2.0.0-rc.10"),
        ("2.0.0-1.x", Impact.FORWARD, Bump.PRERELEASE, "2.0.0-2.x"),
        ("2.0.0-x1", Impact.FORWARD, Bump.PRERELEASE, "2.0.0-x1.1"),
        (f"2.0.0-{'r' * 250}", Impact.FORWARD, Bump.PRERELEASE, "2.0.0"),
        ("1.2.3+build", Impact.COMPATIBLE, Bump.PATCH, "1.2.4"),
    ],
)
def test_the_bump_that_is_needed(old: str, verdict: Impact, needed: Bump, smallest: str) -> None:
    revision = parse_revision(old)
    assert bump_needed(revision, verdict, changed=True) is needed
    assert smallest_revision(revision, needed) == smallest
    assert bump_needed(revision, verdict, changed=False) is Bump.NONE
    made = bump_made(revision, parse_revision(smallest))
    assert made is not None
    assert made >= needed
