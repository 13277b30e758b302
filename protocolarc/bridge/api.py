"""The functions that need an SDK. They load it when they are called, and say what to install when it is not there."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from protocolarc.bridge.contracts import RegistryPath, pin
from protocolarc.bridge.definition import AgentDefinition, check_seconds
from protocolarc.bridge.errors import require
from protocolarc.bridge.identity import Principal
from protocolarc.bridge.resolution import PrincipalResolver, Resolver
from protocolarc.bridge.runner import AgentRunner

if TYPE_CHECKING:
    from a2a.server.tasks import TaskStore
    from a2a.types import AgentCard
    from google.adk.agents.remote_a2a_agent import RemoteA2aAgent

    from protocolarc.bridge.executor import BridgeExecutor
    from protocolarc.bridge.store import BoundTaskStore
    from protocolarc.bridge.wiring import Bridge

MAX_INPUT_BYTES = 65536
MAX_ARTIFACT_BYTES = 1048576

_log = logging.getLogger(__name__)


def a2a_agent_executor(  # noqa: PLR0913  # limits have defaults
    runner: AgentRunner,
    definition: AgentDefinition,
    *,
    resolve: PrincipalResolver,
    registry: RegistryPath | None = None,
    store: BoundTaskStore | None = None,
    max_input_bytes: int = MAX_INPUT_BYTES,
    max_artifact_bytes: int = MAX_ARTIFACT_BYTES,
) -> BridgeExecutor:
    """Return the executor alone, for a wiring of one's own.

    ``store`` is the one of a bridge, or nothing. Alone it cannot judge the body of a request, keep callers apart in
    the store, or keep the SDK's handler from failing a task on a foreign cancel: that is what ``a2a_bridge`` adds.

    Raises:
        MissingExtraError: the extra ``a2a`` is not installed.
        ContractLookupError: a contract of the definition is not there.
        TypeError: the store is that of no bridge.
        ValueError: the store is that of a bridge with another resolver.
    """
    require("a2a")
    from protocolarc.bridge.executor import BridgeExecutor  # noqa: PLC0415  # the SDK is optional
    from protocolarc.bridge.store import BoundTaskStore  # noqa: PLC0415  # the same

    if store is not None and not isinstance(store, BoundTaskStore):
        raise TypeError("store is that of a bridge, which knows its owners")
    if store is not None and store.resolver.resolve != resolve:
        raise ValueError("the store of a bridge has its own resolver; give the same one")
    if store is None and definition.request_contract is not None:
        _log.warning("the executor alone does not judge requests against %s", definition.request_contract)
    return BridgeExecutor(
        runner,
        definition,
        resolver=Resolver(resolve, definition.resolve_timeout_seconds) if store is None else store.resolver,
        store=store,
        artifact_contract=pin(definition.artifact_contract, registry),
        max_input_bytes=max_input_bytes,
        max_artifact_bytes=max_artifact_bytes,
    )


def a2a_bridge(  # noqa: PLR0913  # the parts of the wiring
    runner: AgentRunner,
    definition: AgentDefinition,
    card: AgentCard,
    task_store: TaskStore,
    *,
    resolve: PrincipalResolver,
    registry: RegistryPath | None = None,
    gate: bool = True,
) -> Bridge:
    """Wire an agent for A2A: contracts pinned now, one resolver for every method, callers kept apart.

    ``registry`` is the top of a git work tree or a bare repository, whose contracts are named as on the command
    line, or any other directory, whose contracts are taken as they are. ``gate=False`` leaves the judging of bodies
    to somebody else; their size stays capped.

    Raises:
        MissingExtraError: the extra ``a2a`` is not installed.
        ContractLookupError: a contract of the definition is not there.
        AgentCardError: the card advertises what the bridge does not do.
        TypeError: the store is none, or one of the SDK's versioned stores, which the bridge does not know.
        ValueError: the store has an owner resolver of its own, or serves another bridge that has not been closed.
    """
    require("a2a")
    from a2a.server.tasks import TaskStore  # noqa: PLC0415  # the SDK is optional

    from protocolarc.bridge.handler import BridgeRequestHandler  # noqa: PLC0415  # the SDK is optional
    from protocolarc.bridge.ownership import keeps_owners_apart  # noqa: PLC0415  # the same
    from protocolarc.bridge.store import BoundTaskStore  # noqa: PLC0415  # the same
    from protocolarc.bridge.wiring import Bridge, check_card  # noqa: PLC0415  # the same

    check_card(card)
    if not isinstance(task_store, TaskStore):
        raise TypeError(f"{type(task_store).__name__} is no TaskStore of the SDK")
    if keeps_owners_apart(task_store) is False:
        raise ValueError("the task store has an owner_resolver of its own; leave it out, the bridge names the owners")
    resolver = Resolver(resolve, definition.resolve_timeout_seconds)
    store = BoundTaskStore(task_store, resolver)
    executor = a2a_agent_executor(runner, definition, resolve=resolve, registry=registry, store=store)
    request_contract = pin(definition.request_contract, registry)
    rest_contract = pin(definition.rest_contract, registry)
    judged_only = gate and not (request_contract is None and rest_contract is None)
    return Bridge(
        executor=executor,
        store=store,
        handler=BridgeRequestHandler(executor, store, card, resolver, judged_only=judged_only),
        card=card,
        request_contract=request_contract,
        rest_contract=rest_contract,
        gate=gate,
    )


def google_adk_remote_agent(
    *, name: str, agent_card: AgentCard | str, description: str = "", timeout_seconds: float = 60.0
) -> RemoteA2aAgent:
    """Return an agent of Google's kit that calls the agent behind a card, or behind the URL of one.

    Raises:
        MissingExtraError: the extra ``google-adk`` is not installed.
        ValueError: the timeout is no positive number of seconds.
    """
    check_seconds("timeout_seconds", timeout_seconds)
    require("google-adk")
    from protocolarc.bridge.adk import remote_agent  # noqa: PLC0415  # the SDK is optional

    return remote_agent(name, agent_card, description, timeout_seconds)


async def reconcile(
    store: TaskStore, *, older_than: timedelta, owners: Iterable[Principal] | None = None
) -> tuple[str, ...]:
    """End as interrupted the tasks that a process left active, and return their ids.

    ``older_than`` is how long a run may take in the other processes that serve from the same store: a store does not
    say whose process works on a task, and a younger one may well be at work. Nothing, ``timedelta(0)``, is right where
    there are no others, and before this one serves. Runs of this process are left alone when ``store`` is that of a
    bridge. Without owners it looks through the SDK's in-memory and database stores; others list by owner only.

    Raises:
        MissingExtraError: the extra ``a2a`` is not installed.
        TypeError: the owners have to be named for this store.
        ValueError: the time is negative.
    """
    if older_than < timedelta(0):
        raise ValueError("older_than is the time that a run may take, and not negative")
    require("a2a")
    from protocolarc.bridge.recovery import close_left  # noqa: PLC0415  # the SDK is optional

    return await close_left(store, owners, older_than)
