"""What the bridge is made of without an SDK: principals, definitions, results, tokens, codes."""

from __future__ import annotations

import asyncio
from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest

from protocolarc import bridge
from protocolarc.bridge import codes, errors
from protocolarc.bridge.cancellation import CancellationToken
from protocolarc.bridge.definition import AgentDefinition
from protocolarc.bridge.identity import Principal, RunScope, current_principal, current_run, run_scope
from protocolarc.bridge.runner import RunResult, RunState
from tests.support.cli import ROOT

BAD_PRINCIPALS: list[dict[str, Any]] = [
    {"tenant": "", "subject": "s"},
    {"tenant": "t", "subject": " \t"},
    {"tenant": None, "subject": "s"},
    {"tenant": "t", "subject": 7},
    {"tenant": "t", "subject": "s", "scopes": "read"},
    {"tenant": "t", "subject": "s", "scopes": {7}},
    {"tenant": "t", "subject": "s", "expires_at": float("nan")},
    {"tenant": "t", "subject": "s", "expires_at": True},
    {"tenant": "t", "subject": "s", "expires_at": "tomorrow"},
]


@pytest.mark.parametrize("members", BAD_PRINCIPALS, ids=str)
def test_a_principal_that_is_none_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"principal|expires_at"):
        Principal(**members)


def test_an_owner_is_tenant_and_subject_and_cannot_be_written_another_way() -> None:
    owner = Principal("acme", "ada").owner
    assert owner == Principal("acme", "ada", frozenset({"read"}), 9.0).owner
    others = [Principal("acm", "eada"), Principal("acme", "ada "), Principal("ada", "acme"), Principal("acme\0a", "da")]
    assert len({owner, *(other.owner for other in others)}) == 5
    assert Principal("t", "\ud800").owner != Principal("t", "?").owner


def test_a_principal_expires_at_its_time() -> None:
    assert [Principal("t", "s", expires_at=10).expired(now) for now in (9.9, 10.0, 10.1)] == [False, True, True]
    assert not Principal("t", "s").expired()
    assert Principal("t", "s", expires_at=0).expired()


def test_a_run_is_bound_for_its_block_alone() -> None:
    outer, inner = (RunScope(Principal("t", name), name, "c") for name in ("outer", "inner"))
    with run_scope(outer):
        with run_scope(inner):
            assert current_run() is inner
        assert current_principal() == Principal("t", "outer")
    assert (current_run(), current_principal()) == (None, None)


def test_the_first_reason_of_a_token_stays() -> None:
    async def scenario() -> None:
        token = CancellationToken()
        waiting = asyncio.create_task(token.wait())
        assert (token.cancelled, token.reason) == (False, "")
        token.cancel("interrupted")
        token.cancel()
        assert (token.cancelled, token.reason, await waiting) == (True, "interrupted", "interrupted")

    asyncio.run(scenario())


BAD_RESULTS: list[tuple[RunState, Any, str]] = [
    (RunState.COMPLETED, None, ""),
    (RunState.COMPLETED, b"bytes", ""),
    (RunState.COMPLETED, ["a", "list"], ""),
    (RunState.FAILED, "text", ""),
    (RunState.FAILED, None, "Secret text"),
    (RunState.FAILED, None, "x" * 65),
]


@pytest.mark.parametrize(("state", "output", "code"), BAD_RESULTS)
def test_a_result_that_says_two_things_is_refused(state: RunState, output: Any, code: str) -> None:
    with pytest.raises(ValueError, match=r"output|code"):
        RunResult(state, output, code)


@pytest.mark.parametrize(
    "members", [{"name": " "}, {"version": ""}, {"required_scopes": "ask"}, {"resolve_timeout_seconds": 0}]
)
def test_a_definition_that_is_none_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"agent|positive"):
        AgentDefinition(**{"name": "a", "version": "1"} | members)


def test_codes_are_unique_words_and_their_texts_read_as_refusals() -> None:
    assert len({outcome.code for outcome in codes.OUTCOMES}) == len(codes.OUTCOMES)
    defined = {value for value in vars(codes).values() if isinstance(value, codes.Outcome)}
    assert defined - {codes.COMPLETED} == set(codes.OUTCOMES)
    assert all(outcome.text.startswith("Request ") and outcome.text.endswith(".") for outcome in codes.OUTCOMES)


def test_the_documentation_has_every_code_with_its_text() -> None:
    page = (ROOT / "docs" / "bridge.md").read_text(encoding="utf-8")
    rows = [f"| `{outcome.code}` | {outcome.end.name.lower()} | {outcome.text} |" for outcome in codes.OUTCOMES]
    assert "\n".join(rows) in page


def test_the_public_names_are_there() -> None:
    assert all(getattr(bridge, name) is not None for name in bridge.__all__)
    assert dir(bridge) == sorted(bridge.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = bridge.nothing


@pytest.mark.requirement("R1")
@pytest.mark.parametrize(
    ("extra", "installed", "said"),
    [
        ("a2a", {}, 'a2a-sdk is not installed; pip install "protocolarc[a2a]"'),
        ("a2a", {"a2a-sdk": "1.2.3"}, "a2a-sdk 1.2.3 is installed, the bridge needs <2,>=1.3; "),
        ("a2a", {"a2a-sdk": "2.0.0"}, "a2a-sdk 2.0.0 is installed, the bridge needs"),
        ("a2a", {"a2a-sdk": "1.3.0"}, "starlette is not installed; "),
        ("google-adk", {"a2a-sdk": "1.3.0"}, 'google-adk is not installed; pip install "protocolarc[google-adk]"'),
        ("google-adk", {"google-adk": "2.7.9"}, "google-adk 2.7.9 is installed, the bridge needs"),
    ],
)
def test_a_missing_extra_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, extra: str, installed: dict[str, str], said: str
) -> None:
    def version(package: str) -> str:
        if package not in installed:
            raise PackageNotFoundError(package)
        return installed[package]

    monkeypatch.setattr(errors, "version", version)
    with pytest.raises(bridge.MissingExtraError) as caught:
        errors.require(extra)
    assert str(caught.value).startswith(said)
    assert f'pip install "protocolarc[{extra}]"' in str(caught.value)
